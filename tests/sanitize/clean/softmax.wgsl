// A row a workgroup: the greatest, the sum of exponentials, the quotient.
//! run --bind 0,0=random:f32:5x100:1 --bind 0,1=zeros:f32:5x100 --dispatch 5
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

const COLS = 100u;
const THREADS = 64u;
var<workgroup> part: array<f32, THREADS>;

fn reduce_max(tid: u32, v: f32) -> f32 {
    part[tid] = v;
    workgroupBarrier();
    for (var step = THREADS / 2u; step > 0u; step /= 2u) {
        if (tid < step) {
            part[tid] = max(part[tid], part[tid + step]);
        }
        workgroupBarrier();
    }
    let r = part[0];
    workgroupBarrier();
    return r;
}

fn reduce_sum(tid: u32, v: f32) -> f32 {
    part[tid] = v;
    workgroupBarrier();
    for (var step = THREADS / 2u; step > 0u; step /= 2u) {
        if (tid < step) {
            part[tid] += part[tid + step];
        }
        workgroupBarrier();
    }
    let r = part[0];
    workgroupBarrier();
    return r;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let row = wg.x * COLS;
    var most = -3.0e38;
    for (var i = tid; i < COLS; i += THREADS) {
        most = max(most, a[row + i]);
    }
    most = reduce_max(tid, most);
    var sum = 0.0;
    for (var i = tid; i < COLS; i += THREADS) {
        sum += exp(a[row + i] - most);
    }
    sum = reduce_sum(tid, sum);
    for (var i = tid; i < COLS; i += THREADS) {
        c[row + i] = exp(a[row + i] - most) / sum;
    }
}
