//! error line 7 E0802 "`dpdx` must only be called"
// A derivative under a condition that differs.

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        _ = dpdx(1.0);
    }
}
