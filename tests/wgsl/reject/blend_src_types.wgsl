//! error line 3 E0233
enable dual_source_blending;
struct S { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec3f }
