//! error line 3 E0100
fn f(a: bool) {
    if (a) return;
}
