//! error line 2 E0218
var<workgroup> a: array<array<f32, 100000>, 100000>;
