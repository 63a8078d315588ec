//! error line 8 E0802 "`dpdyCoarse` must only be called"
// A derivative differs.
@group(0) @binding(2) var<uniform> uni: u32;

@fragment
fn main() {
    if fwidth(f32(uni)) > 0 {
        _ = dpdyCoarse(1.0);
    }
}
