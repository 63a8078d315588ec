// Every form of the sampling functions: dimensions, arrays, offsets, depth, comparison.
@group(0) @binding(0) var t1: texture_1d<f32>;
@group(0) @binding(1) var t2: texture_2d<f32>;
@group(0) @binding(2) var t2a: texture_2d_array<f32>;
@group(0) @binding(3) var t3: texture_3d<f32>;
@group(0) @binding(4) var tc: texture_cube<f32>;
@group(0) @binding(5) var tca: texture_cube_array<f32>;
@group(0) @binding(6) var d2: texture_depth_2d;
@group(0) @binding(7) var d2a: texture_depth_2d_array;
@group(0) @binding(8) var dc: texture_depth_cube;
@group(0) @binding(9) var dca: texture_depth_cube_array;
@group(0) @binding(10) var te: texture_external;
@group(1) @binding(0) var s: sampler;
@group(1) @binding(1) var cmp: sampler_comparison;
const down = vec2i(-8, 7);
fn implicit(c: vec3f, i: i32, u: u32) -> vec4f {
    var r = textureSample(t1, s, c.x);
    r += textureSample(t2, s, c.xy) + textureSample(t2, s, c.xy, vec2(1, -1)) + textureSample(t2, s, c.xy, down);
    r += textureSample(t2a, s, c.xy, i) + textureSample(t2a, s, c.xy, u, vec2<i32>(1));
    r += textureSample(t3, s, c) + textureSample(t3, s, c, vec3(1, 2, 3));
    r += textureSample(tc, s, c) + textureSample(tca, s, c, 1) + textureSample(tca, s, c, u);
    r.x += textureSample(d2, s, c.xy) + textureSample(d2, s, c.xy, vec2(3));
    r.x += textureSample(d2a, s, c.xy, i) + textureSample(d2a, s, c.xy, i, vec2(0));
    r.x += textureSample(dc, s, c) + textureSample(dca, s, c, i);
    r += textureSampleBias(t2, s, c.xy, 1) + textureSampleBias(t2, s, c.xy, -16.0, vec2(1)) + textureSampleBias(t3, s, c, 2);
    r += textureSampleBias(t2a, s, c.xy, 0, c.z) + textureSampleBias(t2a, s, c.xy, u, 15.99, vec2(1));
    r += textureSampleBias(tc, s, c, 1.0) + textureSampleBias(tca, s, c, i, 1.0) + textureSampleBias(t3, s, c, 1, vec3(1));
    r.y += textureSampleCompare(d2, cmp, c.xy, 0.5) + textureSampleCompare(d2, cmp, c.xy, c.z, vec2(-1));
    r.y += textureSampleCompare(d2a, cmp, c.xy, i, 1) + textureSampleCompare(d2a, cmp, c.xy, u, 1, vec2(7));
    r.y += textureSampleCompare(dc, cmp, c, 0.1) + textureSampleCompare(dca, cmp, c, 2, 0.1);
    return r;
}
fn with_level(c: vec3f, i: i32, u: u32) -> vec4f {
    var r = textureSampleLevel(t1, s, c.x, 0) + textureSampleLevel(t1, s, 0.5, 1.5);
    r += textureSampleLevel(t2, s, c.xy, 0.0) + textureSampleLevel(t2, s, c.xy, c.z, vec2(1, 2));
    r += textureSampleLevel(t2a, s, c.xy, i, 1) + textureSampleLevel(t2a, s, c.xy, u, 1, vec2(1, 2));
    r += textureSampleLevel(t3, s, c, 2.5) + textureSampleLevel(t3, s, c, 0, vec3(0)) + textureSampleLevel(tc, s, c, 1);
    r += textureSampleLevel(tca, s, c, i, 1.0);
    r.x += textureSampleLevel(d2, s, c.xy, 0) + textureSampleLevel(d2, s, c.xy, i, vec2(1)) + textureSampleLevel(d2, s, c.xy, u);
    r.x += textureSampleLevel(d2a, s, c.xy, i, u) + textureSampleLevel(d2a, s, c.xy, 0, 0, vec2(1));
    r.x += textureSampleLevel(dc, s, c, 1) + textureSampleLevel(dca, s, c, u, i);
    r += textureSampleGrad(t2, s, c.xy, c.yz, c.zx) + textureSampleGrad(t2, s, c.xy, c.yz, c.zx, vec2(1));
    r += textureSampleGrad(t2a, s, c.xy, 0, c.yz, c.zx) + textureSampleGrad(t2a, s, c.xy, u, c.yz, c.zx, vec2(1));
    r += textureSampleGrad(t3, s, c, c, c) + textureSampleGrad(t3, s, c, c, c, vec3(1)) + textureSampleGrad(tc, s, c, c, c);
    r += textureSampleGrad(tca, s, c, i, c, c);
    r.z += textureSampleCompareLevel(d2, cmp, c.xy, 0.5) + textureSampleCompareLevel(d2, cmp, c.xy, 0.5, vec2(1));
    r.z += textureSampleCompareLevel(d2a, cmp, c.xy, 0, 0.5) + textureSampleCompareLevel(d2a, cmp, c.xy, u, 0.5, vec2(1));
    r.z += textureSampleCompareLevel(dc, cmp, c, 0.5) + textureSampleCompareLevel(dca, cmp, c, i, 0.5);
    r += textureSampleBaseClampToEdge(t2, s, c.xy) + textureSampleBaseClampToEdge(te, s, c.xy);
    return r;
}
@fragment
fn fs(@location(0) c: vec3f, @location(1) @interpolate(flat) i: i32, @location(2) @interpolate(flat, either) u: u32) -> @location(0) vec4f {
    return implicit(c, i, u) + with_level(c, i, u);
}
@vertex
fn vs(@location(0) c: vec3f) -> @builtin(position) vec4f { return with_level(c, 1, 2u); }
