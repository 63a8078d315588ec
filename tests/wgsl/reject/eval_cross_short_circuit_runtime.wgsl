//! error line 2 E0305
fn f(x: bool) -> bool { return x && (1 / 0 == 1); }
