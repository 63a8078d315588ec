//! error line 2 E0505
fn f() { loop { if true { continue; } let x = 1; continuing { break if x == 1; } } }
