//! error line 2 E0226
override a: vec2<f32>;
