//! error line 3 E0213
enable dual_source_blending;
@fragment fn f() -> @location(0) @blend_src(0) vec4f { return vec4f(); }
