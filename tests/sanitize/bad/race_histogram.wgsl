// Bins are counted without atomics.
//! run --bind 0,0=random:u32:64:1 --bind 0,1=zeros:u32:16
//! also S0304
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<u32>;

var<workgroup> local: array<u32, 16>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane < 16u) {
        local[lane] = 0u;
    }
    workgroupBarrier();
    local[a[lane] % 16u] += 1u; // <- S0301
    workgroupBarrier();
    if (lane < 16u) {
        bins[lane] = local[lane];
    }
}
