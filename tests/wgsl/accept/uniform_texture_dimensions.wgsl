// Its size does not change.
@group(0) @binding(8) var store_tex: texture_storage_2d<r32uint, read_write>;

@fragment
fn main() {
    if textureDimensions(store_tex).x > 4 {
        _ = dpdx(1.0);
    }
}
