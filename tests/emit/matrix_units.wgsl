// 8-bit matrices in arrays of words: offsets and strides that are no whole number of words, both forms, both orders.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;
@group(0) @binding(3) var<storage, read_write> e: array<i32>;
var<workgroup> w: array<u32, 64>;
@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32, @builtin(local_invocation_index) lane: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>>(&a, 5, false, 11);
        subgroupMatrixStore(&b, 3, m, false, 9);
        let n = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>, row_major>(&a, 2, 3);
        subgroupMatrixStore<row_major>(&c, 1, n, 2);
        let o = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>>(&a, 16, true, 16);
        subgroupMatrixStore(&e, 0, o, true, 16);
        let u = subgroupMatrixLoad<subgroup_matrix_right<u8, 8, 8>,col_major>(&a, 4, 2);
        subgroupMatrixStore(&w, 1, u, false, 13);
    }
    workgroupBarrier();
    e[64 + lane] = i32(w[lane]);
}
