requires immediate_address_space;
struct Params { scale: vec4f, offset: vec2u, count: u32, gain: f32, }
var<immediate> params: Params;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
fn read(p: ptr<immediate, f32>) -> f32 { return *p; }
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < params.count { out[id.x] = params.scale.x * params.gain + read(&params.gain); }
}
@fragment fn fs() -> @location(0) vec4f { return params.scale; }
