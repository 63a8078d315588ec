//! error line 4 E0233
struct T { @location(0) a: f32 }
struct S { t: T }
@fragment fn f(s: S) {}
