//! subgroups 8
//! data u32 16 zeros
//! out u32 128 marker
//! expect out == values 0 0 0 35 35 35 35 0 35 35 35 0 70 35 0 0 35 70 35 0 35 0 0 0 35 0 0 0 0 0 0 0 0 35 35 0 35 0 0 0 35 0 0 0 35 35 0 0 35 0 0 0 0 35 0 0 0 0 0 0 0 0 0 0 0 35 35 0 35 0 35 0 35 0 0 0 0 0 0 0 35 0 0 0 35 0 35 0 35 0 35 35 0 0 0 0 35 0 0 0 0 0 0 0 35 0 0 0 0 0 0 0 0 0 0 0 35 0 35 0 0 0 0 0 35 35 35 70
// A count of bits behind a condition that bounds it, and the same count without one: LLVM 19 notes a range at the first, moves
// it away from the condition, and took it for both. Found by random programs.
enable subgroups;
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<workgroup> shared_words: array<u32, 128>;
fn helper(start: u32, own_in: ptr<function, array<u32, 8>>, lane: u32) -> u32 {
    var u0 = start;
    var u2 = 5u;
    var own = *own_in;
    let gid = lane;
    let group = 2u;
    for (var i0 = 0u; i0 < countOneBits(gid) % 5u; i0++) {
        u0 = (bitcast<u32>(bitcast<i32>((u2 + group)) - bitcast<i32>(lane)) % select(own[u2 % 8u], bitcast<u32>(bitcast<i32>(data[0]) * bitcast<i32>(group)), (u0 % 5u >= 0u)));
    }
    return u0 ^ own[1];
}
@compute @workgroup_size(16, 8)
fn main(@builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) sub: u32, @builtin(workgroup_id) group3: vec3<u32>) {
    let group = group3.x;
    var u0 = lane;
    var u1 = group * 3u;
    var own: array<u32, 8>;
    for (var i1 = 0u; i1 < 2u; i1 += 2u) {
        switch ((lane | (u0 - 3u)) % 4u) {
        case 0u: {
            if (sub < 1u) {
                u0 = helper(lane / 16u, &own, lane);
            }
        }
        default: {
            u0 = helper((u1 ^ 35u), &own, lane);
        }
        }
    }
    shared_words[lane] = u0 + u1;
    workgroupBarrier();
    let other = shared_words[(lane * 7u + 3u) % 128u];
    workgroupBarrier();
    workgroupBarrier();
    out[lane] = other + shared_words[127u - lane];
}
