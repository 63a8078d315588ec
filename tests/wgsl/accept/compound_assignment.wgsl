@group(0) @binding(0) var<storage, read_write> data: array<vec4<u32>>;
fn index() -> u32 { return 1; }
@compute @workgroup_size(1)
fn main() {
    var i = 1;
    i += 2; i -= 3; i *= 4; i /= 5; i %= 6; i &= 7; i |= 8; i ^= 9; i <<= 1u; i >>= 1u;
    i++;
    i--;
    var b = true;
    b = !b;
    b &= true;
    b |= false;
    data[index()].x += 1;
    data[index()][2] <<= 3u;
    data[0] *= 2u;
    data[0] += vec4(1u);
    data[1].w++;
    var f = vec3(1.0);
    f *= 2;
    f /= vec3(3.0);
    f -= 1.0;
    var m = mat2x2<f32>();
    m *= 2.0;
    m += m;
    f.y += f.x;
}
