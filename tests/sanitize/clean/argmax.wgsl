// The place of the greatest number; the lower index wins.
//! run --bind 0,0=random:i32:200:1 --bind 0,1=zeros:u32:1
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> at: u32;

struct Best { value: i32, index: u32 }
var<workgroup> best: array<Best, 64>;

fn better(x: Best, y: Best) -> Best {
    if (y.value > x.value || (y.value == x.value && y.index < x.index)) {
        return y;
    }
    return x;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) tid: u32) {
    var mine = Best(a[tid], tid);
    for (var i = tid + 64u; i < arrayLength(&a); i += 64u) {
        mine = better(mine, Best(a[i], i));
    }
    best[tid] = mine;
    workgroupBarrier();
    for (var step = 32u; step > 0u; step /= 2u) {
        if (tid < step) {
            best[tid] = better(best[tid], best[tid + step]);
        }
        workgroupBarrier();
    }
    if (tid == 0u) {
        at = best[0].index;
    }
}
