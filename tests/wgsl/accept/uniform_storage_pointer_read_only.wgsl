// Read-only memory behind a pointer.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
fn f(p: ptr<storage, array<u32>, read>) {
    if (*p)[0] == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main() {
    f(&ro);
}
