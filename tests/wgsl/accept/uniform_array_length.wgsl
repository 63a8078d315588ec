// The length of a buffer is one number, whatever is in it.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main() {
    if arrayLength(&rw) > 4 {
        workgroupBarrier();
    }
}
