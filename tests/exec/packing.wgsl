//! a       u32 6 values 4278255489 16909060 0 0 0 0
//! d       u32 8 marker
//! expect  d == values 127 65025 67305985 4278255489 1 3855 1006632960 255
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(1)
fn main() {
    d[0] = pack4x8snorm(vec4f(1, 0, 0, 0));
    d[1] = dot4U8Packed(0x000000ff, 0xffffffff);
    d[2] = pack4xU8(vec4u(1, 2, 3, 4));
    d[3] = pack4xI8(unpack4xI8(a[0]));
    d[4] = u32(dot4I8Packed(0x01ff, 0x0101) == 0);
    d[5] = extractBits(0x000f0f00u, 8, 16) ;
    d[6] = pack2x16float(vec2f(0, 1));
    d[7] = pack4xU8Clamp(vec4u(1000, 0, 0, 0));
}
