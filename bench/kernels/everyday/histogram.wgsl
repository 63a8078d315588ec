// Counts the 256 levels of 2^20 pixels with atomics, first in workgroup memory; 256 workgroups.
@group(0) @binding(0) var<storage, read> pixels: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;

const LEVELS = 256u;
const EACH = 16u; // pixels an invocation
var<workgroup> bins: array<atomic<u32>, LEVELS>;

@compute @workgroup_size(LEVELS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    atomicStore(&bins[local], 0u);
    workgroupBarrier();
    for (var i = 0u; i < EACH; i++) {
        atomicAdd(&bins[pixels[(group.x * EACH + i) * LEVELS + local] & 255u], 1u);
    }
    workgroupBarrier();
    atomicAdd(&counts[local], atomicLoad(&bins[local]));
}
