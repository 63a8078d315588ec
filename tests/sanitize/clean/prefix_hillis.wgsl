// A scan by doubling steps between two halves of workgroup memory.
//! run --bind 0,0=random:i32:128:1 --bind 0,1=zeros:i32:128
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> sums: array<i32>;

var<workgroup> half: array<array<i32, 128>, 2>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32) {
    var now = 0u;
    half[0][tid] = a[tid];
    workgroupBarrier();
    for (var step = 1u; step < 128u; step *= 2u) {
        var v = half[now][tid];
        if (tid >= step) {
            v += half[now][tid - step];
        }
        half[1u - now][tid] = v;
        now = 1u - now;
        workgroupBarrier();
    }
    sums[tid] = half[now][tid];
}
