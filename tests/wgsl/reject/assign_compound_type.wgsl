//! error line 3 E0302
fn f(x: u32) {
    var a = 1; a += x;
}
