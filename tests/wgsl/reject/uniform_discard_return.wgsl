//! error line 10 E0802 "`dpdx` must only be called"
// A return behind it does not.

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        discard;
        return;
    }
    _ = dpdx(1.0);
}
