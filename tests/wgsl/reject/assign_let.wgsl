//! error line 3 E0511
fn f() {
    let a = 1; a = 2;
}
