// A return in the callee ends the callee only.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
fn f(n: u32) {
    if n == 0 {
        return;
    }
    rw[0] = n;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(lid);
    workgroupBarrier();
}
