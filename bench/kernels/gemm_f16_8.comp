#version 450
// C [m,n] = A [m,k] * B [k,n] in 8x8x8 tiles, four of them a subgroup, one subgroup a workgroup (gemm_f16_8.wgsl).
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { float16_t a[]; };
layout(set = 0, binding = 1) readonly buffer B { float16_t b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(set = 0, binding = 3) uniform S { uint m, n, k; };
void main() {
    uint row = gl_WorkGroupID.y * 16, col = gl_WorkGroupID.x * 16;
    coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> s[2][2];
    for (uint i = 0; i < 2; i++) for (uint j = 0; j < 2; j++) s[i][j] = coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>(0.0);
    for (uint d = 0; d < k; d += 8) {
        coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> l[2];
        coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> r[2];
        for (uint i = 0; i < 2; i++) coopMatLoad(l[i], a, (row + 8 * i) * k + d, k, gl_CooperativeMatrixLayoutRowMajor);
        for (uint j = 0; j < 2; j++) coopMatLoad(r[j], b, d * n + col + 8 * j, n, gl_CooperativeMatrixLayoutRowMajor);
        for (uint i = 0; i < 2; i++) for (uint j = 0; j < 2; j++) s[i][j] = coopMatMulAdd(l[i], r[j], s[i][j]);
    }
    for (uint i = 0; i < 2; i++) for (uint j = 0; j < 2; j++) coopMatStore(s[i][j], c, (row + 8 * i) * n + col + 8 * j, n, gl_CooperativeMatrixLayoutRowMajor);
}
