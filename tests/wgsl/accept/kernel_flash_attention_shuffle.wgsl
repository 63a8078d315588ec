// The way of onnxruntime's attention kernel: tiles as private arrays, keys from other lanes by shuffles, no matrix units.
enable f16;
enable subgroups;
diagnostic(off, subgroup_uniformity);
alias q_value_t = vec4<f16>;
alias q_element_t = f16;
struct Uniforms { new_len: u32, total_len: u32, n_reps: u32, alpha: f32, tiles: u32, };
@group(0) @binding(0) var<storage, read> q: array<q_value_t>;
@group(0) @binding(1) var<storage, read> present_key: array<q_value_t>;
@group(0) @binding(2) var<storage, read> present_value: array<q_value_t>;
@group(0) @binding(3) var<storage, read_write> output: array<q_value_t>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;
const head_size : u32 = 96;
const num_heads : u32 = 8;
const workgroup_size_x : u32 = 64;
const min_value = q_element_t(-65504.0);
const max_k_step : u32 = 16u;
const vec_factor : u32 = 4u;
const head_size_vec : u32 = head_size / vec_factor;
var<workgroup> k_tile : array<array<q_value_t, head_size_vec>, max_k_step>;
var<workgroup> v_tile : array<array<q_value_t, head_size_vec>, max_k_step>;
var<private> q_tile : array<q_value_t, head_size_vec>;
var<private> o_tile : array<q_value_t, head_size_vec>;
fn loadq(q_idx : u32, head_idx : u32, alpha : q_element_t) {
  let offset = q_idx * head_size_vec * num_heads + head_idx * head_size_vec;
  for (var idx : u32 = 0; idx < head_size_vec; idx++) {
    q_tile[idx] = q[idx + offset] * alpha;
  }
}
fn loadk(k_start : u32, local_idx : u32, k_step : u32) {
  for (var idx : u32 = local_idx; idx < head_size_vec * k_step; idx += workgroup_size_x) {
    let slot = u32(idx / head_size_vec);
    let val = select(q_value_t(0), present_key[k_start * head_size_vec + idx], k_start + slot < uniforms.total_len);
    k_tile[slot][idx % head_size_vec] = val;
    v_tile[slot][idx % head_size_vec] = select(q_value_t(0), present_value[k_start * head_size_vec + idx], k_start + slot < uniforms.total_len);
  }
}
fn bias(k_idx : u32) -> vec4<q_element_t> {
  if (k_idx >= uniforms.total_len) {
    return vec4<q_element_t>(0);
  }
  return vec4<q_element_t>(0, 0, f16(k_idx % 2), 0);
}
fn fetch(k_idx: u32, k_val: q_value_t) -> q_value_t {
    return subgroupShuffle(k_val, k_idx);
}
@compute @workgroup_size(workgroup_size_x)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local_idx: u32,
        @builtin(subgroup_invocation_id) sg_id: u32, @builtin(subgroup_size) sg_size: u32) {
  let head_idx = u32(workgroup_id.x / uniforms.tiles);
  let capped_id = min(sg_id, max_k_step - 1u);
  let step = min(sg_size, max_k_step);
  let q_idx = (workgroup_id.x % uniforms.tiles) * workgroup_size_x + local_idx;
  let valid_q = q_idx < uniforms.new_len;
  if (valid_q) {
    loadq(q_idx, head_idx, q_element_t(uniforms.alpha));
  }
  var previous_max : q_element_t = min_value;
  var previous_denom : q_element_t = 0;
  let causal = uniforms.total_len - uniforms.new_len + q_idx + 1;
  for (var k_start = 0u; k_start < uniforms.total_len; k_start += step) {
    workgroupBarrier();
    loadk(k_start, local_idx, step);
    workgroupBarrier();
    var qk_1 : vec4<q_element_t>;
    var qk_2 : vec4<q_element_t>;
    for (var i : u32 = 0u; i < head_size_vec; i++) {
      var k_local = k_tile[capped_id][i];
      var q_own = q_tile[i];
      qk_1[0] += dot(q_own, fetch(0, k_local));
      qk_1[1] += dot(q_own, fetch(1, k_local));
      qk_2[2] += dot(q_own, fetch(6, k_local));
      qk_2[3] += dot(q_own, fetch(7, k_local));
    }
    qk_1 = qk_1 + bias(k_start);
    qk_1[0] = select(min_value, qk_1[0], k_start + 0 < causal);
    qk_2[3] = select(min_value, qk_2[3], k_start + 7 < causal);
    let temp = max(qk_1, qk_2);
    let local_max = max(max(temp.x, temp.y), max(temp.z, temp.w));
    let new_max = max(previous_max, local_max);
    qk_1 = q_value_t(exp(vec4<f32>(qk_1) - f32(new_max)));
    qk_2 = q_value_t(exp(vec4<f32>(qk_2) - f32(new_max)));
    let sum_vec = qk_1 + qk_2;
    let sum = sum_vec.x + sum_vec.y + sum_vec.z + sum_vec.w;
    let dleft = previous_denom * exp(previous_max - new_max);
    var d = dleft + sum;
    d = select(d, q_element_t(0.0000001), d == 0);
    qk_1 = qk_1 / d;
    previous_max = new_max;
    previous_denom = d;
    let o_ratio = dleft / d;
    for (var i : u32 = 0; i < head_size_vec; i++) {
      var val = v_tile[capped_id][i];
      var sum = subgroupShuffle(val, 0) * qk_1[0];
      sum += subgroupShuffle(val, 1) * qk_1[1];
      o_tile[i] = o_tile[i] * o_ratio + sum;
    }
  }
  if (valid_q) {
    for (var idx : u32 = 0; idx < head_size_vec; idx++) {
      output[q_idx * num_heads * head_size_vec + head_idx * head_size_vec + idx] = o_tile[idx];
    }
  }
}
