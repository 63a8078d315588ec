//! needs     maximal reconvergence
//! subgroups all
//! d         u32 128x16 marker
//! expect    d == values 1
// Who is there, where lanes part and come together again: behind `if`, loops, `switch` and calls, at continuing blocks, and
// behind those that left early. Each lane compares the ballot with what follows from the text; 1 is right.
diagnostic(off, subgroup_uniformity);
enable subgroups;

@group(0) @binding(0) var<storage, read_write> d: array<u32>;

// Lanes j below n with `low <= j % m <= high`, as a ballot.
fn lanes(n: u32, m: u32, low: u32, high: u32) -> vec4<u32> {
    var mask = vec4<u32>();
    for (var j = 0u; j < n; j++) {
        if (j % m >= low && j % m <= high) {
            mask[j / 32] |= 1u << (j % 32);
        }
    }
    return mask;
}

fn are_here(expected: vec4<u32>) -> u32 {
    return u32(all(subgroupBallot(true) == expected));
}

// Lanes return from an iteration of their own, or from one of two places behind the loop.
fn early(lane: u32, n: u32) -> u32 {
    var good = 1u;
    for (var k = 0u; k < 3u; k++) {
        if (lane % 6 == k) {
            return good & are_here(lanes(n, 6, k, k));
        }
        good &= are_here(lanes(n, 6, k + 1, 5));
    }
    good &= are_here(lanes(n, 6, 3, 5));
    if (lane % 6 == 4) {
        return good & are_here(lanes(n, 6, 4, 4));
    }
    return good & are_here(lanes(n, 6, 3, 3) | lanes(n, 6, 5, 5));
}

// Lanes return from cases; `break` leaves one from inside an `if`.
fn cases(lane: u32, n: u32) -> u32 {
    var good = 1u;
    switch (i32(lane % 8)) {
        case 1, 2: {
            return are_here(lanes(n, 8, 1, 2));
        }
        case 3, 4: {
            good &= are_here(lanes(n, 8, 3, 4));
            if (lane % 8 == 4) {
                break;
            }
            good &= are_here(lanes(n, 8, 3, 3));
        }
        case 5: {
            good &= are_here(lanes(n, 8, 5, 5));
        }
        default: {
            good &= are_here(lanes(n, 8, 0, 0) | lanes(n, 8, 6, 7));
        }
    }
    return good & are_here(lanes(n, 8, 0, 0) | lanes(n, 8, 3, 7));
}

