// Through a padded block of workgroup memory, with edges.
//! run --bind 0,0=random:f32:20x37:1 --bind 0,1=zeros:f32:37x20 --dispatch 3,2
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

const ROWS = 20u;
const COLS = 37u;
const T = 16u;
var<workgroup> block: array<array<f32, 17>, 16>;

@compute @workgroup_size(16, 4)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_id) l: vec3<u32>) {
    for (var i = l.y; i < T; i += 4u) {
        let row = wg.y * T + i;
        let col = wg.x * T + l.x;
        if (row < ROWS && col < COLS) {
            block[i][l.x] = a[row * COLS + col];
        }
    }
    workgroupBarrier();
    for (var i = l.y; i < T; i += 4u) {
        let row = wg.x * T + i;
        let col = wg.y * T + l.x;
        if (row < COLS && col < ROWS) {
            c[row * ROWS + col] = block[l.x][i];
        }
    }
}
