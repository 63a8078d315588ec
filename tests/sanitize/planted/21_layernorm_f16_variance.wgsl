// Planted: f16 overflow that cancels.
//! run --dispatch 5 --bind 0,0=iota:f16:5x77 --bind 0,1=random:f16:77:2 --bind 0,2=random:f16:77:3 --bind 0,3=zeros:f16:5x77 --bind 0,4=values:u32:77
//! also S0901
// Layer norm in f16, one row a workgroup.
enable f16;
enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read> gamma: array<f16>;
@group(0) @binding(2) var<storage, read> beta: array<f16>;
@group(0) @binding(3) var<storage, read_write> y: array<f16>;
@group(0) @binding(4) var<uniform> hidden_size: u32;

const WG = 64u;
alias Acc = f16;
const MAX_SUBGROUPS = 16u;
var<workgroup> sums: array<vec2<Acc>, MAX_SUBGROUPS>;

@compute @workgroup_size(WG)
fn layer_norm(@builtin(workgroup_id) wg: vec3<u32>,
              @builtin(local_invocation_index) tid: u32,
              @builtin(subgroup_id) sg: u32,
              @builtin(num_subgroups) sgs: u32) {
    let base = wg.x * hidden_size;
    let inv = 1.0 / f32(hidden_size);
    // mean and mean of squares, both already divided, so that the sums stay small
    var s = vec2<Acc>();
    for (var i = tid; i < hidden_size; i += WG) {
        let v = Acc(x[base + i]);
        s += vec2<Acc>(v, v * v) * Acc(inv); // <- S0601
    }
    s = subgroupAdd(s);
    if (subgroupElect()) {
        sums[sg] = s;
    }
    workgroupBarrier();
    var t = vec2<Acc>();
    for (var i = 0u; i < sgs; i++) {
        t += sums[i];
    }
    let variance = max(f32(t.y) - f32(t.x) * f32(t.x), 0.0);
    let scale = inverseSqrt(variance + 1e-5);
    for (var i = tid; i < hidden_size; i += WG) {
        let n = (f32(x[base + i]) - f32(t.x)) * scale;
        y[base + i] = f16(n * f32(gamma[i]) + f32(beta[i]));
    }
}
