@id(0) override flag: bool = true;
@id(1200) override gain: f32;
override width = 16u;
override height: i32 = 8;
override depth_ = i32(width) * height + 1;
override scale: f32 = gain * 2.0 + select(0.0, 1.0, flag);
override derived = width * 2 + u32(height);
@id(7) override threshold: f32 = sqrt(4.0);
const_assert true;
var<workgroup> tile: array<f32, width * 2>;
var<workgroup> nested: array<vec4<f32>, derived>;
@compute @workgroup_size(width, 2 * 2, derived / 40)
fn main(@builtin(local_invocation_index) i: u32) {
    tile[i % (width * 2)] = gain * scale;
    nested[0] = vec4(threshold, f32(depth_), 0, 0);
    for (var k = 0u; k < width; k++) {
        if flag && k > u32(height) {
            tile[k] += 1;
        }
    }
}
