//! dispatch 1
//! d       u32 40 iota
//! w       u32 64 zeros
//! r       u32 160 zeros
//! expect  r == values 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 8 0 0 0 12 0 0 0 16 0 0 0 20 0 0 0 24 0 0 0 28 0 0 0 32 0 0 0 36 0 0 0 40 0 0 0 44 0 0 0 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 72 36 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180 360 180
// Indices so far apart that, in bytes, they meet again: only the lanes in range may see the one place.
@group(0) @binding(0) var<storage, read> d: array<u32>;
@group(0) @binding(1) var<storage, read_write> w: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> r: array<u32>;

var<workgroup> shared_words: array<vec4<u32>, 8>;

@compute @workgroup_size(40)
fn main(@builtin(local_invocation_index) lane: u32) {
    let half = lane * 2147483648u; // 0 or 2^31
    let quarter = (lane & 3u) * 1073741824u;
    var own: array<vec4<u32>, 4>;
    own[1 + quarter] = vec4(lane + 1);
    own[quarter + 2] += vec4(7u);
    r[lane] = d[5 + half];
    r[40 + lane] = own[1 + quarter].z + own[quarter + 2].x;
    if (lane > 32 && lane < 37) {
        shared_words[3 + quarter] = vec4(lane);
    }
    workgroupBarrier();
    r[80 + lane] = shared_words[3].y + shared_words[half + 3].w;
    atomicAdd(&w[9 + quarter], lane);
    storageBarrier();
    r[120 + lane] = atomicLoad(&w[9]) + atomicLoad(&w[9 + half]);
}
