//! error line 6 E0800 "`workgroupBarrier` must only be called"
// A function that nobody calls is checked as well.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
fn f() {
    if rw[0] == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main() {

}
