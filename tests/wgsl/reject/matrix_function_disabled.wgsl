//! error line 3 E0450
@group(0) @binding(0) var<storage> f: array<f32>;
fn g() { subgroupMatrixStore(&f, 0, 1, false, 8); }
