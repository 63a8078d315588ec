//! error line 4 E0311
fn f() {
    let a = 1;
    let p = &a;
}
