//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Barriers cannot be switched off.
diagnostic(off, derivative_uniformity);
diagnostic(off, subgroup_uniformity);

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        workgroupBarrier();
    }
}
