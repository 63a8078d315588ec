// c = a * b, each 512 x 512, through tiles of 16 x 16 in workgroup memory; 32 x 32 workgroups.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const N = 512u;
const TILE = 16u;
var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    var sum = 0.0;
    for (var t = 0u; t < N / TILE; t++) {
        tile_a[local.y][local.x] = a[id.y * N + t * TILE + local.x];
        tile_b[local.y][local.x] = b[(t * TILE + local.y) * N + id.x];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) {
            sum += tile_a[local.y][k] * tile_b[k][local.x];
        }
        workgroupBarrier();
    }
    c[id.y * N + id.x] = sum;
}
