//! error line 2 E0213
fn f(@location(0) a: f32) {}
