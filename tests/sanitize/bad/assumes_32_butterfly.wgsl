// Masks up to 16 in a subgroup of 8.
//! run --bind 0,0=iota:u32:32 --bind 0,1=zeros:u32:32 --subgroup-size 8
//! also S0901
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    var sum = a[lane];
    for (var mask = 16u; mask > 0u; mask /= 2u) {
        sum += subgroupShuffleXor(sum, mask); // <- S0406
    }
    sums[lane] = sum;
}
