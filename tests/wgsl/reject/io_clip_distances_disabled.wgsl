//! error line 2 E0206
struct S { @builtin(clip_distances) a: array<f32, 8> }
