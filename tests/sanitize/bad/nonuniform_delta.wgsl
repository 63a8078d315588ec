// The delta of a shuffle must be the same in the subgroup.
//! run --bind 0,0=iota:u32:32 --bind 0,1=zeros:u32:32
//! also S0901
diagnostic(off, subgroup_uniformity);
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    c[lane] = subgroupShuffleDown(a[lane], lane % 3u); // <- S0405
}
