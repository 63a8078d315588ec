//! error line 3 E0100
fn f() {
    int x = 1;
}
