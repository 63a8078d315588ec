// Planted: data race.
//! run --dispatch 5 --bind 0,0=iota:u32:333 --bind 0,1=random:u32:333:2 --bind 0,2=zeros:u32:5 --bind 0,3=zeros:u32:2 --bind 0,4=values:u32:333
// Dot product of two u32 vectors in one dispatch: every workgroup leaves a partial sum, which also tells the host how
// even the work is.
struct State {
    done: atomic<u32>,
    result: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> partials: array<u32>;
@group(0) @binding(3) var<storage, read_write> state: State;
@group(0) @binding(4) var<uniform> count: u32;

const WG = 64u;
var<workgroup> sums: array<u32, WG>;
var<workgroup> is_last: u32;

fn reduce(tid: u32) {
    for (var s = WG / 2u; s > 0u; s >>= 1u) {
        workgroupBarrier();
        if (tid < s) {
            sums[tid] += sums[tid + s];
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(WG)
fn dot_product(@builtin(workgroup_id) wg: vec3<u32>,
               @builtin(num_workgroups) wgs: vec3<u32>,
               @builtin(local_invocation_index) tid: u32) {
    var sum = 0u;
    for (var i = wg.x * WG + tid; i < count; i += wgs.x * WG) {
        sum += x[i] * y[i];
    }
    sums[tid] = sum;
    reduce(tid);
    if (tid == 0u) {
        partials[wg.x] = sums[0]; // <- S0303
        is_last = u32(atomicAdd(&state.done, 1u) == wgs.x - 1u);
    }
    storageBarrier();
    if (workgroupUniformLoad(&is_last) == 1u) {
        sums[tid] = 0u;
        if (tid < wgs.x) {
            sums[tid] = partials[tid]; // <- S0303
        }
        reduce(tid);
        if (tid == 0u) {
            state.result = sums[0];
        }
    }
}
