//! run --dispatch 7 --bind 0,0=random:f32:7x93:1 --bind 0,1=values:u32:3,92,0,4294967295,55,17,64 --bind 0,2=zeros:f32:7 --bind 0,3=zeros:f32:7x96 --bind 0,4=zeros:u32:2 --bind 0,5=values:u32:93,96
// Cross entropy of rows of logits against labels, with the gradient: online (max, sum of exponentials) pairs meet in a
// tree in workgroup memory. A label of 0xffffffff means: ignore the row (its loss and gradient are zero).
//   logits [rows, classes]   labels [rows]   loss [rows]   grad [rows, pitch], columns past the classes set to zero
// counts[0]: rows used; counts[1]: rows whose greatest logit is the label's.
struct Params {
    classes: u32,
    pitch: u32,
}

@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> labels: array<u32>;
@group(0) @binding(2) var<storage, read_write> loss: array<f32>;
@group(0) @binding(3) var<storage, read_write> grad: array<f32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>, 2>;
@group(0) @binding(5) var<uniform> params: Params;

const WG = 64u;
const IGNORE = 0xffffffffu;
const LOWEST = -3.0e38;

struct Online {
    most: f32,
    sum: f32,
    at: u32,
}

var<workgroup> tree: array<Online, WG>;
var<workgroup> label: u32;

fn merge(a: Online, b: Online) -> Online {
    var r: Online;
    r.most = max(a.most, b.most);
    r.sum = a.sum * exp(a.most - r.most) + b.sum * exp(b.most - r.most);
    r.at = select(b.at, a.at, a.most > b.most || (a.most == b.most && a.at < b.at));
    return r;
}

@compute @workgroup_size(WG)
fn cross_entropy(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let row = wg.x;
    if (tid == 0u) {
        label = labels[row];
    }
    let want = workgroupUniformLoad(&label);
    if (want == IGNORE) {
        for (var c = tid; c < params.pitch; c += WG) {
            grad[row * params.pitch + c] = 0.0;
        }
        if (tid == 0u) {
            loss[row] = 0.0;
        }
        return;
    }

    var mine = Online(LOWEST, 0.0, IGNORE);
    for (var c = tid; c < params.classes; c += WG) {
        mine = merge(mine, Online(logits[row * params.classes + c], 1.0, c));
    }
    tree[tid] = mine;
    for (var half = WG / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (tid < half) {
            tree[tid] = merge(tree[tid], tree[tid + half]);
        }
    }
    workgroupBarrier();
    let all = tree[0];
    for (var c = tid; c < params.pitch; c += WG) {
        var g = 0.0;
        if (c < params.classes) {
            g = exp(logits[row * params.classes + c] - all.most) / all.sum;
            if (c == want) {
                g -= 1.0;
            }
        }
        grad[row * params.pitch + c] = g;
    }
    if (tid == 0u) {
        loss[row] = all.most + log(all.sum) - logits[row * params.classes + want];
        atomicAdd(&counts[0], 1u);
        if (all.at == want) {
            atomicAdd(&counts[1], 1u);
        }
    }
}
