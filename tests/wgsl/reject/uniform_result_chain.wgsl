//! error line 16 E0800 "`workgroupBarrier` must only be called"
// Two functions down.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
fn inner() -> u32 {
    return rw[0];
}
fn outer() -> u32 {
    let y = inner();
    return y * 2;
}

@compute @workgroup_size(64)
fn main() {
    let x = outer();
    if x == 0 {
        workgroupBarrier();
    }
}
