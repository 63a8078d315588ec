//! error line 3 E0100
fn f() { }
}
