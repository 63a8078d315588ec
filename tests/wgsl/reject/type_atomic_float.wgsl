//! error line 2 E0204
var<workgroup> a: atomic<f32>;
