enable f16;
enable subgroups;
requires packed_4x8_integer_dot_product;
diagnostic(off, subgroup_uniformity);
struct Uniforms { M: u32, N: u32, K8: u32, K16: u32, };
@group(0) @binding(0) var<storage, read> input_a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> scales_a: array<f16>;
@group(0) @binding(2) var<storage, read> input_b: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> output: array<vec4<f16>>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;
const tile_size = 64;
const subtile_size = 16;
const tile_size_k =  32;
const tile_size_k_vec = 2;
var<workgroup> tile_A : array<array<vec4<u32>, tile_size>, tile_size_k_vec>;
var<workgroup> scale_A : array<f16, tile_size>;
var<workgroup> tile_B : array<array<vec4<u32>, tile_size>, tile_size_k_vec>;
fn loadSHMA(a_global_base : u32, kidx_v : u32, row : u32, col : u32) {
  let a_global = a_global_base + row;
  if (a_global >= uniforms.M) {
    return;
  }
  tile_A[col][row] = input_a[a_global * uniforms.K16 + kidx_v + col];
  if (col == 0) {
    scale_A[row] = scales_a[a_global];
  }
}
fn dequantize(packed : vec2<u32>) -> vec4<u32> {
  var lower = vec4<i32>(unpack4xU8(packed[0] & 0x0F0F0F0Fu)) - vec4<i32>(8);
  var upper = vec4<i32>(unpack4xU8((packed[0] >> 4) & 0x0F0F0F0Fu)) - vec4<i32>(8);
  var out = vec4<u32>();
  out[0] = pack4xI8(vec4<i32>(lower[0], upper[0], lower[1], upper[1]));
  out[1] = pack4xI8(vec4<i32>(lower[2], upper[2], lower[3], upper[3]));
  return out;
}
fn sdp8ai(a1 : vec4<u32>, a2 : vec4<u32>, b1 : vec4<u32>, scale : f16) -> f16 {
  var local_sum = dot4I8Packed(a1[0], b1[0]);
  local_sum += dot4I8Packed(a1[1], b1[1]);
  local_sum += dot4I8Packed(a2[2], b1[2]);
  local_sum += dot4I8Packed(a2[3], b1[3]);
  return f16(local_sum) * scale;
}
@compute @workgroup_size(256, 1, 1)
fn main(@builtin(workgroup_id) workgroup_id : vec3<u32>, @builtin(local_invocation_index) local_idx : u32,
        @builtin(subgroup_invocation_id) sg_id : u32, @builtin(subgroup_size) sg_size : u32) {
  let a_base = workgroup_id.y * tile_size;
  let load_row_a = local_idx / 4;
  let load_col_a = local_idx % 2;
  let subtile = local_idx / subtile_size;
  let base_A = (subtile / 4) * 16;
  let base_B = (subtile % 4) * 16;
  let a_idx = base_A + local_idx % subtile_size;
  var lane_output1 : vec4<f16>;
  var lane_output2 : vec4<f16>;
  for (var kidx_v : u32 = 0; kidx_v < uniforms.K16; kidx_v += 2) {
    if (local_idx < 128) {
      loadSHMA(a_base, kidx_v, load_row_a, load_col_a);
    } else {
      tile_B[load_col_a][load_row_a % 64] = dequantize(input_b[local_idx + kidx_v]);
    }
    workgroupBarrier();
    var own_a0 : vec4<u32> = tile_A[0][a_idx];
    var own_a1 : vec4<u32> = tile_A[1][a_idx];
    var own_scale_a : f16 = scale_A[a_idx];
    if (sg_size == 16) {
      var own_b0 : vec4<u32> = tile_B[0][base_B + sg_id];
      lane_output1[0] += sdp8ai(own_a0, own_a1, subgroupShuffle(own_b0, 0), own_scale_a);
      lane_output1[1] += sdp8ai(own_a0, own_a1, subgroupShuffle(own_b0, 1), own_scale_a);
    } else {
      lane_output1[0] += sdp8ai(own_a0, own_a1, tile_B[0][base_B + 0], own_scale_a);
      lane_output2[3] += sdp8ai(own_a0, own_a1, tile_B[1][base_B + 7], own_scale_a);
    }
    workgroupBarrier();
  }
  let output_idx = ((a_base + a_idx) * uniforms.N + base_B) / 4;
  if (a_base + a_idx < uniforms.M) {
    output[output_idx] = lane_output1;
    output[output_idx + 1] = lane_output2;
  }
}
