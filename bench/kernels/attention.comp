#version 460
// The same kernel as attention.wgsl, line by line, for compilers of GLSL.

#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require

// ---- Sizes. Those in capitals come from outside.

layout(constant_id = 0) const uint HEAD_QK = 64;
layout(constant_id = 1) const uint HEAD_V = 64;
layout(constant_id = 2) const uint KV_BITS = 16;
layout(constant_id = 3) const bool USE_MASK = true;
layout(constant_id = 4) const bool USE_SINKS = true;
layout(constant_id = 5) const bool USE_CAP = true;

const uint TM = 8u;
const uint TN = 8u;
const uint TK = 8u;
const uint Q_ROWS = TM;
const uint KV_ROWS = 32u;
const uint INVOCATIONS = 128u;
const uint KV_TILES = KV_ROWS / TN;
const uint QUANT_BLOCK = 32u;
const uint HALVES_PER_BLOCK_8 = 17u;
const uint HALVES_PER_BLOCK_4 = 9u;
const float FLOOR = -65504.0;
const float LOG2_E = 1.4426950408889634;

const uint Q_ELEMENTS = Q_ROWS * HEAD_QK;
const uint V_ELEMENTS = Q_ROWS * HEAD_V;
const uint BLOCKS_QK = (HEAD_QK + QUANT_BLOCK - 1u) / QUANT_BLOCK;
const uint BLOCKS_V = (HEAD_V + QUANT_BLOCK - 1u) / QUANT_BLOCK;

#define LeftMatrix coopmat<float16_t, gl_ScopeSubgroup, TM, TK, gl_MatrixUseA>
#define RightMatrix coopmat<float16_t, gl_ScopeSubgroup, TK, TN, gl_MatrixUseB>
#define ResultMatrix coopmat<float16_t, gl_ScopeSubgroup, TM, TN, gl_MatrixUseAccumulator>

layout(local_size_x = 128, local_size_y = 1, local_size_z = 1) in;

// ---- Data.

struct Shape {
    uint heads;
    uint heads_kv;
    uint rows_q;
    uint rows_kv;
};

struct Strides {
    uint row;
    uint head;
    uint batch;
    uint offset;
};

struct Softmax {
    float scale;
    float cap;
    float max_bias;
    float slope_base_0;
    float slope_base_1;
    float heads_log2;
    uint causal;
    uint batch;
};

struct Params {
    Shape shape;
    Strides q;
    Strides k;
    Strides v;
    Strides o;
    uint mask_stride;
    uint mask_offset;
    Softmax softmax;
};

layout(set = 0, binding = 0) readonly buffer QBuffer { float q[]; };
layout(set = 0, binding = 1) readonly buffer KBuffer { float16_t k[]; };
layout(set = 0, binding = 2) readonly buffer VBuffer { float16_t v[]; };
layout(set = 0, binding = 3) readonly buffer MaskBuffer { float16_t mask[]; };
layout(set = 0, binding = 4) readonly buffer SinkBuffer { float sinks[]; };
layout(set = 0, binding = 5) buffer OBuffer { float o[]; };
layout(set = 0, binding = 6) readonly buffer ParamBuffer { Params params; };

shared float16_t q_tile[Q_ROWS * 256];
shared float16_t kv_tile[KV_ROWS * 256];
shared float16_t o_tile[Q_ROWS * 256];
shared float16_t mask_tile[Q_ROWS * KV_ROWS];
shared float16_t score_tile[Q_ROWS * KV_ROWS];
shared float row_max[Q_ROWS];
shared float row_sum[Q_ROWS];
shared float row_scale[Q_ROWS];

// ---- Small helpers.

uint round_up(uint x, uint to) {
    return (x + to - 1u) / to * to;
}

uint byte_of(uint word, uint index) {
    return (word >> (index * 8u)) & 0xffu;
}

int signed_byte_of(uint word, uint index) {
    return int(byte_of(word, index) << 24u) >> 24u;
}

f16vec2 nibbles_of(uint word, uint index) {
    uint both = byte_of(word, index);
    return f16vec2(float16_t(both & 0xfu), float16_t(both >> 4u)) - f16vec2(float16_t(8.0));
}

