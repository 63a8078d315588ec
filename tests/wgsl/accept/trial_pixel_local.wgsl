// What browsers try out beside the specification: read and checked, never run.
enable chromium_experimental_pixel_local;
struct Pixel { count: u32, last: i32, sum: f32, }
var<pixel_local> pixel: Pixel;
fn count(i: i32) { pixel.count += 1; pixel.last = i; pixel.sum += f32(pixel.count); }
@fragment fn fs() -> @location(0) vec4f { count(7); return vec4f(pixel.sum); }
