//! subgroups 4 8 16
//! d       u32 32x4 marker
//! expect  d == values 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 77
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// Three tiles for however many subgroups there are; the others are masked out.
@group(0) @binding(0) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32, @builtin(num_subgroups) subgroups: u32) {
    for (var tile = subgroup; tile < 3; tile += subgroups) {
        subgroupMatrixStore(&d, tile * 16, subgroup_matrix_result<u32, 4, 4>(tile), false, 4);
    }
}
