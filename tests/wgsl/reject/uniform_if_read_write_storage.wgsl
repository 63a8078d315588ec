//! error line 8 E0800 "`storageBarrier` must only be called"
// Others may write between two reads.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main() {
    if rw[0] == 0 {
        storageBarrier();
    }
}
