//! warning line 2 E0224
@group(0) @binding(0) var<uniform> a: array<f32, 4>;
