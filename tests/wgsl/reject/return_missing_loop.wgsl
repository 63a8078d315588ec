//! error line 2 E0500
fn f() -> i32 { loop { if true { return 1; } else { break; } } }
