//! error line 3 E0100
fn f() {
    loop { break if true; }
}
