//! error line 3 E0306
fn f(x: i32) {
    const a = x;
}
