enable f16;
struct Params { ne: u32, offset_src: u32, offset_dst: u32, stride_src: vec4<u32>, stride_dst: vec4<u32>, shape: vec4<u32>, };
@group(0) @binding(0) var<storage, read_write> src: array<f32>;
@group(0) @binding(1) var<storage, read_write> dst: array<f16>;
@group(0) @binding(2) var<uniform> params: Params;
override wg_size: u32;
fn split(i: u32) -> vec4<u32> {
    var rest = i;
    var at = vec4<u32>();
    for (var d = 0u; d < 4u; d++) {
        at[d] = rest % params.shape[d];
        rest /= params.shape[d];
    }
    return at;
}
@compute @workgroup_size(wg_size)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x >= params.ne) { return; }
    let at = split(gid.x);
    let at_src = params.offset_src + dot(at, params.stride_src);
    let to = params.offset_dst + dot(at, params.stride_dst);
    dst[to] = f16((src[at_src]));
}
