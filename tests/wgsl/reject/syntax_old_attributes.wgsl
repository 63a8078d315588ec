//! error line 2 E0100
[[stage(compute)]] fn f() { }
