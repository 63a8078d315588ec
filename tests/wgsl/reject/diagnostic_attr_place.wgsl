//! error line 2 E0213
@diagnostic(off, derivative_uniformity) var<private> x: i32;
