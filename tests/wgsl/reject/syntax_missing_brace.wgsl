//! error line 5 E0100
fn f() {
    if true {
    return;
