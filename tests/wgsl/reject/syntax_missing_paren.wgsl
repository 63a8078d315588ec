//! error line 3 E0100
fn f(x: i32) -> i32 {
    return (x + 1;
}
