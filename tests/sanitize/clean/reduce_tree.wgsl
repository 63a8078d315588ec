// The classic tree in workgroup memory, a barrier a step.
//! run --bind 0,0=random:u32:512:1 --bind 0,1=zeros:u32:4 --dispatch 4
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> part: array<u32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32) {
    part[tid] = a[id.x];
    workgroupBarrier();
    for (var step = 64u; step > 0u; step >>= 1u) {
        if (tid < step) {
            part[tid] += part[tid + step];
        }
        workgroupBarrier();
    }
    if (tid == 0u) {
        sums[wg.x] = part[0];
    }
}
