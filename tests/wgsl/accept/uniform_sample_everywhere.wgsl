// Its coordinates may differ.
@group(0) @binding(6) var tex: texture_2d<f32>;
@group(0) @binding(7) var smp: sampler;

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    _ = textureSample(tex, smp, vec2f(f32(uv)));
}
