//! error line 8 E0800 "`workgroupBarrier` must only be called"
// Each gets another old value.
@group(0) @binding(3) var<storage, read_write> at: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
    if atomicAdd(&at, 1) == 0 {
        workgroupBarrier();
    }
}
