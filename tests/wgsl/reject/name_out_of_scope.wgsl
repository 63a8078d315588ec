//! error line 4 E0300
fn f() -> i32 {
    { let x = 1; }
    return x;
}
