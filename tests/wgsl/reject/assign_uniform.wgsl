//! error line 3 E0512
@group(0) @binding(0) var<uniform> a: vec4f;
fn f() { a.x = 1; }