float soft_cap(float x, float cap) {
    if (!USE_CAP || cap == 0.0) {
        return x;
    }
    return cap * tanh(x / cap);
}

float fast_exp(float x) {
    return exp2(x * LOG2_E);
}

// The slope of the linear position bias of a head.
float slope_of(uint head) {
    Softmax s = params.softmax;
    if (s.max_bias <= 0.0) {
        return 1.0;
    }
    float h = float(head);
    float near = pow(s.slope_base_0, h + 1.0);
    float far = pow(s.slope_base_1, 2.0 * (h - s.heads_log2) + 1.0);
    return h < s.heads_log2 ? near : far;
}

uint start_of(Strides s, uint batch, uint head) {
    return s.offset + batch * s.batch + head * s.head;
}

// Whether query row `row` may see key row `col`.
bool sees(uint row, uint col) {
    Shape shape = params.shape;
    if (row >= shape.rows_q || col >= shape.rows_kv) {
        return false;
    }
    if (params.softmax.causal == 0u) {
        return true;
    }
    return col + shape.rows_q <= row + shape.rows_kv;
}

// ---- Copies to workgroup memory: the only code that knows about edges and formats.

void load_q(uint lane, uint start, uint row0) {
    for (uint i = lane; i < Q_ELEMENTS; i += INVOCATIONS) {
        uint row = i / HEAD_QK;
        uint col = i % HEAD_QK;
        float x = 0.0;
        if (row0 + row < params.shape.rows_q) {
            x = q[start + (row0 + row) * params.q.row + col];
        }
        q_tile[i] = float16_t(clamp(x, -65504.0, 65504.0));
    }
}

void load_half_k(uint lane, uint start, uint row0, uint head_size) {
    for (uint i = lane; i < KV_ROWS * head_size; i += INVOCATIONS) {
        uint row = i / head_size;
        uint col = i % head_size;
        float16_t x = float16_t(0.0);
        if (row0 + row < params.shape.rows_kv) {
            x = k[start + (row0 + row) * params.k.row + col];
        }
        kv_tile[i] = x;
    }
}

void load_half_v(uint lane, uint start, uint row0, uint head_size) {
    for (uint i = lane; i < KV_ROWS * head_size; i += INVOCATIONS) {
        uint row = i / head_size;
        uint col = i % head_size;
        float16_t x = float16_t(0.0);
        if (row0 + row < params.shape.rows_kv) {
            x = v[start + (row0 + row) * params.v.row + col];
        }
        kv_tile[i] = x;
    }
}

// Blocks of 32 values in 8 bits behind one f16 scale.
void load_k_8bit(uint lane, uint start, uint row0) {
    for (uint i = lane; i < KV_ROWS * BLOCKS_QK * 8u; i += INVOCATIONS) {
        uint block = i / 8u;
        uint part = i % 8u;
        uint row = block / BLOCKS_QK;
        uint at = row * HEAD_QK + block % BLOCKS_QK * QUANT_BLOCK + part * 4u;
        if (row0 + row < params.shape.rows_kv) {
            uint base = (start + (row0 + row) * params.k.row + block % BLOCKS_QK) * HALVES_PER_BLOCK_8;
            float16_t scale = k[base];
            uint word = packFloat2x16(f16vec2(k[base + 1u + part * 2u], k[base + 2u + part * 2u]));
            for (uint j = 0u; j < 4u; j++) {
                kv_tile[at + j] = float16_t(signed_byte_of(word, j)) * scale;
            }
        } else {
            for (uint j = 0u; j < 4u; j++) {
                kv_tile[at + j] = float16_t(0.0);
            }
        }
    }
}

