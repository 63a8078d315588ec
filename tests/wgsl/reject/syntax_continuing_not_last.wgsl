//! error line 3 E0100
fn f() {
    loop { if true { break; } continuing { } let a = 1; }
}
