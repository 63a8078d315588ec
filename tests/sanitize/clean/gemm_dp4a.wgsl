// Packed dot products without matrix units, vectors of words.
//! run --bind 0,0=random:i8:16x64:1 --bind 0,1=random:i8:16x64:2 --bind 0,2=zeros:i32:16x16 --dispatch 2,2
@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;

var<workgroup> tile_a: array<array<vec4<u32>, 4>, 8>;
var<workgroup> tile_b: array<array<vec4<u32>, 4>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_id) l: vec3<u32>,
        @builtin(local_invocation_index) i: u32) {
    if (i < 32u) {
        tile_a[i / 4u][i % 4u] = a[(wg.y * 8u + i / 4u) * 4u + i % 4u];
        tile_b[i / 4u][i % 4u] = b[(wg.x * 8u + i / 4u) * 4u + i % 4u];
    }
    workgroupBarrier();
    var sum = 0;
    for (var k = 0u; k < 4u; k++) {
        let x = tile_a[l.y][k];
        let y = tile_b[l.x][k];
        sum += dot4I8Packed(x.x, y.x) + dot4I8Packed(x.y, y.y) + dot4I8Packed(x.z, y.z) + dot4I8Packed(x.w, y.w);
    }
    c[(wg.y * 8u + l.y) * 16u + wg.x * 8u + l.x] = sum;
}
