//! error line 25 E0221 "its size must be written"
//! error line 26 E0221 "override"
//! error line 27 E0221 "private"
//! error line 28 E0215 "multiple of 4"
//! error line 29 E0215 "at least one"
//! error line 30 E0240 "cannot be copied"
//! error line 32 E0312 "no value"
//! error line 33 E0400 "pointer to a variable of type `buffer`"
//! error line 34 E0404 "no multiple of 16"
//! error line 35 E0404 "negative"
//! error line 36 E0404 "ends at byte 144"
//! error line 37 E0403 "holds atomics"
//! error line 38 E0403 "cannot be shared"
//! error line 39 E0403 "fixed size"
//! error line 40 E0404 "hold no element"
//! error line 41 E0404 "no whole number"
//! error line 42 E0404 "4 GiB"
//! error line 43 E0514
//! error line 44 E0512
//! error line 45 E0303
@group(0) @binding(0) var<storage, read_write> open: buffer;
@group(0) @binding(1) var<uniform> sized: buffer<128>;
override n: u32;
struct counter { a: atomic<u32> }
@group(0) @binding(2) var<uniform> no_size: buffer;
@group(0) @binding(3) var<storage> by_override: buffer<n>;
var<private> own: buffer<16>;
alias odd = buffer<6>;
alias none = buffer<0>;
fn by_value(b: buffer<16>) {}
fn main() {
    let x = open;
    _ = bufferLength(&n_a);
    _ = bufferView<vec4f>(&open, 8);
    _ = bufferView<vec4f>(&open, -16);
    _ = bufferView<vec4f>(&sized, 128);
    _ = bufferView<counter>(&open, 0);
    _ = bufferView<bool>(&open, 0);
    _ = bufferArrayView<array<u32, 4>>(&open, 0, 16);
    _ = bufferArrayView<array<vec4f>>(&open, 0, 12);
    _ = bufferArrayView<array<vec4f>>(&open, 0, 24);
    _ = bufferView<vec4f>(&open, 4294967280u);
    bufferView<vec4f>(&open, 0);
    *bufferView<vec4f>(&sized, 0) = vec4f();
    let p: ptr<uniform, buffer> = &sized;
}
var<private> n_a: u32;
