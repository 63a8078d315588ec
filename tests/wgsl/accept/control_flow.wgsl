@group(0) @binding(0) var<storage, read_write> out: array<i32>;
fn classify(x: i32) -> i32 {
    switch x {
        case 0 { return 1; }
        case 1, 2, 3: { return 2; }
        case 0x10, { return 3; }
        case -1, default {
            if x < 0 { return -1; }
        }
    }
    return 0;
}
fn loops(n: i32) -> i32 {
    var s = 0;
    var i = 0;
    loop {
        if i >= n { break; }
        if (i & 1) == 1 { continue; }
        s += i;
        continuing {
            i++;
            let done = s > 1000;
            break if done;
        }
    }
    while s > 10 {
        s /= 2;
        if s == 7 { break; }
    }
    for (; ;) {
        s--;
        if s < 0 { break; }
    }
    for (var k = 0; k < 3; k += 1) { s += k; }
    for (s = 0; s < 5; s++) { }
    for (let k = 3; s < 10;) { s += k; }
    loop { break; }
    return s;
}
fn nested(n: u32) -> u32 {
    for (var i = 0u; i < n; i++) {
        switch i % 3u {
            case 0u: { continue; }
            case 1u: { break; }
            default: {
                loop {
                    if i > 5 { return i; }
                    continuing { break if true; }
                }
            }
        }
    }
    if n == 0 { return 1; } else if n == 1 { return 2; } else { return 3; }
}
@compute @workgroup_size(1)
fn main() {
    out[0] = classify(loops(9)) + i32(nested(4));
    if (out[1] > 0) { return; }
    out[1] = 1;
    { ; { } }
}