// Blocks of 32 values in 4 bits behind one f16 scale: low nibbles first, then the high ones.
void load_k_4bit(uint lane, uint start, uint row0) {
    for (uint i = lane; i < KV_ROWS * BLOCKS_QK * 4u; i += INVOCATIONS) {
        uint block = i / 4u;
        uint part = i % 4u;
        uint row = block / BLOCKS_QK;
        uint at = row * HEAD_QK + block % BLOCKS_QK * QUANT_BLOCK + part * 4u;
        float16_t scale = float16_t(0.0);
        uint word = 0u;
        if (row0 + row < params.shape.rows_kv) {
            uint base = (start + (row0 + row) * params.k.row + block % BLOCKS_QK) * HALVES_PER_BLOCK_4;
            scale = k[base];
            word = packFloat2x16(f16vec2(k[base + 1u + part * 2u], k[base + 2u + part * 2u]));
        }
        for (uint j = 0u; j < 4u; j++) {
            f16vec2 pair = nibbles_of(word, j) * scale;
            kv_tile[at + j] = pair.x;
            kv_tile[at + j + 16u] = pair.y;
        }
    }
}

void load_k(uint lane, uint start, uint row0) {
    switch (KV_BITS) {
        case 8u: {
            load_k_8bit(lane, start, row0);
            break;
        }
        case 4u: {
            load_k_4bit(lane, start, row0);
            break;
        }
        default: {
            load_half_k(lane, start, row0, HEAD_QK);
        }
    }
}

void load_mask(uint lane, uint row0, uint col0) {
    for (uint i = lane; i < Q_ROWS * KV_ROWS; i += INVOCATIONS) {
        uint row = row0 + i / KV_ROWS;
        uint col = col0 + i % KV_ROWS;
        float16_t bias = float16_t(0.0);
        if (USE_MASK && sees(row, col)) {
            bias = mask[params.mask_offset + row * params.mask_stride + col];
        }
        mask_tile[i] = bias;
    }
}

// ---- The two multiplies.

void multiply_scores(uint subgroup, uint subgroups) {
    for (uint tile = subgroup; tile < KV_TILES; tile += subgroups) {
        ResultMatrix sum = ResultMatrix(float16_t(0.0));
        LeftMatrix left;
        coopMatLoad(left, q_tile, 0u, HEAD_QK, gl_CooperativeMatrixLayoutRowMajor);
        RightMatrix right;
        coopMatLoad(right, kv_tile, tile * TN * HEAD_QK, HEAD_QK, gl_CooperativeMatrixLayoutColumnMajor);
        for (uint d = TK; d < HEAD_QK; d += TK) {
            LeftMatrix next_left;
            coopMatLoad(next_left, q_tile, d, HEAD_QK, gl_CooperativeMatrixLayoutRowMajor);
            RightMatrix next_right;
            coopMatLoad(next_right, kv_tile, tile * TN * HEAD_QK + d, HEAD_QK, gl_CooperativeMatrixLayoutColumnMajor);
            sum = coopMatMulAdd(left, right, sum);
            left = next_left;
            right = next_right;
        }
        sum = coopMatMulAdd(left, right, sum);
        coopMatStore(sum, score_tile, tile * TN, KV_ROWS, gl_CooperativeMatrixLayoutRowMajor);
    }
}

void multiply_values(uint subgroup, uint subgroups) {
    for (uint col = subgroup * TN; col < HEAD_V; col += subgroups * TN) {
        ResultMatrix sum;
        coopMatLoad(sum, o_tile, col, HEAD_V, gl_CooperativeMatrixLayoutRowMajor);
        for (uint j = 0u; j < KV_ROWS; j += 2u * TK) {
            LeftMatrix lefts[2];
            for (uint part = 0u; part < 2u; part++) {
                coopMatLoad(lefts[part], score_tile, j + part * TK, KV_ROWS, gl_CooperativeMatrixLayoutRowMajor);
            }
            for (uint part = 0u; part < 2u; part++) {
                uint at = (j + part * TK) * HEAD_V + col;
                RightMatrix right;
                coopMatLoad(right, kv_tile, at, HEAD_V, gl_CooperativeMatrixLayoutRowMajor);
                sum = coopMatMulAdd(lefts[part], right, sum);
            }
        }
        coopMatStore(sum, o_tile, col, HEAD_V, gl_CooperativeMatrixLayoutRowMajor);
    }
}

// ---- The online softmax: one row for a subgroup at a time.

