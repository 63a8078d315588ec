//! a       i32 6 values 1 -8 2147483647 -2147483648 3 5
//! s       u32 6 values 31 1 32 33 30 4
//! l       i32 6 marker
//! r       i32 6 marker
//! m       i32 6 marker
//! expect  l == values -2147483648 -16 2147483647 0 -1073741824 80
//! expect  r == values 0 -4 2147483647 -1073741824 0 0
//! expect  m == values 3 -24 2147483645 -2147483648 9 15
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> s: array<u32>;
@group(0) @binding(2) var<storage, read_write> l: array<i32>;
@group(0) @binding(3) var<storage, read_write> r: array<i32>;
@group(0) @binding(4) var<storage, read_write> m: array<i32>;

@compute @workgroup_size(6)
fn main(@builtin(local_invocation_index) i: u32) {
    l[i] = a[i] << s[i];
    r[i] = a[i] >> s[i];
    m[i] = a[i] * 3;
}
