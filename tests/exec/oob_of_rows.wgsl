//! subgroups all
//! data u32 200 iota
//! d    u32 64 marker
//! expect d == values 0 42 126 252 420 425 430 435 10 62 156 292 470 475 480 485 20 82 186 332 520 525 530 535 30 102 216 372 570 575 580 585 1 3 3 3 3 3 3 3 1 3 3 3 3 3 3 3 1 3 3 3 3 3 3 3 1 3 3 3 3 3 3 3
//! expect report oob 48
// In a loop that lanes leave one after the other, the first of a row leaves first, and its index stays inside: what the others access
// outside is counted all the same, in a buffer and in a variable of the lane's own.
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(8, 4)
fn main(@builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var own: array<u32, 200>;
    var at = id.y * 10u + id.x;
    var sum = 0u;
    for (var n = 0u; n <= id.x; n++) {
        sum += data[at];
        own[at] = n + 1u;
        at += 40u;
    }
    d[lane] = sum;
    d[32u + lane] = own[id.y * 10u + id.x] + own[id.y * 10u + id.x + 40u];
}
