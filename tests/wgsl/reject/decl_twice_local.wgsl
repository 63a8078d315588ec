//! error line 4 E0200
fn f() {
    let a = 1;
    var a = 2;
}
