// Neighbouring f16 elements, and bytes of a word, belong to different invocations and subgroups: no race.
//! run --bind 0,0=random:f16:128:1 --bind 0,1=zeros:f16:128 --bind 0,2=random:u8:256:2 --bind 0,3=zeros:u8:256
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;
@group(0) @binding(2) var<storage, read> x: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32) {
    c[lane] = a[127u - lane];
    for (var t = sg; t < 4u; t += sgs) {
        let tile = subgroupMatrixLoad<subgroup_matrix_left<u8, 8, 8>>(&x, t * 64u, false, 8u);
        subgroupMatrixStore(&y, t * 64u, tile, false, 8u);
    }
}
