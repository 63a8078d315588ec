enable f16;
struct q8_0 { d: f16, qs: array<f16, 16> };
struct q4_K { d: f16, dmin: f16, scales: array<u32, 3>, qs: array<u32, 32> };
struct Params { offset_src: u32, offset_idx: u32, offset_dst: u32, stride_src1: u32, stride_dst1: u32, ne0: u32, n_rows: u32, };
@group(0) @binding(0) var<storage, read_write> src: array<q8_0>;
@group(0) @binding(1) var<storage, read_write> idx: array<i32>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read_write> wide: array<q4_K>;
const kmask: array<u32, 2> = array<u32, 2>(
    0x08040201u, // 1, 2, 4, 8
    0x80402010u  // 16, 32, 64, 128
);
const grid = array<u32, 8>(
    0x08080808, 0x08080808, 0x0808082b, 0x08080808,
    0x08081919, 0x08080808, 0x08082b08, 0x08080808
);
fn get_byte(value: u32, index: u32) -> u32 { return (value >> (index * 8)) & 0xFF; }
fn get_byte_i32(value: u32, index: u32) -> i32 { return bitcast<i32>(((value >> (index * 8)) & 0xFF) << 24) >> 24; }
fn get_scale_min(is: u32, scales: array<u32, 3>) -> vec2<f32> {
    if (is < 4) {
        return vec2(f32(get_byte(scales[is / 4], is % 4) & 63), f32(get_byte(scales[(is + 4) / 4], is % 4) & 63));
    } else {
        let lo = get_byte(scales[(is + 4) / 4], (is + 4) % 4);
        let hi = get_byte(scales[(is - 4) / 4], (is - 4) % 4);
        let sc = (lo & 0xF) | ((hi >> 6) << 4);
        return vec2(f32(sc), f32(lo >> 4));
    }
}
fn copy_elements(src_base: u32, dst_base: u32, offset: u32) {
    let block = src[src_base + offset];
    let d = f32(block.d);
    for (var j: u32 = 0u; j < 8; j++) {
        let packed = bitcast<u32>(vec2(block.qs[2 * j], block.qs[2 * j + 1]));
        for (var k: u32 = 0; k < 4; k++) {
            let sign = select(1.0, -1.0, (kmask[k / 2] & 1u) != 0);
            dst[dst_base + offset * 32 + j * 4 + k] = f32(get_byte_i32(packed, k)) * d * sign * f32(grid[k] != 0);
        }
    }
    let scale = get_scale_min(j0(), wide[0].scales);
    dst[dst_base] += scale.x - scale.y;
}
fn j0() -> u32 { return params.ne0 % 8; }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x >= params.n_rows) { return; }
    let row = u32(idx[params.offset_idx + gid.x]);
    let src_row = params.offset_src + row * params.stride_src1;
    let dst_row = params.offset_dst + gid.x * params.stride_dst1;
    for (var i: u32 = 0; i < params.ne0 / 32; i++) { copy_elements(src_row, dst_row, i); }
}
