//! error line 8 E0800 "`workgroupBarrier` must only be called"
// The condition reads what others write.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main() {
    while rw[0] != 0 {
        workgroupBarrier();
    }
}
