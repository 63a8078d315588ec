//! a       f32 4 values 1 2 3 4
//! d       f32 8 marker
//! expect  d == values 4 0 0 10 -777.25
//! expect  report oob 4
// Loads outside an array give zero, stores outside do nothing.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;

var<private> four = array<f32, 4>(10, 20, 30, 40);

@compute @workgroup_size(1)
fn main() {
    var i = 3u;
    d[0] = a[i];
    i = 4;
    d[1] = a[i];
    i = 0x40000000;
    d[2] = a[i];
    var j = -1i;
    d[3] = four[j] + four[j + 1];
    d[i] = 5.0;
}
