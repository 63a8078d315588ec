struct Counters { hits: atomic<u32>, total: array<atomic<i32>, 4>, plain: u32, }
@group(0) @binding(0) var<storage, read_write> counters: Counters;
var<workgroup> local_: array<atomic<u32>, 8>;
var<workgroup> one: atomic<i32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let old = atomicAdd(&counters.hits, 1u);
    atomicStore(&local_[i % 8], old);
    atomicMax(&counters.total[i % 4], i32(i));
    atomicMin(&one, -3);
    _ = atomicSub(&one, 1);
    _ = atomicAnd(&local_[0], 0xff);
    _ = atomicOr(&local_[1], 1);
    _ = atomicXor(&local_[2], i);
    let e = atomicExchange(&local_[3], 7);
    let r = atomicCompareExchangeWeak(&local_[4], 0, e);
    if r.exchanged { counters.plain = r.old_value; }
    workgroupBarrier();
    storageBarrier();
    counters.plain += atomicLoad(&local_[5]);
    let p = &local_[6];
    atomicAdd(p, 1u);
}
