//! subgroups all
//! d       u32 64 marker
//! expect  d == values 0
// Functions store through pointers to variables of the module and of a function: what they hold differs from lane to lane then,
// though it began as the same for all, and no other store shows it.
@group(0) @binding(0) var<storage, read_write> d: array<u32>;

struct Pair {
    a: u32,
    b: vec2<u32>,
}

var<private> word: u32 = 7;
var<private> list: array<u32, 5>;
var<private> pair: Pair;
var<private> untouched: u32 = 9;

fn set_word(p: ptr<private, u32>, x: u32) {
    *p = x;
}

fn set_some(p: ptr<private, u32>, x: u32) {
    if (x % 3 == 0) {
        *p = x;
    }
}

fn set_list(p: ptr<private, array<u32, 5>>, at: u32, x: u32) {
    (*p)[at % 5] = x;
}

fn set_pair(p: ptr<private, Pair>, x: u32) {
    (*p).b.y = x;
}

// Passed on.
fn set_all(p: ptr<private, u32>, q: ptr<function, u32>, x: u32) {
    set_some(p, x);
    *q += x;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    var errors = 0u;
    var own = 5u;
    set_word(&word, i + 1);
    errors += select(1u, 0u, word == i + 1);
    set_some(&word, i);
    errors += select(10u, 0u, word == select(i + 1, i, i % 3 == 0));
    set_list(&list, i, 1); // one number, at places that differ
    errors += select(100u, 0u, list[2] == select(0u, 1u, i % 5 == 2));
    set_pair(&pair, i * 2);
    errors += select(1000u, 0u, pair.b.y == i * 2 && pair.a == 0 && pair.b.x == 0);
    word = 1;
    set_all(&word, &own, i);
    errors += select(10000u, 0u, own == 5 + i && word == select(1u, i, i % 3 == 0) && untouched == 9);
    d[i] = errors;
}
