//! error line 8 E0403
//! error line 9 E0403 "found `u32`"
//! error line 10 E0403 "storage"
//! error line 11 E0303
//! error line 12 E0514
enable chromium_experimental_resource_table;
fn main() {
    _ = hasResource(1);
    _ = hasResource<u32>(1);
    _ = getResource<texture_storage_2d<r32float, read>>(1);
    _ = getResource<sampler>(1.5);
    getResource<sampler>(1);
}
