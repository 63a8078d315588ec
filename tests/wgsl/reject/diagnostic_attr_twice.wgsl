//! error line 2 E0210
@diagnostic(off, derivative_uniformity) @diagnostic(off, derivative_uniformity) fn f() {}
