// Handing on a pointer to read-only memory changes nothing there.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
fn g(p: ptr<storage, array<u32>, read>) -> u32 {
    return (*p)[1];
}
fn f(p: ptr<storage, array<u32>, read>, n: u32) {
    if n == 0 {
        _ = g(p);
    }
    if (*p)[0] == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(&ro, lid);
}
