// A loop that only breaks runs once: nothing comes back.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        workgroupBarrier();
        if lid == 0 {
            break;
        }
        break;
    }
}
