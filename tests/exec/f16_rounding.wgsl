//! a       f16 4 values 2048 1 65504 0.0001
//! b       f16 4 values 1 0.0004883 32 0.0001
//! s       f16 4 marker
//! p       f16 4 marker
//! expect  s == values 2048 1 inf 0.0002
//! expect  p == values 2048 0.0004883 inf 0
enable f16;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> s: array<f16>;
@group(0) @binding(3) var<storage, read_write> p: array<f16>;

// Every operation rounds to f16, ties to even.
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    s[i] = a[i] + b[i];
    p[i] = a[i] * b[i];
}
