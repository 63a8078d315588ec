//! error line 16 E0800 "`workgroupBarrier` must only be called"
// One way through the callee does not overwrite.
@group(0) @binding(2) var<uniform> uni: u32;
fn f(p: ptr<function, u32>) {
    if uni == 0 {
        return;
    }
    *p = 0;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    f(&x);
    if x == 0 {
        workgroupBarrier();
    }
}
