//! subgroups 8 16
//! a       i8 64 iota -32
//! b       i8 40 marker
//! c       i8 48 marker
//! expect  b == values 77 77 77 -27 -26 -25 -24 77 77 -20 -19 -18 -17 77 77 -13 -12 -11 -10 77 77 -6 -5 -4 -3 77
//! expect  c == values 77 77 77 77 -24 -23 -22 -21 -20 -19 -18 -17 -12 -11 -10 -9 -8 -7 -6 -5 0 1 2 3 4 5 6 7 12 13 14 15 16 17 18 19 77
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// With the majorness as an argument, offset and stride count components (bytes); as a template argument, elements of the
// array (words of four).
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<i8, 4, 4>>(&a, 5, false, 7);
        subgroupMatrixStore(&b, 3, m, false, 6);
        let n = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 4>, row_major>(&a, 2, 3);
        subgroupMatrixStore<row_major>(&c, 1, n, 2);
    }
}
