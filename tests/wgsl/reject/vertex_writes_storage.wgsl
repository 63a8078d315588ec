//! error line 3 E0238
@group(0) @binding(0) var<storage, read_write> t: u32;
@vertex fn f() -> @builtin(position) vec4f { _ = t; return vec4f(); }
