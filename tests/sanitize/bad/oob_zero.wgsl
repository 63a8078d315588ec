// Components outside load zero, elements too.
//! run --bind 0,0=iota:f32:8x8 --bind 0,1=random:f32:65:1 --expect 0,1=values:f32:32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --sanitize=bounds
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 32u, false, 8u); // <- S0104
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
    if (lane == 0u) {
        c[arrayLength(&c) - 1u] = a[1000u + lane]; // <- S0101
    }
}
