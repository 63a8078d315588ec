//! error line 3 E0233
enable clip_distances;
struct S { @builtin(clip_distances) a: array<f32, 9> }
