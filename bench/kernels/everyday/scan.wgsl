// y[i] = the sum of x up to i within its block of 256, doubling steps; 2^20 words, 4096 workgroups.
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

const SIZE = 256u;
var<workgroup> sums: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var sum = x[id.x];
    sums[local] = sum;
    workgroupBarrier();
    for (var s = 1u; s < SIZE; s <<= 1u) {
        if (local >= s) {
            sum += sums[local - s];
        }
        workgroupBarrier();
        sums[local] = sum;
        workgroupBarrier();
    }
    y[id.x] = sum;
}
