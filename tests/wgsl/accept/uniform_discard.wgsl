// discard leaves control flow as it is: the invocation goes on as a helper.

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uv == 0 {
        discard;
    }
    _ = dpdx(1.0);
}
