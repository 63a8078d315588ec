//! dispatch 3
//! d       u32 120 iota
//! r       u32 120 zeros
//! n       u32 1 values 61
//! expect  r == values 5061 5067 5073 5079 5085 5091 5097 5103 5109 5115 5121 5127 5133 5139 5145 5151 5157 5163 5169 5175 5181 5187 5193 5199 5205 5211 5217 5223 5229 5235 5241 5247 5253 5259 5265 5271 5277 5283 5289 5295 5061 5067 5073 5079 5085 5091 5097 5103 5109 5115 5121 5127 5133 5139 5145 5151 5157 5163 5169 5175 5181 5187 5193 5199 5205 5211 5217 5223 5229 5235 5241 5247 5253 5259 5265 5271 5277 5283 5289 5295 5061 5067 5073 5079 5085 5091 5097 5103 5109 5115 5121 5127 5133 5139 5145 5151 5157 5163 5169 5175 5181 5187 5193 5199 5205 5211 5217 5223 5229 5235 5241 5247 5253 5259 5265 5271 5277 5283 5289 5295
// Indices that loops and conditions keep inside their arrays, in workgroups whose last subgroup is not full, beside
// others that look alike and are not: what is proved for lanes that are there says nothing about the rest.
@group(0) @binding(0) var<storage, read> d: array<u32>;
@group(0) @binding(1) var<storage, read_write> r: array<u32>;
@group(0) @binding(2) var<uniform> n: u32;

var<workgroup> before: array<u32, 8>;
var<workgroup> copy: array<u32, 104>;
var<workgroup> after: array<u32, 8>;

fn guarded(i: u32) -> u32 {
    if (i >= arrayLength(&d)) {
        return 1000u;
    }
    return d[i];
}

@compute @workgroup_size(40)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Three turns for some lanes, two for others.
    for (var i = lane; i < 104; i += 40) {
        copy[i] = d[i];
    }
    if (lane < 8) {
        before[lane] = 7;
        after[lane] = 9;
    }
    workgroupBarrier();
    var sum = 0u;
    // Whole turns for all lanes that are there; the last elements are not met.
    for (var base = 0u; base < 80; base += 40) {
        sum += copy[base + lane];
    }
    for (var k = 0u; k < n; k++) {
        sum += copy[k + 43];
    }
    for (var k = 0u; k < 8; k++) {
        sum += before[k] * after[k];
    }
    if (n < 62) {
        sum += copy[n + lane]; // at most 100
    }
    for (var k = 4294967290u; k < 4294967294; k += 2) { // two turns: the next step would wrap
        sum += k - 4294967290;
    }
    for (var k = 2147483647u; k < 64; k++) { // never: what is known of k excludes itself
        copy[5 / (k / 100)] = k;
        sum += copy[k % (k / 100)] + copy[(k - 2147483647) << (k / 100)];
    }
    if (lane > 50 && lane < 30) {
        copy[7 / ((lane - 51) / 60)] = 7 % (lane / 51);
    }
    sum += guarded(lane * 3 + n - 60);
    r[group.x * 40 + lane] = sum;
}
