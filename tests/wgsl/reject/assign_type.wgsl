//! error line 3 E0303
fn f() {
    var a = 1; a = 1.5;
}
