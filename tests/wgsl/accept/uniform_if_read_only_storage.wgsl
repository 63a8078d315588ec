// Read-only storage cannot change while they read it.
@group(0) @binding(1) var<storage, read> ro: array<u32>;

@compute @workgroup_size(64)
fn main() {
    if ro[0] == 0 {
        workgroupBarrier();
    }
}
