//! error line 2 E0200
fn f(a: i32, a: f32) { }
