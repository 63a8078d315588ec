// Elements are appended in the order in which workgroups come.
//! run --bind 0,0=iota:u32:64 --bind 0,1=zeros:u32:64 --bind 0,2=zeros:u32:1 --dispatch 4
//! find S0801
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> kept: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (a[id.x] % 3u == 0u) {
        kept[atomicAdd(&count, 1u)] = a[id.x];
    }
}
