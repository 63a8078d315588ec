//! dispatch 1
//! d       i32 16 zeros
//! expect  d == values 10 2 30 4 5 6 70 81 90 10 11 120 13 140 15 160
// Components of vectors in memory are written by names, by an index behind names, and by one that is known at run time.
@group(0) @binding(0) var<storage, read_write> d: array<vec4i, 4>;

@compute @workgroup_size(1)
fn main() {
    d[0] = vec4i(1, 2, 3, 4);
    d[0].zx = vec2i(30, 10);
    d[1] = vec4i(5, 6, 7, 8);
    d[1].wz[1] = 70;
    d[1].xyzw.zw[1] += 73;
    var at = 1u + u32(d[3].x);
    d[2] = vec4i(9, 10, 11, 12);
    d[2].xw[at] = 120;
    d[2].xx[at] = 90;
    var v = vec4i(13, 14, 15, 16);
    v.yyw[at + 1] *= 10;
    v.wzy[at + 1] += 126;
    d[3] = v;
}
