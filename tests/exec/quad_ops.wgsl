//! subgroups 4 32
//! d       u32 16x4 marker
//! expect  d == values 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12 2 2 2 2 6 6 6 6 10 10 10 10 14 14 14 14
enable subgroups;

@group(0) @binding(0) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    d[i] = quadSwapX(i);
    d[i + 16] = quadSwapY(i);
    d[i + 32] = quadSwapDiagonal(i);
    d[i + 48] = quadBroadcast(i, 2);
}
