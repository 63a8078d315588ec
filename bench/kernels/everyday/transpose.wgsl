// y = x transposed, 1024 x 1024, through tiles of 32 x 32 in workgroup memory; 32 x 32 workgroups.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

const N = 1024u;
const TILE = 32u;
const ROWS = 8u;
var<workgroup> tile: array<array<f32, TILE + 1u>, TILE>;

@compute @workgroup_size(TILE, ROWS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    for (var j = 0u; j < TILE; j += ROWS) {
        tile[local.y + j][local.x] = x[(group.y * TILE + local.y + j) * N + group.x * TILE + local.x];
    }
    workgroupBarrier();
    for (var j = 0u; j < TILE; j += ROWS) {
        y[(group.x * TILE + local.y + j) * N + group.y * TILE + local.x] = tile[local.x][local.y + j];
    }
}