// Nested loops, left by `break` at different times, with lanes that go on early.
fn nested(lane: u32, n: u32) -> u32 {
    var good = 1u;
    for (var k = 0u; k < 4u; k++) {
        if (lane % 4 == k) {
            continue;
        }
        let rest = lanes(n, 1, 0, 0) & ~lanes(n, 4, k, k);
        for (var i = 0u; ; i++) {
            if (i > lane % 3) {
                good &= are_here(rest & lanes(n, 3, i - 1, i - 1));
                break;
            }
            good &= are_here(rest & lanes(n, 3, i, 2));
        }
        good &= are_here(rest);
    }
    return good & are_here(lanes(n, 1, 0, 0));
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32,
        @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) n: u32) {
    let everyone = lanes(n, 1, 0, 0);

    // if: each side by itself, all behind it.
    var good = 1u;
    if (lane % 2 == 1) {
        good &= are_here(lanes(n, 2, 1, 1));
        if (lane % 4 == 3) {
            good &= are_here(lanes(n, 4, 3, 3));
        }
        good &= are_here(lanes(n, 2, 1, 1));
    } else {
        good &= are_here(lanes(n, 2, 0, 0));
    }
    d[i] = good & are_here(everyone);

    // The right sides of && and || are for those alone that ask for them.
    good = u32(lane % 3 != 1 || are_here(lanes(n, 3, 1, 1)) == 1);
    good &= are_here(everyone);
    good &= u32(!(lane % 3 != 1 && are_here(lanes(n, 3, 0, 0) | lanes(n, 3, 2, 2)) == 0));
    d[i + 128] = good & are_here(everyone);

    // Loops left at different times, at the head and in the middle.
    good = 1u;
    for (var k = 0u; k <= lane % 5; k++) {
        good &= are_here(lanes(n, 5, k, 4));
    }
    good &= are_here(everyone);
    var k = 0u;
    loop {
        if (k == lane % 7) {
            good &= are_here(lanes(n, 7, k, k));
            break;
        }
        good &= are_here(lanes(n, 7, k + 1, 6));
        k++;
    }
    d[i + 256] = good & are_here(everyone);

    // At the continuing block all are together that go on; `break if` lets them go.
    good = 1u;
    k = 0u;
    loop {
        if ((lane + k) % 2 == 0) {
            good &= are_here(lanes(n, 2, k % 2, k % 2) & lanes(n, 4, k, 3));
            continue;
        }
        good &= are_here(lanes(n, 2, (k + 1) % 2, (k + 1) % 2) & lanes(n, 4, k, 3));
        continuing {
            good &= are_here(lanes(n, 4, k, 3));
            k++;
            break if k > lane % 4;
        }
    }
    d[i + 384] = good & are_here(everyone);

    // Calls: all that called are together behind them.
    good = early(lane, n);
    d[i + 512] = good & are_here(everyone);
    good = 1u;
    if (lane % 3 != 0) {
        good = early(lane, n) | 1u;
        good &= are_here(lanes(n, 3, 1, 2));
    }
    d[i + 640] = good & are_here(everyone);
    good = cases(lane, n);
    d[i + 768] = good & are_here(everyone);
    good = nested(lane, n);
    d[i + 896] = good & are_here(everyone);

    // switch in a loop: `continue` leaves both.
    good = 1u;
    for (var j = 0u; j < 3u; j++) {
        switch ((lane + j) % 4) {
            case 0: {
                continue;
            }
            case 1, 3: {
                good &= are_here(lanes(n, 4, (5 - j) % 4, (5 - j) % 4) | lanes(n, 4, (7 - j) % 4, (7 - j) % 4));
            }
            default: {
                good &= are_here(lanes(n, 4, (6 - j) % 4, (6 - j) % 4));
            }
        }
        good &= are_here(everyone & ~lanes(n, 4, (4 - j) % 4, (4 - j) % 4));
    }
    d[i + 1024] = good & are_here(everyone);

    // Sums, scans, votes, the elected one.
    good = 1u;
    if (lane % 4 < 3) {
        if (lane % 4 == 1) {
            good = u32(subgroupAdd(1u) == n / 4) & u32(subgroupElect() == (lane == 1));
        }
        good &= u32(subgroupAdd(lane % 4) == n / 4 * 3) & u32(subgroupExclusiveAdd(1u) == lane / 4 * 3 + lane % 4);
        good &= u32(!subgroupAny(lane % 4 == 3)) & u32(subgroupAll(lane % 4 < 3));
    }
    d[i + 1152] = good & u32(subgroupMax(lane) == n - 1) & u32(subgroupBroadcastFirst(lane) == 0);

    // Quads that are whole, among lanes that parted and came together.
    good = 1u;
    for (var q = 0u; q < lane / 4 % 3; q++) {
        good &= u32(quadSwapX(lane) == (lane ^ 1)) & u32(quadBroadcast(lane, 2) == lane / 4 * 4 + 2);
    }
    d[i + 1280] = good & u32(quadSwapDiagonal(lane) == (lane ^ 3));

    // Lanes that return for good are missed by the rest.
    for (var r = 11u; r < 16u; r++) {
        d[i + r * 128] = 1;
    }
    if (lane % 4 == 2) {
        d[i + 1408] = are_here(lanes(n, 4, 2, 2));
        return;
    }
    d[i + 1408] = are_here(everyone & ~lanes(n, 4, 2, 2));
    for (var r = 0u; r < 2u; r++) {
        if (lane % 4 == r) {
            d[i + 1536] = are_here(lanes(n, 4, r, r));
            return;
        }
        d[i + 1664 + r * 128] = are_here(lanes(n, 4, r + 1, 1) | lanes(n, 4, 3, 3));
    }
    d[i + 1920] = are_here(lanes(n, 4, 3, 3));
}
