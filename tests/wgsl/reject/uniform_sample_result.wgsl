//! error line 9 E0802 "`dpdxFine` must only be called"
// So does what is sampled.
@group(0) @binding(6) var tex: texture_2d<f32>;
@group(0) @binding(7) var smp: sampler;

@fragment
fn main() {
    if textureSample(tex, smp, vec2f(0.5)).x > 0 {
        _ = dpdxFine(1.0);
    }
}
