//! error line 3 E0513
fn f() {
    var a = 1.0; a++;
}
