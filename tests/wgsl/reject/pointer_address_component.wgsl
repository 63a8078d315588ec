//! error line 4 E0311
fn f() {
    var a = vec2(1, 2);
    let p = &a.x;
}
