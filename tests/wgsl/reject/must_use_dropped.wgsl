//! error line 3 E0514
@must_use fn g() -> i32 { return 1; }
fn f() { g(); }
