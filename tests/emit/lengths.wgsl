// What `arrayLength` was compared with holds behind the comparison and nowhere else; one element more is not known.
struct Tail {
    head: array<u32, 4>,
    rest: array<u32>,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: Tail;

fn pick(p: ptr<storage, array<u32>, read>, at: u32) -> u32 {
    if (arrayLength(p) > 39) { return (*p)[at + 8] + (*p)[at + 9]; }
    return (*p)[at];
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    b[lane] = a[lane + 8];
    if (arrayLength(&a) >= 40) {
        b[32 + lane] = a[lane + 8];
        b[64 + lane] = a[lane + 9];
        b[96 + lane] = a[(lane + 9) % 41];
    } else {
        b[32 + lane] = a[lane + 8] + 1;
    }
    b[128 + lane] = a[lane + 8];
    b[160 + lane] = pick(&a, lane);
    if (!(31 < arrayLength(&c.rest))) { return; }
    c.rest[lane] = 5;
    storageBarrier();
    if (lane == 31) { c.rest[lane + 1] = 7; }
    c.head[lane] = 9;
    storageBarrier();
    for (var i = 0u; i < 3; i++) {
        let at = i * 32 + lane;
        if (at < arrayLength(&c.rest)) { c.rest[at] += i + 1; }
    }
}
