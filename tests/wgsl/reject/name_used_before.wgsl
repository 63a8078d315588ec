//! error line 3 E0300
fn f() {
    let a = b;
    let b = 1;
}
