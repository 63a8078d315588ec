//! error line 3 E0402 "enable chromium_experimental_resource_table;"
fn main() {
    _ = hasResource<sampler>(1);
}
