// 64 numbers in place in storage memory, ordered by storageBarrier.
//! run --bind 0,0=random:i32:64:1
@group(0) @binding(0) var<storage, read_write> a: array<i32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) tid: u32) {
    for (var size = 2u; size <= 64u; size *= 2u) {
        for (var step = size / 2u; step > 0u; step /= 2u) {
            let i = tid / step * step * 2u + tid % step;
            let j = i + step;
            let up = (i & size) == 0u;
            let x = a[i];
            let y = a[j];
            if ((x > y) == up) {
                a[i] = y;
                a[j] = x;
            }
            storageBarrier();
        }
    }
}
