// Where the branches of an if meet, control flow is uniform again.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if lid == 0 {
        x = 1;
    }
    workgroupBarrier();
    rw[lid] = x;
}
