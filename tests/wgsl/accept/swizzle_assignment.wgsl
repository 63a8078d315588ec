requires swizzle_assignment;
@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;
@compute @workgroup_size(1)
fn main() {
    var v = vec4<f32>();
    v.xy = vec2(1.0, 2);
    v.wz = v.xy;
    v.rgb *= 2;
    out[0].xzw = v.xyz;
    out[1] = v;
}
fn indexed(i: u32) {
    var v = vec4u();
    v.zy[1] = 1;
    v.xx[0] = 1;
    v.wx[i] = 1;
    v.xx[i] += 1;
    (v.zyx)[i] = 2;
}
