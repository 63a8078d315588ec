//! a       f32 8 values 1.9 -1.9 3e9 -3e9 5e9 nan inf -inf
//! i       i32 8 marker
//! u       u32 8 marker
//! expect  i == values 1 -1 2147483520 -2147483648 2147483520 0 2147483520 -2147483648
//! expect  u == values 1 0 3000000000 0 4294967040 0 4294967040 0
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> i: array<i32>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) at: u32) {
    i[at] = i32(a[at]);
    u[at] = u32(a[at]);
}
