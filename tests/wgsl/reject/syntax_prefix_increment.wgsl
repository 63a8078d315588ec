//! error line 4 E0100
fn f() {
    var i = 0;
    ++i;
}
