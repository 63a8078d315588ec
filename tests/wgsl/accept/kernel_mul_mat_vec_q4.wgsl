// The way of ggml's matrix-vector kernel for 4-bit blocks: structs of f16 and arrays, bytes by shifts, a reduction over
// subgroups and workgroup memory.
enable f16;
enable subgroups;

struct q4_0 {
    d: f16,
    qs: array<f16, 8>
};

struct MulMatParams {
    offset_src0: u32, offset_src1: u32, offset_dst: u32,
    m: u32, n: u32, k: u32,
    stride_01: u32, stride_11: u32,
};

@group(0) @binding(0) var<storage, read_write> src0: array<q4_0>;
@group(0) @binding(1) var<storage, read_write> src1: array<f32>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
@group(0) @binding(3) var<uniform> params: MulMatParams;

override WG_SIZE: u32 = 64;
override OUTPUTS = 4u;
const MAX_SUBGROUPS = 64u;
const BLOCK = 32u;

var<workgroup> partial: array<f32, MAX_SUBGROUPS>;

fn get_byte(value: u32, index: u32) -> u32 {
    return (value >> (index * 8)) & 0xFF;
}

fn get_byte_i32(value: u32, index: u32) -> i32 {
    return bitcast<i32>(((value >> (index * 8)) & 0xFF) << 24) >> 24;
}

fn mul_block(block: u32, at: u32) -> f32 {
    let q = src0[block];
    let d = f32(q.d);
    var sum: f32 = 0.0;
    for (var j: u32 = 0; j < 4; j++) {
        let packed = bitcast<u32>(vec2(q.qs[2 * j], q.qs[2 * j + 1]));
        for (var k: u32 = 0; k < 4; k++) {
            let byte = get_byte(packed, k);
            let hi = (f32((byte >> 4) & 0xF) - 8.0f) * d;
            let lo = (f32(byte & 0xF) - 8.0f) * d;
            sum += lo * src1[at + j * 4 + k];
            sum += hi * src1[at + j * 4 + k + 16];
        }
    }
    return sum;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) wg_id: vec3<u32>,
        @builtin(num_workgroups) num_wg: vec3<u32>, @builtin(subgroup_id) subgroup_id: u32,
        @builtin(num_subgroups) num_subgroups: u32, @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) subgroup_size: u32) {
    let row_base = (wg_id.y * num_wg.x + wg_id.x) * OUTPUTS;
    if (row_base >= params.m) {
        return;
    }
    for (var row = 0u; row < OUTPUTS; row++) {
        let blocks = params.k / BLOCK;
        var acc = 0.0;
        for (var b = local_id.x; b < blocks; b += WG_SIZE) {
            acc += mul_block(params.offset_src0 + (row_base + row) * params.stride_01 + b, params.offset_src1 + b * BLOCK);
        }
        let sum = subgroupAdd(acc);
        if (lane == 0u) {
            partial[subgroup_id] = sum;
        }
        workgroupBarrier();
        if (local_id.x == 0) {
            var total = 0.0;
            for (var s = 0u; s < num_subgroups; s++) { total += partial[s]; }
            if row_base + row < params.m {
                dst[params.offset_dst + row_base + row] = total + f32(get_byte_i32(0x80u, 0)) * 0.0;
            }
        }
        workgroupBarrier();
    }
}
