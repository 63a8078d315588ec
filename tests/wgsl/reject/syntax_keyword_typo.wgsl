//! error line 3 E0100
fn f() -> i32 {
    retrun 1;
}
