// Bins in workgroup memory, then in storage, by atomics; workgroup memory starts as zero.
//! run --bind 0,0=random:u32:1000:1 --bind 0,1=zeros:u32:64 --dispatch 4
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

var<workgroup> mine: array<atomic<u32>, 64>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    if (id.x < arrayLength(&a)) {
        atomicAdd(&mine[a[id.x] % 64u], 1u);
    }
    workgroupBarrier();
    if (tid < 64u) {
        atomicAdd(&bins[tid], atomicLoad(&mine[tid]));
    }
}
