//! error line 2 E0223
@binding(0) var<uniform> a: vec4<f32>;
