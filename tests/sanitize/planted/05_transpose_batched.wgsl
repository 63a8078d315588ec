// Planted: edge store.
//! run --dispatch 3,3,2 --bind 0,0=random:f32:2x45x37:3 --bind 0,1=zeros:f32:2x37x45 --bind 0,2=values:u32:45,37
//! also S0303
//! also S0801
// out[b, j, i] = in[b, i, j], 16x16 tiles through workgroup memory, one element of padding against bank conflicts.
struct Shape {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

const TILE = 16u;
const PITCH = TILE + 1u;
const STEP = 4u;

var<workgroup> tile: array<f32, TILE * PITCH>;

@compute @workgroup_size(TILE, STEP)
fn transpose(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>) {
    let image = wg.z * shape.rows * shape.cols;
    let x = wg.x * TILE + lid.x;
    for (var j = lid.y; j < TILE; j += STEP) {
        let y = wg.y * TILE + j;
        var v = 0.0;
        if (x < shape.cols && y < shape.rows) {
            v = src[image + y * shape.cols + x];
        }
        tile[j * PITCH + lid.x] = v;
    }
    workgroupBarrier();

    let ox = wg.y * TILE + lid.x;
    for (var j = lid.y; j < TILE; j += STEP) {
        let oy = wg.x * TILE + j;
        if (oy < shape.cols) {
            dst[image + oy * shape.rows + ox] = tile[lid.x * PITCH + j]; // <- S0102
        }
    }
}
