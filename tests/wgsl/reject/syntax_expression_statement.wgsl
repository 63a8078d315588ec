//! error line 3 E0100
fn f(a: i32) {
    a + 1;
}
