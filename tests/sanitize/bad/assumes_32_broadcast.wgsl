// The last of 32 invocations is asked; subgroups here have 16.
//! run --bind 0,0=iota:u32:32 --bind 0,1=zeros:u32:32 --subgroup-size 16
//! also S0901
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> last: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    last[lane] = subgroupBroadcast(a[lane], 31u); // <- S0406
}
