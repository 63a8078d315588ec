// All call it.
fn f() {
    workgroupBarrier();
}

@compute @workgroup_size(64)
fn main() {
    f();
}
