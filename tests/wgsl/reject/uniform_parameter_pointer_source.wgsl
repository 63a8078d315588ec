//! error line 13 E0800 "`workgroupBarrier` must only be called"
// The callee makes it differ.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
fn f(p: ptr<function, u32>) {
    *p = rw[0];
}

@compute @workgroup_size(64)
fn main() {
    var x = 0u;
    f(&x);
    if x == 0 {
        workgroupBarrier();
    }
}
