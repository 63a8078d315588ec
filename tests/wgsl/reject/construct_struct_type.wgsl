//! error line 3 E0303
struct S { a: i32 }
const a = S(1.5);
