//! error line 3 E0511
fn f(x: vec4i) {
    x.xy = vec2(1);
}