void softmax_rows(uint row0, uint col0, float slope, uint subgroup, uint subgroups, uint lane, uint size) {
    for (uint row = subgroup; row < Q_ROWS; row += subgroups) {
        float old_max = row_max[row];
        float new_max = old_max;
        for (uint j = lane; j < KV_ROWS; j += size) {
            uint at = row * KV_ROWS + j;
            if (sees(row0 + row, col0 + j)) {
                float scaled = float(score_tile[at]) * params.softmax.scale;
                float biased = soft_cap(scaled, params.softmax.cap) + slope * float(mask_tile[at]);
                new_max = max(new_max, biased);
            }
        }
        new_max = subgroupMax(new_max);

        float sum = 0.0;
        for (uint j = lane; j < KV_ROWS; j += size) {
            uint at = row * KV_ROWS + j;
            float p = 0.0;
            if (sees(row0 + row, col0 + j)) {
                float scaled = float(score_tile[at]) * params.softmax.scale;
                float biased = soft_cap(scaled, params.softmax.cap) + slope * float(mask_tile[at]);
                p = fast_exp(biased - new_max);
            }
            score_tile[at] = float16_t(p);
            sum += p;
        }
        sum = subgroupAdd(sum);

        float shrink = fast_exp(old_max - new_max);
        for (uint d = lane; d < HEAD_V; d += size) {
            o_tile[row * HEAD_V + d] *= float16_t(shrink);
        }
        if (subgroupElect()) {
            row_max[row] = new_max;
            row_sum[row] = row_sum[row] * shrink + sum;
        }
    }
}

void apply_sinks(uint head, uint lane) {
    if (USE_SINKS && lane < Q_ROWS) {
        float old_max = row_max[lane];
        float new_max = max(old_max, sinks[head]);
        row_scale[lane] = fast_exp(old_max - new_max);
        row_sum[lane] = row_sum[lane] * row_scale[lane] + fast_exp(sinks[head] - new_max);
        row_max[lane] = new_max;
    } else if (lane < Q_ROWS) {
        row_scale[lane] = 1.0;
    }
}

void store_rows(uint lane, uint start, uint row0) {
    for (uint i = lane; i < V_ELEMENTS; i += INVOCATIONS) {
        uint row = i / HEAD_V;
        uint col = i % HEAD_V;
        if (row0 + row >= params.shape.rows_q) {
            continue;
        }
        float sum = row_sum[row];
        float x = sum == 0.0 ? 0.0 : float(o_tile[i]) * row_scale[row] / sum;
        o[start + (row0 + row) * params.o.row + col] = x;
    }
}

void main()
{
    uvec3 group = gl_WorkGroupID;
    uint lane = gl_LocalInvocationIndex;
    uint subgroup = gl_SubgroupID;
    uint subgroups = gl_NumSubgroups;
    uint subgroup_lane = gl_SubgroupInvocationID;
    uint subgroup_size = gl_SubgroupSize;
    Shape shape = params.shape;
    uint row0 = group.x * Q_ROWS;
    uint head = group.y;
    uint batch = group.z;
    uint head_kv = head / (shape.heads / shape.heads_kv);
    float slope = slope_of(head);
    uint q_start = start_of(params.q, batch, head);
    uint k_start = start_of(params.k, batch, head_kv);
    uint v_start = start_of(params.v, batch, head_kv);

    load_q(lane, q_start, row0);
    for (uint i = lane; i < V_ELEMENTS; i += INVOCATIONS) {
        o_tile[i] = float16_t(0.0);
    }
    if (lane < Q_ROWS) {
        row_max[lane] = FLOOR;
        row_sum[lane] = 0.0;
    }

    for (uint col0 = 0u; col0 < round_up(shape.rows_kv, KV_ROWS); col0 += KV_ROWS) {
        load_k(lane, k_start, col0);
        load_mask(lane, row0, col0);
        barrier();
        multiply_scores(subgroup, subgroups);
        barrier();
        softmax_rows(row0, col0, slope, subgroup, subgroups, subgroup_lane, subgroup_size);
        load_half_v(lane, v_start, col0, HEAD_V);
        barrier();
        multiply_values(subgroup, subgroups);
        barrier();
    }
    apply_sinks(head, lane);
    barrier();
    store_rows(lane, start_of(params.o, batch, head), row0);
}
