//! error line 3 E0304
fn f() {
    let a = 3000000000;
}
