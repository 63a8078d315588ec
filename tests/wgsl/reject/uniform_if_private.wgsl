//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Private variables of the module are not followed.
var<private> prv: u32;

@compute @workgroup_size(64)
fn main() {
    prv = 1;
    if prv == 1 {
        workgroupBarrier();
    }
}
