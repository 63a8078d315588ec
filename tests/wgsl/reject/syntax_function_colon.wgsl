//! error line 2 E0100
fn f(): i32 { return 1; }
