//! subgroups all
//! dispatch 3 1 1
//! data    u32 8 values 3 5 7 11 13 17 19 23
//! d       u32 300 marker
//! expect  d == values 0
// What invocations hold lives through barriers, whatever form it has: in loops that the workgroup leaves together, in a
// function that is called twice, where the last subgroup is not full, and where a workgroup has returned.
enable f16;

@group(0) @binding(0) var<storage, read> data: array<u32, 8>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

struct Pair {
    word: u32,
    flag: bool,
}

var<workgroup> turns: array<u32, 100>;
var<workgroup> count: u32;
var<private> mine: u32;

// The word of the next invocation, by way of memory that everybody writes.
fn pass_on(i: u32, word: u32) -> u32 {
    turns[i] = word;
    workgroupBarrier();
    let next = turns[(i + 1) % 100];
    workgroupBarrier();
    return next;
}

@compute @workgroup_size(100)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var errors = 0u;
    let odd = i * 7 + data[i % 8];      // differs from lane to lane
    let even = i + 5;                   // evenly spaced
    let same = data[group.x] + 1;       // the same for all
    let is_third = i % 3 == 0;
    let small = f16(i) + 0.5;
    let four = vec4f(f32(i), 1.0, f32(odd), 0.25);
    var pair = Pair(i ^ 21, !is_third);
    var array_of_own = array<u32, 5>(1, 2, i, 4, 5);
    let chosen = &array_of_own[i % 5];
    let before = *chosen;
    mine = i * 3;
    if (i == 99) {
        count = 0;
    }
    workgroupBarrier();
    if (group.x == 1) {
        d[100 + i] = errors + select(1u, 0u, odd == i * 7 + data[i % 8] && mine == i * 3);
        return;
    }
    for (var round = 0u; round < 4; round++) {
        if (pass_on(i, odd + round) != ((i + 1) % 100) * 7 + data[(i + 1) % 100 % 8] + round) {
            errors += 1;
        }
        if (round == 1) {
            continue;
        }
        workgroupBarrier();
        if (i == round * 33) {
            count += round + same;
        }
        array_of_own[(i + round) % 5] += round;
        pair.word += 1;
        pair.flag = !pair.flag;
        if (workgroupUniformLoad(&count) > 4 * same) {
            break;
        }
        switch (round) {
            case 0: {
                mine += 1;
                workgroupBarrier();
                mine += turns[i] & 1;
            }
            case 2, 3: {
                let word = pass_on(i, mine);
                if (i == 98 && word == 0) {
                    errors += 1;
                }
            }
            default: {
            }
        }
    }
    // Rounds 0, 2 and 3: three in all that did not continue.
    if (count != 5 + 3 * same) {
        errors += 10;
    }
    if (pair.word != (i ^ 21) + 3 || pair.flag != is_third) {
        errors += 100;
    }
    if (mine != i * 3 + 1 + (odd & 1)) {
        errors += 1000;
    }
    if (small != f16(i) + 0.5 || any(four != vec4f(f32(i), 1.0, f32(odd), 0.25)) || even != i + 5) {
        errors += 10000;
    }
    var sum = 0u;
    for (var k = 0u; k < 5; k++) {
        sum += array_of_own[k];
    }
    if (sum != 17 + i || *chosen != before) {
        errors += 100000;
    }
    d[group.x * 100 + i] = errors;
}
