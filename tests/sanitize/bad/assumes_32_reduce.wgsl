// Sums of 32 by one subgroupAdd: right where subgroups have 32 invocations.
//! run --bind 0,0=iota:u32:64 --bind 0,1=zeros:u32:2
//! find S0901
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    let sum = subgroupAdd(a[lane]);
    if (lane % 32u == 0u) {
        sums[lane / 32u] = sum;
    }
}
