// The same with a uniform value.
@group(0) @binding(2) var<uniform> uni: u32;
fn f(p: ptr<function, u32>, v: u32) {
    *p = v;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    f(&x, uni);
    if x == 0 {
        workgroupBarrier();
    }
}
