//! error line 2 E0228
struct S { a: i32, a: f32 }
