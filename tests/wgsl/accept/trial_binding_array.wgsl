// What browsers try out beside the specification: read and checked, never run.
requires sized_binding_array;
@group(0) @binding(0) var maps: binding_array<texture_2d<f32>, 4>;
@group(0) @binding(4) var s: sampler;
alias Maps = binding_array<texture_2d<f32>, 2 * 2>;
fn pick(m: Maps, i: u32) -> vec4f { return textureLoad(m[i], vec2(0), 0); }
@fragment fn fs(@location(0) uv: vec2f) -> @location(0) vec4f {
    let first = maps[1];
    return textureSample(first, s, uv) + textureSample(maps[2u], s, uv) + pick(maps, 3);
}
