// Loops, switches and early ends, one in another.
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
fn early(a: u32) -> u32 {
    for (var i = 0u; i < 20u; i++) {
        switch (a + i) % 7u {
            case 0u, 3u: { if (i > 4u) { return i * 100u; } continue; }
            case 1u: { if (a % 2u == 0u) { break; } return 7u; }
            case default, 6u: { var j = a; loop { j = j / 2u; if (j == 0u) { break; } if (j == 9u) { return 99u; } continuing { break if j < 3u; } } if (j == 2u) { return 55u + i; } }
        }
        if (i * a > 300u) { break; }
    }
    return 1u;
}
fn collatz(n: u32) -> u32 { var a = n; var c = 0u; while (a > 1u && c < 200u) { if (a % 2u == 0u) { a = a / 2u; } else { a = 3u * a + 1u; } c++; } return c; }
fn nest(a: u32) -> u32 {
    var s = 0u;
    for (var i = 0u; i < a % 9u; i++) {
        for (var j = i; j < 12u; j += 2u) {
            if (j == 5u) { continue; }
            if ((i ^ j) == 9u) { break; }
            var k = 0u;
            loop { if (k > 3u) { break; } if (k == i) { k += 2u; continue; } s += k * j; k++; }
            s = s * 3u + 1u;
        }
        switch i { case 2u: { continue; } case 3u: { s += 1000u; } default: { } }
        s ^= i;
    }
    return s;
}
fn both(a: u32) -> u32 { if (a > 100u) { return a - 100u; } else if (a > 50u) { return a * 2u; } else { loop { return a; } } }
fn inf(a: u32) -> u32 { var i = a; loop { i += 3u; if (i % 5u == 0u) { return i; } } }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
    let n = arrayLength(&x);
    for (var i = g.x; i < n; i += 64u) {
        let a = x[i];
        if (a == 13u) { y[i] = 4242u; continue; }
        y[i] = early(a) + collatz(a) * 1000u + nest(a) * 7u + both(a) * 3u + inf(a);
        if (a == 250u) { return; }
    }
}
