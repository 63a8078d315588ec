// Softmax over rows: a cache in private memory, two reductions in workgroup memory, a pow of a power of two.
struct Params { offset: u32, ne0: u32, ne1: u32, ne2: u32, scale: f32, max_bias: f32, n_head_log2: f32, m0: f32, m1: f32, };
@group(0) @binding(0) var<storage, read_write> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> mask: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
const CACHE_SIZE: u32 = 16;
override wg_size: u32 = 128;
var<workgroup> scratch: array<f32, wg_size>;
fn inter_value(i: u32, slope: f32, row: u32) -> f32 { return src[row + i] * params.scale + slope * mask[i]; }
@compute @workgroup_size(wg_size)
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>) {
    let row = params.offset + (wid.x + wid.y * params.ne1) * params.ne0;
    let elems = (params.ne0 + wg_size - 1) / wg_size;
    let head = f32(wid.y);
    let slope = select(1, select(pow(params.m1, 2 * (head - params.n_head_log2) + 1), pow(params.m0, head + 1), head < params.n_head_log2), params.max_bias > 0);
    var cache: array<f32, CACHE_SIZE>;
    var max_val = -1e30;
    var col = lid.x;
    for (var j: u32 = 0; j < elems; j++) {
        if (col >= params.ne0) { break; }
        let v = inter_value(col, slope, row);
        if (col < CACHE_SIZE) { cache[col] = v; }
        max_val = max(max_val, v);
        col += wg_size;
    }
    scratch[lid.x] = max_val;
    workgroupBarrier();
    var offset = wg_size / 2;
    while (offset > 0) {
        if (lid.x < offset) { scratch[lid.x] = max(scratch[lid.x], scratch[lid.x + offset]); }
        offset = offset / 2;
        workgroupBarrier();
    }
    let row_max = scratch[0];
    workgroupBarrier();
    var sum = 0.0f;
    col = lid.x;
    for (var j: u32 = 0; j < elems; j++) {
        if (col >= params.ne0) { break; }
        let v = select(inter_value(col, slope, row), cache[col % CACHE_SIZE], col < CACHE_SIZE);
        let ex = exp(v - row_max);
        sum += ex;
        if (col < CACHE_SIZE) { cache[col] = ex; } else { src[row + col] = ex; }
        col += wg_size;
    }
    scratch[lid.x] = sum;
    workgroupBarrier();
    offset = wg_size / 2;
    while (offset > 0) {
        if (lid.x < offset) { scratch[lid.x] += scratch[lid.x + offset]; }
        offset /= 2;
        workgroupBarrier();
    }
    let recip = 1.0 / scratch[0];
    col = lid.x;
    for (var j: u32 = 0; j < elems; j++) {
        if (col >= params.ne0) { break; }
        src[row + col] = select(src[row + col], cache[col % CACHE_SIZE], col < CACHE_SIZE) * recip;
        col += wg_size;
    }
}
