// Textures and samplers as parameters, and under other names.
requires texture_and_sampler_let;
@group(0) @binding(0) var color: texture_2d<f32>;
@group(0) @binding(1) var shadow: texture_depth_2d;
@group(0) @binding(2) var linear_sampler: sampler;
@group(0) @binding(3) var cmp: sampler_comparison;
@group(0) @binding(4) var target_image: texture_storage_2d<rgba16float, write>;
alias Image = texture_2d<f32>;
alias Out = texture_storage_2d<rgba16float, write>;
fn tap(t: Image, s: sampler, uv: vec2f) -> vec4f { return textureSampleLevel(t, s, uv, 0); }
fn lit(t: texture_depth_2d, s: sampler_comparison, p: vec3f) -> f32 { return textureSampleCompareLevel(t, s, p.xy, p.z); }
fn put(o: Out, at: vec2u, v: vec4f) { textureStore(o, at, v); }
fn nest(t: Image, s: sampler) -> vec4f { return tap(t, s, vec2f(0.5)); }
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let t = color;
    let s = linear_sampler;
    let o = target_image;
    _ = t;
    _ = linear_sampler;
    put(o, id.xy, tap(t, s, vec2f(id.xy)) * lit(shadow, cmp, vec3f(id)) + nest(color, linear_sampler));
}
