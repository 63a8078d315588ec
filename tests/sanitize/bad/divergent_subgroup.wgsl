// Invocations past the end have left: the others add up among themselves.
//! run --bind 0,0=iota:u32:50 --bind 0,1=zeros:u32:64
//! also S0901
diagnostic(off, subgroup_uniformity);
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane >= arrayLength(&a)) {
        return;
    }
    sums[lane] = subgroupAdd(a[lane]); // <- S0402
}
