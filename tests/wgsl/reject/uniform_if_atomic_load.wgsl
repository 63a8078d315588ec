//! error line 8 E0800 "`workgroupBarrier` must only be called"
// The value may change between two loads.
@group(0) @binding(3) var<storage, read_write> at: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
    if atomicLoad(&at) == 0 {
        workgroupBarrier();
    }
}
