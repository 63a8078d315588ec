//! subgroups all
//! dispatch 7 3 1
//! a u32 126 iota
//! d u32 126 marker
//! s u32 21 values 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! expect d == values 0 1 3 3 7 12 6 13 21 9 19 30 12 25 39 15 31 48 18 37 57 24 46 69 36 61 87 48 76 105 60 91 123 72 106 141 84 121 159 96 136 177 42 85 129 45 91 138 48 97 147 51 103 156 54 109 165 57 115 174 60 121 183 192 256 321 204 271 339 216 286 357 228 301 375 240 316 393 252 331 411 264 346 429 84 169 255 87 175 264 90 181 273 93 187 282 96 193 291 99 199 300 102 205 309 360 466 573 372 481 591 384 496 609 396 511 627 408 526 645 420 541 663 432 556 681
//! expect s == values 84 102 120 138 156 174 192 336 354 372 390 408 426 444 588 606 624 642 660 678 696
//! expect report oob 0
// Workgroups of six, which no subgroup size divides; nothing here shows how large subgroups are.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<storage, read_write> s: array<atomic<u32>>;
var<workgroup> row: array<u32, 6>;

@compute @workgroup_size(3, 2)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(global_invocation_id) id: vec3<u32>,
        @builtin(workgroup_id) group: vec3<u32>) {
    let at = id.y * 21u + id.x;
    row[lane] = a[at];
    workgroupBarrier();
    var sum = 0u;
    for (var k = 0u; k <= lane; k++) {
        sum += row[k];
    }
    d[at] = sum;
    atomicAdd(&s[group.y * 7u + group.x], row[5u - lane] + lane);
}
