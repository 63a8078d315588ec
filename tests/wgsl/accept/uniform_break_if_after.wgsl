// Behind it they are together.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        continuing {
            break if lid == 0;
        }
    }
    workgroupBarrier();
}
