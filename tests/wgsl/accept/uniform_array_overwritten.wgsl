// Writing the whole does not.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    a[1] = lid;
    a = array<u32, 4>();
    if a[1] == 0 {
        workgroupBarrier();
    }
}
