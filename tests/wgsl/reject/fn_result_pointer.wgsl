//! error line 2 E0241
fn f() -> ptr<function, i32> { }
