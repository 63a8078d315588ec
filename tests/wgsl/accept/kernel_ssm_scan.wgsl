enable subgroups;
struct Params { d_state: u32, d_inner: u32, n_head: u32, n_group: u32, n_tokens: u32, stride_x: u32, stride_b: u32, };
@group(0) @binding(0) var<storage, read_write> s_in: array<f32>;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> dt: array<f32>;
@group(0) @binding(3) var<storage, read_write> A: array<f32>;
@group(0) @binding(4) var<storage, read_write> B: array<f32>;
@group(0) @binding(5) var<storage, read_write> ids: array<i32>;
@group(0) @binding(6) var<storage, read_write> dst: array<f32>;
@group(0) @binding(7) var<uniform> params: Params;
const WG_SIZE = 128u;
const TOKENS = 16u;
var<workgroup> shared_x_dt: array<f32, TOKENS>;
var<workgroup> shared_dtsp: array<f32, TOKENS>;
var<workgroup> shared_reduce: array<f32, TOKENS * WG_SIZE>;
fn reduce_base(token: u32) -> u32 {
    return token * WG_SIZE;
}
@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(local_invocation_id) local_id: vec3<u32>,
    @builtin(workgroup_id) wg_id: vec3<u32>,
    @builtin(num_workgroups) num_wg: vec3<u32>
  , @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(num_subgroups) num_subgroups: u32
) {
    let tid = local_id.x;
    let linear = wg_id.y * num_wg.x + wg_id.x;
    let i1 = linear % params.d_inner;
    let ir = linear / params.d_inner % params.n_head;
    let g = ir / (params.n_head / params.n_group);
    let slot = u32(ids[linear / params.d_inner / params.n_head]);
    var s_prev = s_in[tid + i1 * params.d_state + slot];
    let A0 = A[ir];
    for (var token_base = 0u; token_base < params.n_tokens; token_base += TOKENS) {
        if (tid < TOKENS && token_base + tid < params.n_tokens) {
            let dt0 = dt[ir + (token_base + tid) * params.n_head];
            let dtsp = select(log(1.0 + exp(dt0)), dt0, dt0 > 20.0);
            shared_dtsp[tid] = dtsp;
            shared_x_dt[tid] = x[i1 + (token_base + tid) * params.stride_x] * dtsp;
        }
        workgroupBarrier();
        for (var t = 0u; t < TOKENS; t++) {
            let token = token_base + t;
            if (token >= params.n_tokens) {
                break;
            }
            let s = s_prev * exp(shared_dtsp[t] * A0) + B[tid + g + token * params.stride_b] * shared_x_dt[t];
            s_prev = s;
            let partial = subgroupAdd(s * B[tid + token]);
            if (lane == 0u) {
                shared_reduce[reduce_base(t) + subgroup_id] = partial;
            }
            workgroupBarrier();
            if (tid == 0u) {
                var sum = 0.0;
                for (var sg = 0u; sg < num_subgroups; sg++) {
                    sum += shared_reduce[reduce_base(t) + sg];
                }
                dst[i1 + token * (params.n_head * params.d_inner)] = sum;
            }
            workgroupBarrier();
        }
    }
    dst[tid + i1 * params.d_state] = s_prev;
}
