//! error line 8 E0800 "`workgroupBarrier` must only be called"
// Others may write between two reads.
var<workgroup> wg: array<u32, 64>;

@compute @workgroup_size(64)
fn main() {
    if wg[0] == 0 {
        workgroupBarrier();
    }
}
