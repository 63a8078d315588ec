//! error line 3 E0100
fn f() {
    switch 1 { }
}
