//! subgroups all
//! data u32 128 values 1065353216 7 1073741824 5 1077936128 4294967295 0 1
//! pairs u32 128 marker
//! some u32 128 marker
//! fours u32 256 marker
//! counts u32 64 iota
//! expect pairs == data
//! expect some == data
//! expect counts unchanged
// Structs whose members differ in type move side by side like vectors: loads and stores by all lanes, and behind a guard.
struct Pair {
    a: f32,
    b: u32,
}
struct Four {
    a: i32,
    b: f32,
    c: u32,
    d: f32,
}
@group(0) @binding(0) var<storage, read> data: array<Pair>;
@group(0) @binding(1) var<storage, read_write> pairs: array<Pair>;
@group(0) @binding(2) var<storage, read_write> some: array<Pair>;
@group(0) @binding(3) var<storage, read_write> fours: array<Four>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32) {
    if (i < 64) {
        let p = data[i];
        pairs[i] = Pair(p.a, p.b);
        fours[i] = Four(i32(p.b), p.a, p.b, -p.a);
    }
    for (var part = 0u; part < 3; part++) {
        if (i % 3 == part && i < arrayLength(&some)) {
            some[i] = data[i];
        }
    }
    storageBarrier();
    if (i < 64) {
        let f = fours[i];
        let p = pairs[i];
        counts[i] = select(1000 + i, i, f.a == i32(p.b) && f.b == p.a && f.c == p.b && f.d == -p.a);
    }
}
