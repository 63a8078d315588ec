//! run --dispatch 3,3,2 --bind 0,0=random:u8:2x44x48:1 --bind 0,1=values:u32:44,12
// Square matrices of u8 transposed in place: a workgroup above the diagonal swaps its tile of 16x16 with the one across,
// one on the diagonal transposes its own, one below returns. `pitch` is a row in words, with padding that is not touched.
// size is a multiple of 4.
struct Params {
    size: u32,
    pitch: u32,
}

@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

const TILE = 16u;
const WORDS = TILE / 4u;
const PITCH = WORDS + 1u;

var<workgroup> upper: array<u32, TILE * PITCH>;
var<workgroup> lower: array<u32, TILE * PITCH>;

fn address(image: u32, row: u32, word: u32) -> u32 {
    return (image * params.size + row) * params.pitch + word;
}

fn inside(row: u32, word: u32) -> bool {
    return row < params.size && word * 4u < params.size;
}

// Word `w` of row `r` of the transposed tile.
fn turned(tile: ptr<workgroup, array<u32, TILE * PITCH>>, r: u32, w: u32) -> u32 {
    var bytes = 0u;
    for (var i = 0u; i < 4u; i++) {
        let word = tile[(w * 4u + i) * PITCH + r / 4u];
        bytes = insertBits(bytes, extractBits(word, r % 4u * 8u, 8u), i * 8u, 8u);
    }
    return bytes;
}

@compute @workgroup_size(WORDS, TILE)
fn transpose(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>) {
    if (wg.x < wg.y) {
        return;
    }
    let r = lid.y;
    let w = lid.x;
    let upper_row = wg.y * TILE + r;
    let upper_word = wg.x * WORDS + w;
    let lower_row = wg.x * TILE + r;
    let lower_word = wg.y * WORDS + w;

    upper[r * PITCH + w] = 0u;
    if (inside(upper_row, upper_word)) {
        upper[r * PITCH + w] = x[address(wg.z, upper_row, upper_word)];
    }
    lower[r * PITCH + w] = 0u;
    if (wg.x != wg.y && inside(lower_row, lower_word)) {
        lower[r * PITCH + w] = x[address(wg.z, lower_row, lower_word)];
    }
    storageBarrier(); // x is written below where others read it above
    workgroupBarrier();
    if (inside(lower_row, lower_word)) {
        x[address(wg.z, lower_row, lower_word)] = turned(&upper, r, w);
    }
    if (wg.x != wg.y && inside(upper_row, upper_word)) {
        x[address(wg.z, upper_row, upper_word)] = turned(&lower, r, w);
    }
}
