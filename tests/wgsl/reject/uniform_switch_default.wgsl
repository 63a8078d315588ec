//! error line 9 E0800 "`workgroupBarrier` must only be called"
// The default is under the selector as well.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main() {
    switch rw[0] {
        default: {
            workgroupBarrier();
        }
    }
}
