// What cannot be reached does not count.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    return;
    if lid == 0 {
        workgroupBarrier();
    }
}
