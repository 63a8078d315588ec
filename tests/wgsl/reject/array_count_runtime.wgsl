//! error line 4 E0307
fn f(n: u32) {
    var x = n;
    var a: array<i32, x>;
}
