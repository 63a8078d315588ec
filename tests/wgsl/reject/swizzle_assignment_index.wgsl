//! error line 9 E0309
//! error line 10 E0308
//! error line 11 E0511
//! error line 12 E0303
//! error line 13 E0512
@group(0) @binding(0) var<uniform> u: vec4f;
fn f(i: u32, p: vec4u) {
    var v = vec4u();
    v.xy[2] = 1;
    v.x[i] = 1;
    p.xy[i] = 1;
    v.xy[i] = 1.5;
    u.xy[i] = 1;
}
