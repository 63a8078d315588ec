// The call stands left of what differs.
fn f() -> bool {
    workgroupBarrier();
    return true;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    let b = f() && lid == 0;
}
