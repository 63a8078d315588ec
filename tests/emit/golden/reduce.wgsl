// Workgroup memory, its zeros, barriers, a loop, an atomic, subgroups.
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> total: atomic<i32>;
var<workgroup> part: array<i32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    part[lane] = a[group.x * 128 + lane] / a[0];
    workgroupBarrier();
    let first = subgroupBroadcastFirst(lane);
    for (var step = 64u; step > 0; step >>= 1) {
        if (lane < step) {
            part[lane] += part[lane + step];
        }
        workgroupBarrier();
    }
    if (lane == 0 && first == 0) {
        atomicAdd(&total, part[0]);
    }
}
