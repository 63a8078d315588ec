//! subgroups all
//! exact f32 4 values 1 1 -1 1
//! ends  f32 4 marker
//! worst u32 4 values 0 0 0 0
//! expect ends == exact
//! expect worst == values 0 0 0 0
// Numbers of 8 and 16 bits as fractions: the greatest is 1, the least -1, and all of them are within three units in the last place,
// which are counted by how far a product with the divisor is from what it came from.
@group(0) @binding(1) var<storage, read_write> ends: array<f32>;
@group(0) @binding(2) var<storage, read_write> worst: array<atomic<u32>>;

fn is_off(x: f32, whole: f32, scale: f32) -> u32 {
    return u32(abs(x * scale - whole) > abs(whole) * 4.0 / 8388608.0);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) i: u32) {
    if (i == 0u) {
        ends[0] = unpack4x8unorm(0xffu).x;
        ends[1] = unpack2x16unorm(0xffff0000u).y;
        ends[2] = unpack4x8snorm(0x80000000u).w;
        ends[3] = unpack2x16snorm(0x7fffu).x;
    }
    let bytes = i | ((255u - i) << 8u) | (i << 16u) | (i << 24u);
    atomicAdd(&worst[0], is_off(unpack4x8unorm(bytes).z, f32(i), 255.0));
    let signed = max(f32(i32(i << 24u) >> 24u), -127.0);
    atomicAdd(&worst[1], is_off(unpack4x8snorm(bytes).x, signed, 127.0));
    for (var k = 0u; k < 256u; k++) {
        let half = k * 256u + i;
        atomicAdd(&worst[2], is_off(unpack2x16unorm(half << 16u).y, f32(half), 65535.0));
        atomicAdd(&worst[3], is_off(unpack2x16snorm(half).x, max(f32(i32(half << 16u) >> 16u), -32767.0), 32767.0));
    }
}
