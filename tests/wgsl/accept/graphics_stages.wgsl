// People keep kernels beside their rendering: all stages are checked, compute is what runs.
struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat, either) layer: u32,
}
struct FragmentOut {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}
@group(0) @binding(0) var tex: texture_2d<f32>;
@group(0) @binding(1) var smp: sampler;
@group(0) @binding(2) var<uniform> transform: mat4x4<f32>;
@group(0) @binding(3) var store: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(4) var depth_map: texture_depth_2d;
@group(0) @binding(5) var cmp: sampler_comparison;
@vertex
fn vs(@builtin(vertex_index) index: u32, @location(0) pos: vec3<f32>) -> VertexOut {
    var out: VertexOut;
    out.position = transform * vec4(pos, 1.0);
    out.uv = vec2(f32(index & 1), f32(index >> 1));
    out.layer = index;
    return out;
}
@fragment
fn fs(in: VertexOut, @builtin(front_facing) front: bool) -> FragmentOut {
    var color = textureSample(tex, smp, in.uv);
    let d = dpdx(in.uv.x) + fwidth(in.uv.y);
    let lit = textureSampleCompare(depth_map, cmp, in.uv, 0.5);
    if color.a < 0.1 { discard; }
    if !front { color *= 0.5; }
    return FragmentOut(color * lit + d, in.position.z);
}
@compute @workgroup_size(8, 8)
fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(tex);
    if any(id.xy >= size) { return; }
    textureStore(store, id.xy, textureLoad(tex, id.xy, 0));
}
