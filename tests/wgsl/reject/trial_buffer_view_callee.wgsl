//! error line 18 E0404 "`whole` views argument 1 of this call up to byte 128, but the buffer has 64 bytes"
//! error line 19 E0404 "argument 2 of this call up to byte 128"
//! error line 20 E0404 "up to byte 80"
//! error line 21 E0404 "up to byte 96"
@group(0) @binding(0) var<storage, read_write> small: buffer<64>;
@group(0) @binding(1) var<storage, read_write> large: buffer<128>;
fn whole(p: ptr<storage, buffer, read_write>) { (*bufferView<array<vec4f, 8>>(p, 0))[0] = vec4f(); }
fn through(a: u32, p: ptr<storage, buffer, read_write>) {
    let q = p;
    whole(q);
}
fn open(p: ptr<storage, buffer, read_write>, start: u32) -> f32 { return (*bufferView<array<vec4f, 5>>(p, start))[0].x; }
fn sized(p: ptr<storage, buffer, read_write>) -> f32 { return bufferArrayView<array<f32>>(p, 16, 80)[0]; }
fn good() {
    whole(&large);
    through(1, &large);
}
fn bad() { whole(&small); }
fn deep() { through(1, &small); }
fn least(i: u32) -> f32 { return open(&small, i); }
fn array_view() -> f32 { return sized(&small); }
