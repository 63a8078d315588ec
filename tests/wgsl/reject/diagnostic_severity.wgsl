//! error line 2 E0209
diagnostic(loud, derivative_uniformity);
