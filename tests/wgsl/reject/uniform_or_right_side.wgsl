//! error line 5 E0800 "`workgroupBarrier` must only be called"
// The same with `||`, deeper in an expression.
@group(0) @binding(2) var<uniform> uni: u32;
fn f() -> bool {
    workgroupBarrier();
    return true;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    let b = !(uni == 3 || (lid == 0 || f()));
}
