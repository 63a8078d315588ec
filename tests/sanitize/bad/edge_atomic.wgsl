// Values reach 63, the histogram has 32 bins.
//! run --bind 0,0=iota:u32:64 --bind 0,1=zeros:u32:32
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    atomicAdd(&bins[a[id.x]], 1u); // <- S0103
}
