// Switched off for the module.
diagnostic(off, derivative_uniformity);

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        _ = dpdx(1.0);
    }
}
