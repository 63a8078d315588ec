//! run --dispatch 3 --bind 0,0=random:u8:45x48:1 --bind 0,1=random:f16:45x3:2 --bind 0,2=random:f32:96:3 --bind 0,3=zeros:f32:45 --bind 0,4=values:u32:45,96
// y = W x with 4-bit weights in blocks of 32 (a scale in f16, 16 bytes of nibbles: byte j holds elements j and j + 16, with
// 8 to be taken off) and x quantised to i8 on the spot, one scale a block of 32.
//   quants [n, k / 32] blocks of four words   scales [n, k / 32]   x [k], k up to 2048
// Each workgroup quantises all of x, then its subgroups take rows in turn: right for every subgroup size.
enable f16;
enable subgroups;

struct Params {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> quants: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> scales: array<f16>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

const WG = 128u;
const ROWS = 16u;
const MAX_BLOCKS = 64u;

struct Block {
    scale: f32,
    sum: i32,             // of the i8 values
    words: array<u32, 8>, // 32 values
}

var<workgroup> xq: array<Block, MAX_BLOCKS>;

fn quantise(block: u32) {
    var amax = 0.0;
    for (var i = 0u; i < 32u; i++) {
        amax = max(amax, abs(x[block * 32u + i]));
    }
    let scale = amax / 127.0;
    let inverse = select(1.0 / scale, 0.0, scale == 0.0);
    var sum = 0;
    for (var w = 0u; w < 8u; w++) {
        let at = block * 32u + w * 4u;
        let v = vec4<i32>(round(vec4<f32>(x[at], x[at + 1u], x[at + 2u], x[at + 3u]) * inverse));
        let word = pack4xI8(v);
        xq[block].words[w] = word;
        sum += v.x + v.y + v.z + v.w;
    }
    xq[block].scale = scale;
    xq[block].sum = sum;
}

fn block_dot(q: vec4<u32>, block: u32) -> i32 {
    var dot = 0;
    for (var w = 0u; w < 4u; w++) {
        dot += dot4I8Packed(q[w] & 0x0f0f0f0fu, xq[block].words[w]);
        dot += dot4I8Packed((q[w] >> 4u) & 0x0f0f0f0fu, xq[block].words[w + 4u]);
    }
    return dot - 8 * xq[block].sum;
}

@compute @workgroup_size(WG)
fn mul_mat_vec(@builtin(workgroup_id) wg: vec3<u32>,
               @builtin(local_invocation_index) tid: u32,
               @builtin(subgroup_id) sg: u32,
               @builtin(num_subgroups) sgs: u32,
               @builtin(subgroup_invocation_id) lane: u32,
               @builtin(subgroup_size) size: u32) {
    let blocks = params.k / 32u;
    for (var i = tid; i < blocks; i += WG) {
        quantise(i);
    }
    workgroupBarrier();
    for (var i = sg; i < ROWS; i += sgs) {
        let row = wg.x * ROWS + i;
        if (row >= params.n) {
            break; // the whole subgroup
        }
        var sum = 0.0;
        for (var block = lane; block < blocks; block += size) {
            let at = row * blocks + block;
            sum += f32(scales[at]) * xq[block].scale * f32(block_dot(quants[at], block));
        }
        sum = subgroupAdd(sum);
        if (subgroupElect()) {
            y[row] = sum;
        }
    }
}
