//! error line 4 E0802
@fragment
fn main(@location(0) x: f32) -> @location(0) f32 {
    if x > 1 { return dpdx(x); }
    return 0;
}
