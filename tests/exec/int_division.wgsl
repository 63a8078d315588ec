//! a       i32 8 values 7 -7 7 -7 5 -2147483648 -2147483648 0
//! b       i32 8 values 2 2 -2 -2 0 -1 0 0
//! q       i32 8 marker
//! r       i32 8 marker
//! u       u32 8 marker
//! expect  q == values 3 -3 -3 3 5 -2147483648 -2147483648 0
//! expect  r == values 1 -1 1 -1 0 0 0 0
//! expect  u == values 3 4294967289 0 0 5 0 2147483648 0
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> q: array<i32>;
@group(0) @binding(3) var<storage, read_write> r: array<i32>;
@group(0) @binding(4) var<storage, read_write> u: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    if (i == 1) {
        u[i] = u32(a[i]) / u32(b[i] - 1);
    } else {
        u[i] = u32(a[i]) / u32(b[i]);
    }
}
