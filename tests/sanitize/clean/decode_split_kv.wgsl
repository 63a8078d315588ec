//! run --dispatch 1,3 --bind 0,0=random:f32:3x40:1 --bind 0,1=random:f16:3x64x40:2 --bind 0,2=random:f16:3x64x40:3 --bind 0,3=zeros:f32:3x40 --bind 0,4=struct:u32=61,u32=64,f32=0.1581139 --set SINK=true
// One query against a key/value cache (decode): each subgroup walks over its own keys with a running maximum and sum, its
// lanes hold the dimensions; in the end the subgroups' results meet in workgroup memory.
//   q [heads, 40]   k, v [heads, capacity, 40] f16, of which n_kv are filled   o [heads, 40]
enable f16;
enable subgroups;

struct Params {
    n_kv: u32,
    capacity: u32,
    scale: f32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f16>;
@group(0) @binding(2) var<storage, read> v: array<f16>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

override SINK: bool = false; // a score of zero with a value of zero takes part

const WG = 128u;
const D = 40u;
const MIN_SIZE = 4u;
const MAX_SUBGROUPS = WG / MIN_SIZE;
const HELD = D / MIN_SIZE; // dimensions that a lane holds at most
const LOWEST = -3.0e38;

var<workgroup> most: array<f32, MAX_SUBGROUPS>;
var<workgroup> sums: array<f32, MAX_SUBGROUPS>;
var<workgroup> outs: array<f32, MAX_SUBGROUPS * D>;

@compute @workgroup_size(WG)
fn decode(@builtin(workgroup_id) wg: vec3<u32>,
          @builtin(local_invocation_index) tid: u32,
          @builtin(subgroup_id) sg: u32,
          @builtin(num_subgroups) sgs: u32,
          @builtin(subgroup_invocation_id) lane: u32,
          @builtin(subgroup_size) size: u32) {
    let head = wg.y;
    var mine: array<f32, HELD>;
    var query: array<f32, HELD>;
    for (var i = 0u; lane + i * size < D; i++) {
        query[i] = q[head * D + lane + i * size] * params.scale;
    }
    var m = LOWEST;
    var l = 0.0;
    if (SINK && sg == 0u) {
        m = 0.0;
        l = 1.0;
    }
    for (var j = sg; j < params.n_kv; j += sgs) {
        let base = (head * params.capacity + j) * D;
        var dot = 0.0;
        for (var i = 0u; lane + i * size < D; i++) {
            dot += query[i] * f32(k[base + lane + i * size]);
        }
        dot = subgroupAdd(dot);
        let now = max(m, dot);
        let shrink = exp(m - now);
        let p = exp(dot - now);
        l = l * shrink + p;
        m = now;
        for (var i = 0u; lane + i * size < D; i++) {
            mine[i] = mine[i] * shrink + p * f32(v[base + lane + i * size]);
        }
    }
    if (subgroupElect()) {
        most[sg] = m;
        sums[sg] = l;
    }
    for (var i = 0u; lane + i * size < D; i++) {
        outs[sg * D + lane + i * size] = mine[i];
    }
    workgroupBarrier();

    for (var d = tid; d < D; d += WG) {
        var all = LOWEST;
        for (var i = 0u; i < sgs; i++) {
            all = max(all, most[i]);
        }
        var sum = 0.0;
        var value = 0.0;
        for (var i = 0u; i < sgs; i++) {
            let part = exp(most[i] - all);
            sum += part * sums[i];
            value += part * outs[i * D + d];
        }
        o[head * D + d] = value / sum;
    }
}
