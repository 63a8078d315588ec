//! error line 4 E0236
//! error line 4 E0236
enable dual_source_blending;
struct S { @location(1) @blend_src(0) a: vec4f, @location(1) @blend_src(1) b: vec4f }
