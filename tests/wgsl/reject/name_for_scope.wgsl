//! error line 4 E0300
fn f() -> i32 {
    for (var i = 0; i < 3; i++) { }
    return i;
}
