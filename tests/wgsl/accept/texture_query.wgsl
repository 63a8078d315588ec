@group(0) @binding(0) var t1: texture_1d<f32>;
@group(0) @binding(1) var t2: texture_2d<i32>;
@group(0) @binding(2) var t2a: texture_2d_array<u32>;
@group(0) @binding(3) var t3: texture_3d<f32>;
@group(0) @binding(4) var tc: texture_cube<f32>;
@group(0) @binding(5) var tca: texture_cube_array<f32>;
@group(0) @binding(6) var tm: texture_multisampled_2d<u32>;
@group(0) @binding(7) var d2: texture_depth_2d;
@group(0) @binding(8) var d2a: texture_depth_2d_array;
@group(0) @binding(9) var dc: texture_depth_cube;
@group(0) @binding(10) var dca: texture_depth_cube_array;
@group(0) @binding(11) var dm: texture_depth_multisampled_2d;
@group(0) @binding(12) var te: texture_external;
@group(0) @binding(13) var w1: texture_storage_1d<r32float, write>;
@group(0) @binding(14) var w2: texture_storage_2d<rgba8snorm, write>;
@group(0) @binding(15) var w2a: texture_storage_2d_array<rgba8uint, write>;
@group(0) @binding(16) var w3: texture_storage_3d<rgba8sint, write>;
fn queries(l: i32, m: u32) -> u32 {
    let a: u32 = textureDimensions(t1) + textureDimensions(t1, 1) + textureDimensions(w1);
    let b: vec2u = textureDimensions(t2) + textureDimensions(t2, l) + textureDimensions(t2a) + textureDimensions(t2a, m);
    let c: vec2<u32> = textureDimensions(tc) + textureDimensions(tc, 0) + textureDimensions(tca) + textureDimensions(tca, l);
    let d: vec3u = textureDimensions(t3) + textureDimensions(t3, m) + textureDimensions(w3);
    let e = textureDimensions(tm) + textureDimensions(d2) + textureDimensions(d2, 1) + textureDimensions(d2a) + textureDimensions(d2a, l);
    let f = textureDimensions(dc) + textureDimensions(dc, 1) + textureDimensions(dca) + textureDimensions(dca, 1u) + textureDimensions(dm);
    let g = textureDimensions(te) + textureDimensions(w2) + textureDimensions(w2a);
    var n = textureNumLayers(t2a) + textureNumLayers(tca) + textureNumLayers(d2a) + textureNumLayers(dca) + textureNumLayers(w2a);
    n += textureNumLevels(t1) + textureNumLevels(t2) + textureNumLevels(t2a) + textureNumLevels(t3) + textureNumLevels(tc);
    n += textureNumLevels(tca) + textureNumLevels(d2) + textureNumLevels(d2a) + textureNumLevels(dc) + textureNumLevels(dca);
    n += textureNumSamples(tm) + textureNumSamples(dm);
    return a + b.x + c.y + d.z + e.x + f.x + g.y + n;
}
@compute @workgroup_size(1) fn main() { _ = queries(1, 1u); }
