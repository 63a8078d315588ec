// The column is bounded by the number of rows: columns from M on are never made. Inside, no race; a comparison shows it,
// and trying other sizes finds the place.
//! run --bind 0,0=iota:f32:3x5 --bind 0,1=zeros:f32:3x5 --bind 0,2=values:u32:3,5 --dispatch 1 --expect 0,1=values:f32:0,2,4,6,8,10,12,14,16,18,20,22,24,26,28
//! find S1001
struct Sizes { m: u32, n: u32 }

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>; // <- S1101
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    let columns = sizes.m; // <- S1003
    if (row < sizes.m && col < columns) {
        c[row * sizes.n + col] = 2.0 * a[row * sizes.n + col];
    }
}
