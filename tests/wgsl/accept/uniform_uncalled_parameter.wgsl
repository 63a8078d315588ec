// Its parameters would be the caller's business.
fn f(n: u32) {
    if n == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main() {

}
