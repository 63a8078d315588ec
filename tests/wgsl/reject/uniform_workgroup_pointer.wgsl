//! error line 6 E0800 "`workgroupBarrier` must only be called"
// Memory behind a pointer is as shared as without.
var<workgroup> wg: array<u32, 64>;
fn f(p: ptr<workgroup, array<u32, 64>>) {
    if (*p)[0] == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main() {
    f(&wg);
}
