//! error line 3 E0506
fn f() {
    loop { }
}
