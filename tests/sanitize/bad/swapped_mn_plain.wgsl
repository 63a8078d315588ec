// Row and column are taken from the wrong half of the index: inside everywhere, and wrong. Only a comparison shows it.
//! run --bind 0,0=iota:u32:12 --bind 0,1=zeros:u32:12 --expect 0,1=values:u32:0,4,8,1,5,9,2,6,10,3,7,11
//! find S1001
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> transposed: array<u32>;

const M = 3u;
const N = 4u;

@compute @workgroup_size(12)
fn main(@builtin(local_invocation_index) i: u32) {
    transposed[i % M * N + i / M] = a[i];
}
