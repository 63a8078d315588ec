//! error line 2 E0303
fn f(x: f32) { let a: i32 = x; }
