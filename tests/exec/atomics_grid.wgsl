//! dispatch 33 7 3
//! d       u32 8 zeros
//! expect  d == values 22176 693 0 31 22176 2147483647 1 4294945120
// Atomics from 33 x 7 x 3 workgroups of 32 on all threads at once.
@group(0) @binding(0) var<storage, read_write> d: array<atomic<u32>>;

var<workgroup> local: atomic<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    atomicAdd(&d[0], 1);
    let before = atomicAdd(&local, 1);
    workgroupBarrier();
    if (i == 0 && atomicLoad(&local) == 32) {
        atomicAdd(&d[1], 1);
    }
    atomicMax(&d[3], before);
    loop {
        let old = atomicLoad(&d[4]);
        let r = atomicCompareExchangeWeak(&d[4], old, old + 1);
        if (r.exchanged) {
            break;
        }
    }
    atomicOr(&d[5], 1u << (i % 31));
    atomicExchange(&d[6], 1);
    atomicSub(&d[7], 1);
}
