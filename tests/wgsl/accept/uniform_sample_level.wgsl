// With the level given there are no neighbours.
@group(0) @binding(6) var tex: texture_2d<f32>;
@group(0) @binding(7) var smp: sampler;

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        _ = textureSampleLevel(tex, smp, vec2f(0.5), 0);
    }
}
