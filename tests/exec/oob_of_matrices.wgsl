//! subgroups 8 32
//! n       u32 4 values 0 1 2 4000000000
//! d       f32 4x64 marker
//! expect  d == values 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 0
//! expect  report oob 128
// Matrices of an array whose index is past its end: not stored, loaded as zero, and counted once an invocation.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);

alias Result = subgroup_matrix_result<f32, 8, 8>;

@group(0) @binding(0) var<storage, read> n: array<u32, 4>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(32)
fn main() {
    var m: array<Result, 2>;
    for (var k = 0u; k < 4; k++) {
        m[n[k]] = Result(f32(k * 2 + 3));
    }
    for (var k = 0u; k < 4; k++) {
        subgroupMatrixStore(&d, k * 64, m[n[k]], false, 8);
    }
}
