//! subgroups all
//! a       u32 100 iota 1000 1
//! f       f32 40 iota 0.5 1
//! d       u32 3x160 marker
//! expect  d == values 0
//! expect  report oob 0
// Lanes that a guard lets through read and write in range, while others of their subgroup would be before the array's
// first element or behind its last one: those are neither read, written nor counted.
@group(0) @binding(0) var<storage, read> a: array<u32, 100>;
@group(0) @binding(1) var<storage, read_write> f: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<u32>;

var<workgroup> own: array<u32, 90>;
var<private> errors: u32;

fn check(is_right: bool) {
    errors += select(1u, 0u, is_right);
}

@compute @workgroup_size(160)
fn main(@builtin(local_invocation_index) i: u32) {
    if (i >= 3 && i < 103) {
        check(a[i - 3] == 997 + i);      // the first lanes lie before it
    }
    for (var s = 1u; s < 128; s *= 2) {
        var x = 7u;
        if (i >= s && i < 100) {
            x = a[i - s];
        }
        check(x == select(7u, 1000 + i - s, i >= s && i < 100));
    }
    own[i % 90] = 0;
    workgroupBarrier();
    if (i < 90) {
        own[i] = a[i];
    }
    workgroupBarrier();
    for (var s = 1u; s < 128; s *= 2) {
        var x = 7u;
        if (i >= s && i < 90) {
            x = own[i - s];
        }
        check(x == select(7u, 1000 + i - s, i >= s && i < 90));
    }
    if (i % 3 == 0 && i + 20 < 90) {
        check(own[i + 20] == 1020 + i);
    }
    workgroupBarrier();
    if (i % 3 == 0 && i + 20 < 100) {
        check(a[i + 20] == 1020 + i);
    }
    if (i >= 60 && i < 150) {
        own[i - 60] = i;
    }
    workgroupBarrier();
    if (i < 90) {
        check(own[i] == i + 60);
    }
    workgroupBarrier();
    if (i < 80 && i > 1) {
        own[i + 10] += 5;
    }
    workgroupBarrier();
    if (i >= 70) {
        check(own[i - 70] == i - 10 + select(0u, 5u, i - 70 > 11));
    }
    let count = arrayLength(&f);
    if (i >= 30 && i < 30 + count) {
        f[i - 30] += 1.0;
    }
    storageBarrier();
    if (i + 5 < count) {
        check(f[i + 5] == f32(i) + 6.5);
    }
    d[i] = errors;
    d[160 + i] = 0;
    d[320 + i] = 0;
}
