//! subgroups all
//! limit  u32 1 values 200
//! want_f f32 100 iota
//! want_h f16 100 iota
//! f      f32 100 marker
//! h      f16 100 marker
//! pairs  f32 100 marker
//! fours  u32 100 marker
//! some   f32 100 marker
//! past   u32 100 marker
//! want_u u32 100 iota
//! expect f == want_f
//! expect h == want_h
//! expect pairs == want_f
//! expect fours == want_u
//! expect some == want_f
//! expect past == want_u
//! expect report oob 28
// Stores behind a guard, as every kernel has one: all lanes of a subgroup are there, some, or none; scalars of 16 and 32 bits,
// pairs and fours; and all are there of which some are out of range.
enable f16;
@group(0) @binding(0) var<storage, read> limit: array<u32>;
@group(0) @binding(3) var<storage, read_write> f: array<f32>;
@group(0) @binding(4) var<storage, read_write> h: array<f16>;
@group(0) @binding(5) var<storage, read_write> pairs: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> fours: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> some: array<f32>;
@group(0) @binding(8) var<storage, read_write> past: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32) {
    if (i < arrayLength(&f)) {
        f[i] = f32(i);
        h[i] = f16(i);
    }
    if (i < arrayLength(&pairs)) {
        pairs[i] = vec2f(f32(2 * i), f32(2 * i + 1));
    }
    if (i < arrayLength(&fours)) {
        fours[i] = vec4u(4 * i) + vec4u(0, 1, 2, 3);
    }
    for (var part = 0u; part < 3; part++) {
        if (i % 3 == part) {
            let off = part - i % 3; // 0 where lanes are there
            if (i < arrayLength(&some)) {
                some[i] = f32(i + off);
                h[i] = f16(i + off);
            }
            if (i < arrayLength(&pairs)) {
                pairs[i] = vec2f(f32(2 * i + off), f32(2 * i + 1));
            }
            if (i < arrayLength(&fours)) {
                fours[i] = vec4u(4 * i + off) + vec4u(0, 1, 2, 3);
            }
        }
    }
    if (i < limit[0]) {
        past[i] = i;
    }
}
