// Needed before, different after.
@group(0) @binding(2) var<uniform> uni: u32;
fn f(p: ptr<function, u32>, v: u32) {
    if *p == 0 {
        workgroupBarrier();
    }
    *p = v;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = uni;
    f(&x, lid);
}
