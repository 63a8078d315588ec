// Nothing depends on this one.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
@group(0) @binding(2) var<uniform> uni: u32;
fn f(m: u32, n: u32) {
    if n == 0 {
        workgroupBarrier();
    }
    rw[m] = n;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(lid, uni);
}
