// The barrier orders workgroup memory; the data lie in storage memory.
//! run --bind 0,0=zeros:f32:64 --bind 0,1=zeros:f32:64
@group(0) @binding(0) var<storage, read_write> work: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    work[lane] = f32(lane);
    workgroupBarrier();
    c[lane] = work[63u - lane]; // <- S0302
}
