enable subgroups;
enable f16;
diagnostic(off, subgroup_uniformity);
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(subgroup_invocation_id) lane: u32) {
    let x = out[id.x];
    var s = subgroupAdd(x) + subgroupMul(x) + subgroupMax(x) + subgroupMin(x);
    s += subgroupExclusiveAdd(x) + subgroupInclusiveAdd(x) + subgroupExclusiveMul(x) + subgroupInclusiveMul(x);
    let bits = subgroupAnd(lane) | subgroupOr(lane) ;
    let more = subgroupXor(vec2(lane, bits));
    let votes = subgroupBallot(x > 0);
    if subgroupAny(x > 1) && subgroupAll(x < 5) { s += 1; }
    s += subgroupBroadcast(x, 3) + subgroupBroadcastFirst(x) + subgroupShuffle(x, lane ^ 1);
    s += subgroupShuffleXor(x, 1) + subgroupShuffleUp(x, 2) + subgroupShuffleDown(x, 2);
    s += quadBroadcast(x, 0) + quadSwapX(x) + quadSwapY(x) + quadSwapDiagonal(x);
    let h = subgroupAdd(vec3<f16>(f16(x)));
    out[id.x] = s + f32(more.x + votes.x + countOneBits(votes.y)) + f32(h.z);
}
