//! error line 3 E0234
enable chromium_experimental_framebuffer_fetch;
@vertex fn f(@color(0) a: vec4f) -> @builtin(position) vec4f { return a; }
