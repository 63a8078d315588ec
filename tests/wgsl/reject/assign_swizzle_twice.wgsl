//! error line 3 E0511
fn f() {
    var a = vec4(1); a.xx = vec2(1);
}
