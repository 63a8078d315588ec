//! error line 11 E0800 "`workgroupBarrier` must only be called"
// The function reads what others write.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
fn f() -> u32 {
    return rw[0];
}

@compute @workgroup_size(64)
fn main() {
    if f() == 0 {
        workgroupBarrier();
    }
}
