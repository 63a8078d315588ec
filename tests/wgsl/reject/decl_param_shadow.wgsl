//! error line 3 E0200
fn f(a: i32) {
    let a = 1;
}
