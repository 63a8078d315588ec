//! error line 2 E0109
@align(16) struct S { a: i32 }
