//! error line 3 E0109
fn f() {
    @diagnostic(off, derivative_uniformity) let a = 1;
}
