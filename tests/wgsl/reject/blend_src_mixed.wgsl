//! error line 3 E0236
enable dual_source_blending;
struct S { @location(0) @blend_src(0) a: vec4f, @location(0) b: vec4f }
