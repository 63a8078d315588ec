//! error line 8 E0800 "`workgroupUniformLoad` must only be called"
// It is a barrier.
var<workgroup> wg: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        _ = workgroupUniformLoad(&wg[0]);
    }
}
