//! error line 3 E0210
diagnostic(off, derivative_uniformity);
diagnostic(error, derivative_uniformity);
