//! error line 3 E0235
enable chromium_experimental_framebuffer_fetch;
@fragment fn f(@color(0) a: vec4f, @color(0) b: f32) {}
