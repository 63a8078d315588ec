// What is loaded from a sampled texture at one place is one value.
@group(0) @binding(6) var tex: texture_2d<f32>;

@fragment
fn main() {
    if textureLoad(tex, vec2u(1), 0).x > 0 {
        _ = dpdx(1.0);
    }
}
