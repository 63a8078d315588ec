//! error line 3 E0300
fn f() -> i32 {
    return x;
}
