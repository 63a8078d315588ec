@group(0) @binding(0) var tf: texture_2d<f32>;
@group(0) @binding(1) var ti: texture_2d<i32>;
@group(0) @binding(2) var tu: texture_2d<u32>;
@group(0) @binding(3) var ta: texture_2d_array<f32>;
@group(0) @binding(4) var tc: texture_cube<u32>;
@group(0) @binding(5) var tca: texture_cube_array<i32>;
@group(0) @binding(6) var d2: texture_depth_2d;
@group(0) @binding(7) var d2a: texture_depth_2d_array;
@group(0) @binding(8) var dc: texture_depth_cube;
@group(0) @binding(9) var dca: texture_depth_cube_array;
@group(0) @binding(10) var s: sampler;
@group(0) @binding(11) var cmp: sampler_comparison;
const red = 0u;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let c = vec3f(id) / 8.0;
    let a: vec4f = textureGather(0, tf, s, c.xy) + textureGather(1u, tf, s, c.xy, vec2(1, -8)) + textureGather(red, tf, s, c.xy);
    let b: vec4i = textureGather(2i, ti, s, c.xy) + textureGather(3, tca, s, c, id.x);
    let d: vec4u = textureGather(3, tu, s, c.xy, vec2(7)) + textureGather(1 + 1, tc, s, c);
    let e: vec4f = textureGather(1, ta, s, c.xy, id.y) + textureGather(1, ta, s, c.xy, 1, vec2(0, 1));
    let f = textureGather(d2, s, c.xy) + textureGather(d2, s, c.xy, vec2(1)) + textureGather(d2a, s, c.xy, 1);
    let g = textureGather(d2a, s, c.xy, id.x, vec2(1)) + textureGather(dc, s, c) + textureGather(dca, s, c, 2);
    let h = textureGatherCompare(d2, cmp, c.xy, 0.5) + textureGatherCompare(d2, cmp, c.xy, c.z, vec2(-1));
    let i = textureGatherCompare(d2a, cmp, c.xy, 1, 0) + textureGatherCompare(d2a, cmp, c.xy, id.z, 0.5, vec2(1));
    let j: vec4<f32> = textureGatherCompare(dc, cmp, c, 0.5) + textureGatherCompare(dca, cmp, c, 1, 0.5);
    _ = a + e + f + g + h + i + j;
    _ = b;
    _ = d;
}
