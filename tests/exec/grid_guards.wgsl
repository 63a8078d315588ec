//! subgroups all
//! a     f32 130 iota
//! want  f32 130 marker
//! got   f32 130 marker
//! twice f32 130 marker
//! fours u32 4 values 3 1 4 1
//! wrong u32 2 values 0 0
//! expect wrong == values 0 0
//! expect report oob 0
// A workgroup of two dimensions on a matrix of 13 columns and 10 rows: rows of lanes side by side, of which some are outside in
// x, in y or in both; loops behind the guard that lanes leave or pass on at different times; what a lane that has left holds.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> want: array<f32>;
@group(0) @binding(2) var<storage, read_write> got: array<f32>;
@group(0) @binding(3) var<storage, read_write> twice: array<f32>;
@group(0) @binding(4) var<storage, read> fours: array<u32>;
@group(0) @binding(5) var<storage, read_write> wrong: array<atomic<u32>, 2>;

const W = 13u;
const H = 10u;

fn above(x: u32, y: u32) -> f32 {
    if (y == 0u) {
        return 1.0;
    }
    return a[(y - 1u) * W + x];
}

fn cell(x: u32, y: u32) -> f32 {
    var sum = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let part = a[y * W + x] * f32(fours[k]);
        if ((x + y + k) % 3u == 0u) {
            continue;
        }
        sum += part;
        if (k == 2u && x % 5u == 4u) {
            break;
        }
        sum += 1.0;
    }
    if (x > 0u && x < W - 1u) {
        sum += a[y * W + x - 1u] - a[y * W + x + 1u];
    }
    return sum + above(x, y);
}

fn store(id: vec3<u32>) {
    if (id.x >= W || id.y >= H) {
        return;
    }
    let value = cell(id.x, id.y);
    got[id.y * W + id.x] = value;
}

@compute @workgroup_size(16, 12)
fn main(@builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (lane == 191u) { // by one lane alone
        for (var y = 0u; y < H; y++) {
            for (var x = 0u; x < W; x++) {
                want[y * W + x] = cell(x, y);
            }
        }
    }
    store(id);
    if (id.x < W && id.y < H) {
        twice[id.y * W + id.x] = cell(id.x, id.y);
    }
    storageBarrier();
    if (lane < W * H) {
        atomicAdd(&wrong[0], select(0u, 1u, got[lane] != want[lane]));
        atomicAdd(&wrong[1], select(0u, 1u, twice[lane] != want[lane]));
    }
}
