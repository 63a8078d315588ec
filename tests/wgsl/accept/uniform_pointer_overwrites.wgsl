// And overwrites it whole.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    let p = &x;
    *p = 0;
    if x == 0 {
        workgroupBarrier();
    }
}
