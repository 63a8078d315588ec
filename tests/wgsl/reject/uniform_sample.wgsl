//! error line 9 E0802 "`textureSample` must only be called"
// A sample that takes its level from the neighbours.
@group(0) @binding(6) var tex: texture_2d<f32>;
@group(0) @binding(7) var smp: sampler;

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        _ = textureSample(tex, smp, vec2f(0.5));
    }
}
