//! error line 3 E0300
fn f() {
    g();
}
