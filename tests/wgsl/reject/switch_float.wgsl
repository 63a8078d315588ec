//! error line 2 E0508
fn f(a: f32) { switch a { default { } } }
