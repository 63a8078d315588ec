// Rotary embedding: trigonometry, selects, a struct of scalars as uniform, functions that return vectors.
enable f16;
struct Params {
    offset_src0: u32, offset_src1: u32, offset_src2: u32, offset_dst: u32,
    stride1: u32, stride2: u32, stride3: u32,
    n_threads: u32, ne0: u32, ne1: u32, ne2: u32,
    n_dims: u32, mode: u32, theta_scale: f32, attn_factor: f32, freq_scale: f32, ext_factor: f32,
    corr_dim0: f32, corr_dim1: f32, sections0: u32, sections1: u32, sections2: u32, sections3: u32,
};
@group(0) @binding(0) var<storage, read_write> src0: array<f16>;
@group(0) @binding(1) var<storage, read_write> src1: array<i32>;
@group(0) @binding(2) var<storage, read_write> src2: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
fn freq_factor(i: u32) -> f32 { return src2[params.offset_src2 + i/2]; }
fn ramp(low: f32, high: f32, i: u32) -> f32 {
    let y = (f32(i / 2) - low) / max(0.001f, high - low);
    return 1.0f - min(1.0f, max(0.0f, y));
}
fn yarn(theta_extrap: f32, i: u32) -> vec2<f32> {
    var mscale = params.attn_factor;
    var theta = params.freq_scale * theta_extrap;
    if (params.ext_factor != 0.0f) {
        let mix_ = ramp(params.corr_dim0, params.corr_dim1, i) * params.ext_factor;
        theta = theta * (1 - mix_) + theta_extrap * mix_;
        mscale *= 1.0f + 0.1f * log(1.0f / params.freq_scale);
    }
    return vec2<f32>(cos(theta) * mscale, sin(theta) * mscale);
}
fn pair_offset(is_neox: bool, is_mrope: bool) -> u32 {
    if (is_mrope) { return params.n_dims; } else if is_neox { return params.n_dims / 2; }
    return 1u;
}
override wg_size: u32;
@compute @workgroup_size(wg_size)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x >= params.n_threads) { return; }
    let is_neox = bool(params.mode & 2);
    let is_mrope = bool(params.mode & 8);
    let is_imrope = params.mode == 40;
    let is_vision = params.mode == 24;
    var i = gid.x * 2;
    let i3 = i / (params.ne2 * params.ne1 * params.ne0);
    i = i % (params.ne2 * params.ne1 * params.ne0);
    let i2 = i / (params.ne1 * params.ne0);
    i %= params.ne1 * params.ne0;
    let i1 = i / params.ne0;
    let i0 = i % params.ne0;
    let row = params.offset_src0 + i3 * params.stride3 + i2 * params.stride2 + i1 * params.stride1;
    if (i0 >= params.n_dims && !is_vision) { return; }
    var mult: u32 = 0u;
    if (is_mrope) {
        let sect_dims = params.sections0 + params.sections1 + params.sections2 + params.sections3;
        let sector = (i0 / 2) % sect_dims;
        let sec_w = params.sections1 + params.sections0;
        if (is_imrope) {
            if (sector % 3 == 1 && sector < 3 * params.sections1) { mult = 1u; }
            else if (sector % 3 == 2 && sector < 3 * params.sections2) { mult = 2u; }
            else { mult = 3u; }
        } else if (sector >= sec_w && sector < sec_w + params.sections2) {
            mult = 2u;
        }
    }
    let theta_base = f32(src1[params.offset_src1 + i2 + params.ne2 * mult]) * pow(params.theta_scale, f32(i0/2));
    let thetas = yarn(theta_base / freq_factor(i0), i0);
    let first = row + select(i0, i0 / 2, is_neox || is_mrope || is_vision);
    let second = first + pair_offset(is_neox, is_mrope || is_vision);
    let x0 = f32(src0[first]);
    let x1 = f32(src0[second]);
    src0[first] = f16(x0 * thetas.x - x1 * thetas.y);
    src0[second] = f16(x0 * thetas.y + x1 * thetas.x);
}
