//! error line 8 E0802 "`dpdx` must only be called"
// Unless others may write it.
@group(0) @binding(8) var store_tex: texture_storage_2d<r32uint, read_write>;

@fragment
fn main() {
    if textureLoad(store_tex, vec2u(1)).x > 0 {
        _ = dpdx(1.0);
    }
}
