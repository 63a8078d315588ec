//! error line 2 E0309
fn f() -> i32 { var a = array(1, 2); let p = &a; return p[2]; }
