//! error line 2 E0504
fn f() { loop { break; continuing { if true { continue; } } } }
