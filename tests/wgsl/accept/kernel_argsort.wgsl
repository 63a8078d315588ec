// A bitonic sort in workgroup memory whose size an override decides.
struct Params { offset_src: u32, offset_dst: u32, ncols: u32, ncols_padded: u32, };
@group(0) @binding(0) var<storage, read_write> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;
override WG_SIZE: u32 = 256u;
override ascending: bool = true;
var<workgroup> order: array<u32, WG_SIZE>;
fn key(i: u32) -> f32 {
    return select(select(-3.0e38, 3.0e38, ascending), src[params.offset_src + i], i < params.ncols);
}
fn after(a: f32, b: f32) -> bool {
    if ascending { return a > b; }
    return a < b;
}
@compute @workgroup_size(WG_SIZE)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(workgroup_id) wid: vec3<u32>) {
    let i = lid.x;
    order[i] = wid.x * WG_SIZE + i;
    workgroupBarrier();
    for (var k = 2u; k <= WG_SIZE; k <<= 1u) {
        for (var j = k >> 1u; j > 0u; j >>= 1u) {
            let other = i ^ j;
            if (other > i && other < WG_SIZE) {
                let a = order[i];
                let b = order[other];
                let up = (i & k) == 0u;
                if (after(key(a), key(b)) == up) {
                    order[i] = b;
                    order[other] = a;
                }
            }
            workgroupBarrier();
        }
    }
    if (i < params.ncols) { dst[params.offset_dst + i] = i32(order[i]); }
}
