//! error line 3 E0238
@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
@vertex fn f() -> @builtin(position) vec4f { _ = t; return vec4f(); }
