// A kernel without mistakes, which mistakes.txt puts one into at a time: each must bring one error, at its place.
enable f16;
enable subgroups;

struct Sizes {
    rows: u32,
    columns: u32,
    stride: u32,
}

struct Particle {
    place: vec3<f32>,
    mass: f32,
}

const TILE = 64u;
const HALF = TILE / 2u;
override SCALE: f32 = 1.5;
alias Row = array<f32, TILE>;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;
@group(0) @binding(3) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(4) var<storage, read_write> counter: atomic<u32>;
var<workgroup> tile: Row;
var<private> seed: u32 = 7u;

fn square(x: f32) -> f32 {
    return x * x;
}

fn norm(v: vec3<f32>) -> f32 {
    let length2 = square(v.x) + square(v.y) + square(v.z);
    return sqrt(length2);
}

fn clamp_row(row: u32, limit: u32) -> u32 {
    if (row >= limit) {
        return limit - 1u;
    } else {
        return row;
    }
}

fn next_random(state: ptr<private, u32>) -> u32 {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8u;
}

fn kind_of(x: i32) -> i32 {
    switch (x) {
        case 0: { return 1; }
        case 1, 2: { return 2; }
        default: { return 3; }
    }
}

fn sum_row(row: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < sizes.columns; i++) {
        let index = row * sizes.stride + i;
        sum += input[index];
    }
    return sum;
}

fn move_particle(index: u32, step: f32) {
    let old = particles[index].place;
    let heavy = particles[index].mass > 10.0;
    let way = select(step, step * 0.5, heavy);
    particles[index].place = old + vec3(way, way, 0.0);
    particles[index].mass = norm(particles[index].place);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = clamp_row(id.x, sizes.rows);
    tile[lane] = sum_row(row) * SCALE;
    workgroupBarrier();
    var total = 0.0;
    var i = 0u;
    loop {
        if (i == HALF) { break; }
        total += tile[(lane + i) % TILE];
        continuing { i += 1u; }
    }
    while (i > 0u) {
        i--;
    }
    let shared_total = subgroupAdd(total);
    let short = f16(shared_total);
    seed = seed ^ lane;
    let jitter = f32(next_random(&seed)) / 16777216.0;
    if (kind_of(i32(row)) == 2 && lane < 32u) {
        atomicAdd(&counter, 1u);
    }
    output[row] = f32(short) + jitter;
    move_particle(row, total);
}
