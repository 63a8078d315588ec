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
