enable f16;
enable subgroups;
struct Params { ne0: u32, eps: f32, alpha: f32, limit: f32, };
@group(0) @binding(0) var<storage, read_write> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
const GELU_COEF_A: f32 = 0.044715;
const SQRT_2_OVER_PI: f32 = 0.79788456080286535587989211986876;
const p_erf = 0.3275911;
const a1_erf: f32 = 0.254829592;
fn gelu(x: f32) -> f32 {
    let val = SQRT_2_OVER_PI * x * (1.0 + GELU_COEF_A * x * x);
    return 0.5 * x * (2.0 - 2.0 / (exp(2 * val) + 1));
}
fn gelu_erf(a: f32) -> f32 {
    let x = a * 0.70710678118654752440084436210484;
    let t = 1.0 / (1.0 + p_erf * abs(x));
    let y = 1.0 - (a1_erf * t * exp(-x * x));
    return 0.5 * a * (1.0 + sign(x) * y);
}
fn silu(x: f32) -> f32 { return x / (1.0 + exp(-x)); }
fn softplus(x: f32) -> f32 { return select(log(1.0 + exp(x)), x, x > 20.0); }
fn hardswish(x: f32) -> f32 { return x * min(1.0, max(0.0, (x + 3.0) / 6.0)); }
fn elu(x: f32) -> f32 { return select(exp(x) - 1.0, x, x > 0.0); }
fn swiglu_oai(a: f32, b: f32) -> f32 {
    let xi = min(a, params.limit);
    let gi = max(min(b, params.limit), -params.limit);
    var out = xi / (1.0 + exp(-xi * params.alpha));
    out *= (1.0 + gi);
    return out;
}
var<workgroup> scratch: array<f32, 64>;
@compute @workgroup_size(64)
fn rms_norm(@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let base = wid.x * params.ne0;
    var sum = 0.0f;
    for (var j = lid; j < params.ne0; j += 64) { sum += pow(src[base + j], 2.0); }
    scratch[lid] = sum;
    workgroupBarrier();
    for (var offset: u32 = 32; offset > 0; offset = offset / 2) {
        if (lid < offset) { scratch[lid] += scratch[lid + offset]; }
        workgroupBarrier();
    }
    let scale = 1.0 / sqrt(scratch[0] / f32(params.ne0) + params.eps);
    for (var j = lid; j < params.ne0; j += 64) { dst[base + j] = scale * src[base + j]; }
}
@compute @workgroup_size(64)
fn unary(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x < params.ne0) {
        let x = src[gid.x];
        let res = gelu(x) + gelu_erf(x) + silu(x) + softplus(x) + hardswish(x) + elu(x) + step(0.0, x) + trunc(x);
        dst[gid.x] = f32(f16(clamp(res, -65504.0, 65504.0)));
    }
}
@compute @workgroup_size(64)
fn glu(@builtin(global_invocation_id) gid: vec3<u32>) {
    dst[gid.x] = swiglu_oai(src[gid.x], src[gid.x + params.ne0]) + subgroupAdd(0.0);
}
