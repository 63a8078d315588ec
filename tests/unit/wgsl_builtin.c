/* Built-in functions through the whole front end: for each a use that is accepted and one that is refused, values of
 * const-expressions against known numbers, and what the refusals say. */
#include "wgsl_whole.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] =
    "enable f16;\n"
    "enable subgroups;\n"
    "enable atomic_vec2u_min_max;\n"
    "enable chromium_internal_input_attachments;\n"
    "enable chromium_experimental_resource_table;\n"
    "@group(7) @binding(5) var<storage, read_write> raw: buffer<64>;\n"
    "@group(7) @binding(6) @input_attachment_index(0) var ia: input_attachment<f32>;\n"
    "@group(7) @binding(7) var<storage, read_write> wide: atomic<vec2u>;\n"
    "struct S { n: u32, tail: array<u32> }\n"
    "@group(0) @binding(0) var<storage, read_write> sb: S;\n"
    "@group(0) @binding(1) var<storage, read> ro: array<f32>;\n"
    "@group(0) @binding(2) var<storage, read_write> sa: array<atomic<i32>, 4>;\n"
    "@group(0) @binding(3) var<storage, read_write> fixed: array<u32, 4>;\n"
    "@group(0) @binding(4) var t1: texture_1d<f32>;\n"
    "@group(0) @binding(5) var t2: texture_2d<f32>;\n"
    "@group(0) @binding(6) var t2a: texture_2d_array<u32>;\n"
    "@group(0) @binding(7) var tc: texture_cube<f32>;\n"
    "@group(0) @binding(8) var td: texture_depth_2d;\n"
    "@group(0) @binding(9) var tm: texture_multisampled_2d<f32>;\n"
    "@group(0) @binding(10) var ts: texture_storage_2d<rgba8unorm, write>;\n"
    "@group(0) @binding(11) var te: texture_external;\n"
    "@group(0) @binding(12) var s: sampler;\n"
    "@group(0) @binding(13) var sc: sampler_comparison;\n"
    "var<workgroup> wa: atomic<u32>;\n"
    "var<workgroup> wv: vec4<f32>;\n"
    "var<workgroup> ws: array<i32, 8>;\n"
    "var<private> pf: f32;\n"
    "override o: i32 = 3;\n"
    "fn test(b: bool, i: i32, u: u32, f: f32, h: f16, vb: vec3<bool>, vi: vec3<i32>, vu: vec3<u32>,\n"
    "        v: vec3<f32>, vh: vec3<f16>, v2: vec2<f32>, v4: vec4<f32>, m: mat2x3<f32>,\n"
    "        q: mat3x3<f32>) {\n";

struct use {
    const char *name;
    const char *good, *bad; /* statements; NULL: none */
};

static const struct use uses[] = {
    {"all", "_ = all(vb) && all(b);", "_ = all(i);"},
    {"any", "_ = any(vb) && any(true);", "_ = any(v);"},
    {"select", "_ = select(i, 2, b) + 1;", "_ = select(i, f, b);"},
    {"select", "_ = select(v, v, vb);", "_ = select(v2, v2, vb);"},
    {"select", "_ = select(v, v, b);", "_ = select(i, i, vb);"},
    {"select", "_ = select(0, 1.5, b) * f;", "_ = select(q, q, b);"},
    {"arrayLength", "_ = arrayLength(&sb.tail) + arrayLength(&ro);", "_ = arrayLength(&fixed);"},
    {"arrayLength", NULL, "_ = arrayLength(ro);"},
    {"bitcast", "_ = bitcast<u32>(f);", "_ = bitcast<u32>(h);"},
    {"bitcast", "_ = bitcast<vec2<f16>>(u);", "_ = bitcast<vec2<f16>>(v2);"},
    {"bitcast", "_ = bitcast<vec2u>(vec4<f16>());", "_ = bitcast<f32>(0x7f800000u);"},
    {"bitcast", "_ = bitcast<u32>(4294967295);", "_ = bitcast<i32>(4294967295);"},
    {"bitcast", "_ = bitcast<vec3<i32>>(v);", "_ = bitcast(v);"},
    {"bitcast", "_ = bitcast<f32>(i);", "_ = bitcast<bool>(i);"},
    {"abs", "_ = abs(i) + abs(-2);", "_ = abs(b);"},
    {"acos", "_ = acos(f);", "_ = acos(2.0);"},
    {"acosh", "_ = acosh(v);", "_ = acosh(0.5);"},
    {"asin", "_ = asin(h);", "_ = asin(-1.5f);"},
    {"asinh", "_ = asinh(f);", "_ = asinh(i);"},
    {"atan", "_ = atan(f);", "_ = atan(u);"},
    {"atanh", "_ = atanh(f);", "_ = atanh(3.0);"},
    {"atan2", "_ = atan2(f, 1);", "_ = atan2(f, v);"},
    {"ceil", "_ = ceil(vh);", "_ = ceil(i);"},
    {"clamp", "_ = clamp(i, 0, 4);", "_ = clamp(i, 4, 0);"},
    {"clamp", "_ = clamp(v, vec3f(), vec3f(1));", "_ = clamp(v, 0.0, 1.0);"},
    {"clamp", "_ = clamp(f, 4, f);", "_ = clamp(vi, vec3(1, 2, 3), vec3(1, 2, 2));"},
    {"cos", "_ = cos(f);", "_ = cos(f, f);"},
    {"cosh", "_ = cosh(f);", "_ = cosh(1000.0f);"},
    {"countLeadingZeros", "_ = countLeadingZeros(u);", "_ = countLeadingZeros(f);"},
    {"countOneBits", "_ = countOneBits(vi);", "_ = countOneBits(1.5);"},
    {"countTrailingZeros", "_ = countTrailingZeros(8);", "_ = countTrailingZeros(h);"},
    {"cross", "_ = cross(v, v);", "_ = cross(v2, v2);"},
    {"degrees", "_ = degrees(f);", "_ = degrees(i);"},
    {"determinant", "_ = determinant(q);", "_ = determinant(m);"},
    {"distance", "_ = distance(v, v) + distance(f, 2);", "_ = distance(v, v2);"},
    {"dot", "_ = dot(vi, vec3(1, 2, 3));", "_ = dot(f, f);"},
    {"dot4U8Packed", "_ = dot4U8Packed(u, 7);", "_ = dot4U8Packed(u, i);"},
    {"dot4I8Packed", "_ = dot4I8Packed(u, u) + i;", "_ = dot4I8Packed(u);"},
    {"exp", "_ = exp(f);", "_ = exp(1000.0f);"},
    {"exp2", "_ = exp2(h);", "_ = exp2(b);"},
    {"extractBits", "_ = extractBits(i, 4, 4u);", "_ = extractBits(i, 30u, 4u);"},
    {"extractBits", "_ = extractBits(vu, u, u);", "_ = extractBits(f, u, u);"},
    {"faceForward", "_ = faceForward(v, v, v);", "_ = faceForward(f, f, f);"},
    {"firstLeadingBit", "_ = firstLeadingBit(i);", "_ = firstLeadingBit(f);"},
    {"firstTrailingBit", "_ = firstTrailingBit(vu);", "_ = firstTrailingBit(v);"},
    {"floor", "_ = floor(f);", "_ = floor(u);"},
    {"fma", "_ = fma(f, 2, 1);", "_ = fma(f, h, f);"},
    {"fract", "_ = fract(v);", "_ = fract(i);"},
    {"frexp", "_ = frexp(f).exp + i;", "_ = frexp(i);"},
    {"frexp", "let x = frexp(1.5); _ = x.fract * f;", "frexp(f);"},
    {"frexp", "_ = frexp(vh).exp + vi;", "_ = frexp(f).mantissa;"},
    {"insertBits", "_ = insertBits(u, 3, 0, 2);", "_ = insertBits(u, 3, 31, 2);"},
    {"insertBits", "_ = insertBits(vi, vi, u, u);", "_ = insertBits(vi, i, u, u);"},
    {"inverseSqrt", "_ = inverseSqrt(f);", "_ = inverseSqrt(-1.0);"},
    {"ldexp", "_ = ldexp(f, i);", "_ = ldexp(f, u);"},
    {"ldexp", "_ = ldexp(1.5, 3);", "_ = ldexp(f, 129);"},
    {"ldexp", "_ = ldexp(vh, vec3(1, 2, 3));", "_ = ldexp(v, i);"},
    {"ldexp", "_ = ldexp(1, i);", "_ = ldexp(h, 17);"},
    {"length", "_ = length(v) + length(f);", "_ = length(i);"},
    {"log", "_ = log(f);", "_ = log(-1.0);"},
    {"log2", "_ = log2(f);", "_ = log2(-2f);"},
    {"max", "_ = max(u, 1) + max(1, u);", "_ = max(i, u);"},
    {"min", "_ = min(vh, vec3(1.0));", "_ = min(f, v);"},
    {"mix", "_ = mix(v, v, f) + mix(v, v, v);", "_ = mix(v, v, v2);"},
    {"mix", "_ = mix(1, 2, f);", "_ = mix(i, i, f);"},
    {"modf", "_ = modf(f).whole;", "_ = modf(i);"},
    {"modf", "const x = modf(1.5); _ = x.whole * h;", "_ = modf(f) + 1;"},
    {"normalize", "_ = normalize(v);", "_ = normalize(f);"},
    {"normalize", NULL, "_ = normalize(vec2(0.0));"},
    {"pow", "_ = pow(f, 2);", "_ = pow(-1.0, 2.0);"},
    {"quantizeToF16", "_ = quantizeToF16(f);", "_ = quantizeToF16(h);"},
    {"quantizeToF16", "_ = quantizeToF16(v4);", "_ = quantizeToF16(70000.0);"},
    {"radians", "_ = radians(f);", "_ = radians(b);"},
    {"reflect", "_ = reflect(v, v);", "_ = reflect(v, f);"},
    {"refract", "_ = refract(v, v, f);", "_ = refract(v, v, v);"},
    {"reverseBits", "_ = reverseBits(u);", "_ = reverseBits(f);"},
    {"round", "_ = round(f);", "_ = round(vi);"},
    {"saturate", "_ = saturate(vh);", "_ = saturate(i);"},
    {"sign", "_ = sign(i) + sign(-3);", "_ = sign(u);"},
    {"sin", "_ = sin(f);", "_ = sin();"},
    {"sinh", "_ = sinh(f);", "_ = sinh(u);"},
    {"smoothstep", "_ = smoothstep(0, 1, f);", "_ = smoothstep(1, 1, f);"},
    {"smoothstep", "_ = smoothstep(1, 0, v.x);", "_ = smoothstep(0, 1, v);"},
    {"sqrt", "_ = sqrt(v);", "_ = sqrt(-1);"},
    {"step", "_ = step(f, 1);", "_ = step(i, i);"},
    {"tan", "_ = tan(f);", "_ = tan(i);"},
    {"tanh", "_ = tanh(f);", "_ = tanh<f32>(f);"},
    {"transpose", "_ = transpose(m) * v;", "_ = transpose(v);"},
    {"trunc", "_ = trunc(f);", "_ = trunc(i);"},
    {"pack4x8snorm", "_ = pack4x8snorm(v4);", "_ = pack4x8snorm(v);"},
    {"pack4x8unorm", "_ = pack4x8unorm(vec4(1, 0, 0.5, 0));", "_ = pack4x8unorm(f);"},
    {"pack4xI8", "_ = pack4xI8(vec4(i));", "_ = pack4xI8(v4);"},
    {"pack4xU8", "_ = pack4xU8(vec4(u));", "_ = pack4xU8(vec4(i));"},
    {"pack4xI8Clamp", "_ = pack4xI8Clamp(vec4(i));", "_ = pack4xI8Clamp(vec4(u));"},
    {"pack4xU8Clamp", "_ = pack4xU8Clamp(vec4(u));", "_ = pack4xU8Clamp(u);"},
    {"pack2x16snorm", "_ = pack2x16snorm(v2);", "_ = pack2x16snorm(v);"},
    {"pack2x16unorm", "_ = pack2x16unorm(v2);", "_ = pack2x16unorm(v4);"},
    {"pack2x16float", "_ = pack2x16float(v2);", "_ = pack2x16float(vec2(70000.0, 0));"},
    {"unpack4x8snorm", "_ = unpack4x8snorm(u) + v4;", "_ = unpack4x8snorm(i);"},
    {"unpack4x8unorm", "_ = unpack4x8unorm(u) + v4;", "_ = unpack4x8unorm(f);"},
    {"unpack4xI8", "_ = unpack4xI8(u) + i;", "_ = unpack4xI8(i);"},
    {"unpack4xU8", "_ = unpack4xU8(u) + u;", "_ = unpack4xU8(vu);"},
    {"unpack2x16snorm", "_ = unpack2x16snorm(u) + v2;", "_ = unpack2x16snorm(i);"},
    {"unpack2x16unorm", "_ = unpack2x16unorm(u) + v2;", "_ = unpack2x16unorm(f);"},
    {"unpack2x16float", "_ = unpack2x16float(u) + v2;", "_ = unpack2x16float(b);"},
    {"atomicLoad", "_ = atomicLoad(&wa) + u;", "_ = atomicLoad(&u);"},
    {"atomicLoad", "_ = atomicLoad(&sa[i]);", "_ = atomicLoad(wa);"},
    {"atomicStore", "atomicStore(&wa, 1);", "atomicStore(&wa, i);"},
    {"atomicStore", "atomicStore(&sa[0], -1);", "_ = atomicStore(&wa, 1);"},
    {"atomicAdd", "atomicAdd(&wa, u);", "atomicAdd(&wa, f);"},
    {"atomicSub", "atomicSub(&sa[1], i);", "atomicSub(&wa, 1.5);"},
    {"atomicStoreMax", "atomicStoreMax(&wide, vec2u(1));", "atomicStoreMax(&wa, 1u);"},
    {"atomicStoreMin", "atomicStoreMin(&wide, vec2(1, 2));", "_ = atomicStoreMin(&wide, vec2u(1));"},
    {"atomicMax", "_ = atomicMax(&wa, 1u);", "_ = atomicMax(&wa);"},
    {"atomicMin", "_ = atomicMin(&wa, 1u);", "_ = atomicMin(&pf, 1u);"},
    {"atomicAnd", "atomicAnd(&wa, 1u);", "atomicAnd(&wa, true);"},
    {"atomicOr", "atomicOr(&wa, 1u);", "atomicOr(&fixed[0], 1u);"},
    {"atomicXor", "atomicXor(&wa, 1u);", "atomicXor(1u, &wa);"},
    {"atomicExchange", "_ = atomicExchange(&wa, 1u);", "_ = atomicExchange(&wa, 1u, 2u);"},
    {"atomicCompareExchangeWeak", "_ = atomicCompareExchangeWeak(&wa, 1, 2).old_value + u;",
     "_ = atomicCompareExchangeWeak(&wa, 1, i);"},
    {"atomicCompareExchangeWeak", "if atomicCompareExchangeWeak(&sa[0], i, 2).exchanged { }",
     "_ = atomicCompareExchangeWeak(&wa, 1u);"},
    {"workgroupBarrier", "workgroupBarrier();", "workgroupBarrier(1);"},
    {"storageBarrier", "storageBarrier();", "_ = storageBarrier();"},
    {"textureBarrier", "textureBarrier();", "textureBarrier<f32>();"},
    {"workgroupUniformLoad", "_ = workgroupUniformLoad(&wv) + v4;", "_ = workgroupUniformLoad(&pf);"},
    {"workgroupUniformLoad", "_ = workgroupUniformLoad(&ws)[i];", "workgroupUniformLoad(&wv);"},
    {"workgroupUniformLoad", "_ = workgroupUniformLoad(&wa) + u;", "_ = workgroupUniformLoad(wv);"},
    {"subgroupElect", "if subgroupElect() { }", "subgroupElect();"},
    {"subgroupAll", "_ = subgroupAll(b);", "_ = subgroupAll(vb);"},
    {"subgroupAny", "_ = subgroupAny(true);", "_ = subgroupAny(1);"},
    {"subgroupBallot", "_ = subgroupBallot(b).x + u;", "_ = subgroupBallot(u);"},
    {"subgroupAdd", "_ = subgroupAdd(v) + subgroupAdd(vec3(1.0));", "_ = subgroupAdd(b);"},
    {"subgroupExclusiveAdd", "_ = subgroupExclusiveAdd(h);", "_ = subgroupExclusiveAdd(q);"},
    {"subgroupInclusiveAdd", "_ = subgroupInclusiveAdd(u);", "subgroupInclusiveAdd(u);"},
    {"subgroupMul", "_ = subgroupMul(i);", "_ = subgroupMul(vb);"},
    {"subgroupExclusiveMul", "_ = subgroupExclusiveMul(f);", "_ = subgroupExclusiveMul();"},
    {"subgroupInclusiveMul", "_ = subgroupInclusiveMul(f);", "_ = subgroupInclusiveMul(f, f);"},
    {"subgroupMin", "_ = subgroupMin(vi);", "_ = subgroupMin(b);"},
    {"subgroupMax", "_ = subgroupMax(vh);", "_ = subgroupMax(b);"},
    {"subgroupAnd", "_ = subgroupAnd(u);", "_ = subgroupAnd(f);"},
    {"subgroupOr", "_ = subgroupOr(vi);", "_ = subgroupOr(b);"},
    {"subgroupXor", "_ = subgroupXor(1);", "_ = subgroupXor(v);"},
    {"subgroupBroadcast", "_ = subgroupBroadcast(v, 127);", "_ = subgroupBroadcast(v, 128);"},
    {"subgroupBroadcast", "_ = subgroupBroadcast(f, 3u);", "_ = subgroupBroadcast(f, u);"},
    {"subgroupBroadcast", "const k = 2i; _ = subgroupBroadcast(f, k);", "_ = subgroupBroadcast(f, -1);"},
    {"subgroupBroadcast", NULL, "_ = subgroupBroadcast(f, o);"},
    {"subgroupBroadcastFirst", "_ = subgroupBroadcastFirst(f);", "_ = subgroupBroadcastFirst(f, 0);"},
    {"subgroupShuffle", "_ = subgroupShuffle(f, u) + subgroupShuffle(f, i);", "_ = subgroupShuffle(f, 128u);"},
    {"subgroupShuffle", "_ = subgroupShuffle(f, 5);", "_ = subgroupShuffle(f, f);"},
    {"subgroupShuffleDown", "_ = subgroupShuffleDown(f, u);", "_ = subgroupShuffleDown(f, i);"},
    {"subgroupShuffleUp", "_ = subgroupShuffleUp(vi, 1);", "_ = subgroupShuffleUp(vi, 200);"},
    {"subgroupShuffleXor", "_ = subgroupShuffleXor(f, 1);", "_ = subgroupShuffleXor(b, 1);"},
    {"quadBroadcast", "_ = quadBroadcast(f, 3);", "_ = quadBroadcast(f, 4);"},
    {"quadSwapX", "_ = quadSwapX(f);", "_ = quadSwapX(b);"},
    {"quadSwapY", "_ = quadSwapY(f);", "quadSwapY(f);"},
    {"quadSwapDiagonal", "_ = quadSwapDiagonal(vh);", "_ = quadSwapDiagonal();"},
    {"dpdx", "_ = dpdx(f);", "_ = dpdx(h);"},
    {"dpdxCoarse", "_ = dpdxCoarse(v);", "_ = dpdxCoarse(i);"},
    {"dpdxFine", "_ = dpdxFine(v);", "_ = dpdxFine();"},
    {"dpdy", "_ = dpdy(f);", "dpdy(f);"},
    {"dpdyCoarse", "_ = dpdyCoarse(v);", "_ = dpdyCoarse(u);"},
    {"dpdyFine", "_ = dpdyFine(v);", "_ = dpdyFine(b);"},
    {"fwidth", "_ = fwidth(1.0);", "_ = fwidth(vi);"},
    {"fwidthCoarse", "_ = fwidthCoarse(v);", "_ = fwidthCoarse(u);"},
    {"fwidthFine", "_ = fwidthFine(v);", "_ = fwidthFine(b);"},
    {"textureDimensions", "_ = textureDimensions(t2) + textureDimensions(t2, 1) + textureDimensions(tc);",
     "_ = textureDimensions(s);"},
    {"textureDimensions", "_ = textureDimensions(t1) + u;", "_ = textureDimensions(tm, 1);"},
    {"textureGather", "_ = textureGather(1, t2, s, v2) + textureGather(td, s, v2);",
     "_ = textureGather(u, t2, s, v2);"},
    {"textureGatherCompare", "_ = textureGatherCompare(td, sc, v2, f);", "_ = textureGatherCompare(td, s, v2, f);"},
    {"textureLoad", "_ = textureLoad(t2, vi.xy, 0).x + textureLoad(td, vec2(1), 0);", "_ = textureLoad(t2, v2, 0);"},
    {"textureLoad", "_ = textureLoad(t2a, vu.xy, 1, 0).x + u;", "_ = textureLoad(t2a, vu.xy, 1);"},
    {"textureLoad", "_ = textureLoad(tm, vi.xy, 2).x + textureLoad(te, vi.xy).y;", "_ = textureLoad(tc, vi, 0);"},
    {"textureNumLayers", "_ = textureNumLayers(t2a);", "_ = textureNumLayers(t2);"},
    {"textureNumLevels", "_ = textureNumLevels(t2);", "_ = textureNumLevels(tm);"},
    {"inputAttachmentLoad", "_ = inputAttachmentLoad(ia);", "_ = inputAttachmentLoad(t2);"},
    {"textureNumSamples", "_ = textureNumSamples(tm);", "_ = textureNumSamples(t2);"},
    {"textureSample", "_ = textureSample(t2, s, v2) + textureSample(t2, s, v2, vec2(1, -8));",
     "_ = textureSample(t2, s, v2, vec2(1, 8));"},
    {"textureSample", "_ = textureSample(tc, s, v).x + textureSample(td, s, v2);",
     "_ = textureSample(tc, s, v, vec3(1));"},
    {"textureSampleBias", "_ = textureSampleBias(t2, s, v2, 1);", "_ = textureSampleBias(td, s, v2, 1);"},
    {"textureSampleCompare", "_ = textureSampleCompare(td, sc, v2, f) + f;",
     "_ = textureSampleCompare(t2, sc, v2, f);"},
    {"textureSampleCompareLevel", "_ = textureSampleCompareLevel(td, sc, v2, f);",
     "_ = textureSampleCompareLevel(td, sc, v2);"},
    {"textureSampleGrad", "_ = textureSampleGrad(t2, s, v2, v2, v2);", "_ = textureSampleGrad(t2, s, v2, v2, v);"},
    {"textureSampleLevel", "_ = textureSampleLevel(t2, s, v2, f) + textureSampleLevel(td, s, v2, 1);",
     "_ = textureSampleLevel(td, s, v2, f);"},
    {"textureSampleBaseClampToEdge", "_ = textureSampleBaseClampToEdge(te, s, v2);",
     "_ = textureSampleBaseClampToEdge(tc, s, v);"},
    {"textureStore", "textureStore(ts, vi.xy, v4);", "textureStore(t2, vi.xy, v4);"},
    {"bufferView", "_ = bufferView<vec4f>(&raw, 48);", "_ = bufferView<vec4f>(&raw, 64);"},
    {"bufferArrayView", "_ = bufferArrayView<array<u32>>(&raw, u, 8);", "_ = bufferArrayView<array<u32>>(&raw, u, 6);"},
    {"bufferLength", "_ = bufferLength(&raw);", "_ = bufferLength(&ro);"},
    {"hasResource", "_ = hasResource<sampler>(u) && b;", "_ = hasResource<f32>(u);"},
    {"getResource", "_ = textureLoad(getResource<texture_2d<f32>>(i), vi.xy, 0);", "getResource<sampler>(1);"},
    {"print", "print(i); print(v2);", "print(m);"},
    {"textureStore", NULL, "textureStore(ts, vi.xy, vec4(u));"},
};

static char program[8192];

static void check_statement(const struct use *u, const char *statement, bool want)
{
    front f;
    if (statement == NULL) return;
    snprintf(program, sizeof program, "%s    %s\n}\n", head, statement);
    front_run(&f, program);
    if (f.ok != want) {
        fprintf(stderr, "%s: `%s` should be %s\n%s\n%s\n", u->name, statement, want ? "accepted" : "refused",
                tsr_text_get(&f.messages), tsr_text_get(&f.ir_text));
    }
    assert_int_equal(f.ok, want);
    if (!want) assert_true(f.diags.error_count == 1);
    front_free(&f);
}

static void every_function_accepts_and_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < TSR_COUNT_OF(uses); i++) {
        check_statement(&uses[i], uses[i].good, true);
        check_statement(&uses[i], uses[i].bad, false);
    }
}

static void check_covered(const char *name)
{
    for (size_t i = 0; i < TSR_COUNT_OF(uses); i++)
        if (strcmp(uses[i].name, name) == 0) return;
    fail_msg("no case for `%s`", name);
}

static void no_function_is_missing_here(void **state)
{
    (void)state;
#define BUILTIN(name, scalars, params, result, op, flags, check) check_covered(#name);
#define TEXTURE(name, kinds, dims, params, result, flags)        check_covered(#name);
#include "wgsl/builtin.def"
}

/* ---- Values. */

static const char *const facts[] = {
    "all(vec2(true, true)) && !all(vec2(true, false)) && all(true)",
    "any(vec2(false, true)) && !any(vec3(false))",
    "select(1, 2, true) == 2 && select(1.5, 2, false) == 1.5",
    "all(select(vec2(1, 2), vec2(3, 4), vec2(true, false)) == vec2(3, 2))",
    "all(select(vec2(1, 2), vec2(3, 4), true) == vec2(3, 4))",
    "bitcast<u32>(1.0f) == 0x3f800000u && bitcast<i32>(0xffffffffu) == -1i",
    "bitcast<u32>(vec2<f16>(1.0h, -2.0h)) == 0xc0003c00u",
    "all(bitcast<vec2<f16>>(0xc0003c00u) == vec2(1.0h, -2.0h))",
    "bitcast<u32>(4294967295) == 4294967295u && bitcast<f32>(1065353216) == 1.0f",
    "abs(-3) == 3 && abs(-2.5) == 2.5 && abs(i32(-2147483648)) == i32(-2147483648)",
    "abs(acos(0.5) - 1.0471975511965979) < 1e-12 && abs(acosh(2.0) - 1.3169578969248166) < 1e-12",
    "abs(asin(0.5) - 0.5235987755982989) < 1e-12 && abs(asinh(1.0) - 0.881373587019543) < 1e-12",
    "abs(atan(1.0) - 0.7853981633974483) < 1e-12 && abs(atanh(0.5) - 0.5493061443340548) < 1e-12",
    "abs(atan2(1.0, -1.0) - 2.356194490192345) < 1e-12",
    "ceil(1.2) == 2.0 && floor(-1.2) == -2.0 && round(2.5) == 2.0 && round(3.5) == 4.0 && trunc(-1.7) == -1.0",
    "clamp(5, 0, 3) == 3 && clamp(-1.0, 0, 3) == 0.0 && all(clamp(vec2(-1, 9), vec2(0), vec2(4)) == vec2(0, 4))",
    "abs(cos(1.0) - 0.5403023058681398) < 1e-12 && abs(cosh(1.0) - 1.5430806348152437) < 1e-12",
    "countLeadingZeros(1u) == 31u && countOneBits(0xf0fu) == 8u && countTrailingZeros(8) == 3",
    "countLeadingZeros(0u) == 32u && countTrailingZeros(0i) == 32i",
    "all(cross(vec3(1.0, 0, 0), vec3(0.0, 1, 0)) == vec3(0.0, 0, 1))",
    "abs(degrees(3.141592653589793) - 180.0) < 1e-10 && abs(radians(180.0) - 3.141592653589793) < 1e-12",
    "determinant(mat2x2(1.0, 2, 3, 4)) == -2.0",
    "distance(vec2(0.0, 0), vec2(3.0, 4)) == 5.0 && length(vec2(3.0, 4)) == 5.0 && length(-2.0) == 2.0",
    "dot(vec3(1, 2, 3), vec3(4, 5, 6)) == 32 && dot(vec2(1.5, 2), vec2(2.0, 1)) == 5.0",
    "dot4U8Packed(0x01020304u, 0x01010101u) == 10u && dot4I8Packed(0xff02u, 0x0101u) == 1i",
    "abs(exp(1.0) - 2.718281828459045) < 1e-12 && exp2(10.0) == 1024.0",
    "extractBits(0xabcdu, 4, 8) == 0xbcu && extractBits(0xf0i, 4, 4) == -1i && extractBits(7u, 32, 0) == 0u",
    "all(faceForward(vec2(1.0, 2), vec2(0.0, 1), vec2(0.0, 1)) == vec2(-1.0, -2))",
    "firstLeadingBit(0x10u) == 4u && firstLeadingBit(-1i) == -1i && firstTrailingBit(24u) == 3u",
    "firstLeadingBit(0u) == 0xffffffffu",
    "fma(2.0, 3, 4) == 10.0 && fract(1.25) == 0.25 && fract(-0.25) == 0.75",
    "frexp(6.0).fract == 0.75 && frexp(6.0).exp == 3 && frexp(6.0f).exp == 3i",
    "all(frexp(vec2(6.0, 0.5)).exp == vec2(3, 0))",
    "insertBits(0u, 0xfu, 4, 4) == 0xf0u && insertBits(0xffffffffu, 0, 0, 32) == 0u",
    "inverseSqrt(4.0) == 0.5 && ldexp(1.5, 3) == 12.0 && ldexp(1.5f, 3) == 12.0f && ldexp(1, 3) == 8.0",
    "log(1.0) == 0.0 && log2(8.0) == 3.0",
    "max(1, 2) == 2 && min(1.5, 2) == 1.5 && max(1u, 2) == 2u",
    "mix(1.0, 3, 0.5) == 2.0 && all(mix(vec2(0.0, 2), vec2(4.0, 2), 0.25) == vec2(1.0, 2))",
    "modf(-1.25).fract == -0.25 && modf(-1.25).whole == -1.0",
    "all(normalize(vec2(3.0, 4)) == vec2(0.6, 0.8))",
    "pow(2.0, 10) == 1024.0 && quantizeToF16(1.0009765625f) == 1.0009765625f",
    "quantizeToF16(0.1f) == 0.0999755859375f",
    "all(reflect(vec2(1.0, -1), vec2(0.0, 1)) == vec2(1.0, 1))",
    "all(refract(vec2(0.0, -1), vec2(0.0, 1), 1.0) == vec2(0.0, -1))",
    "reverseBits(1u) == 0x80000000u && saturate(1.5) == 1.0 && saturate(-1.0) == 0.0",
    "sign(-3) == -1 && sign(0.0) == 0.0 && sign(2.5) == 1.0",
    "abs(sin(1.0) - 0.8414709848078965) < 1e-12 && abs(sinh(1.0) - 1.1752011936438014) < 1e-12",
    "smoothstep(0.0, 2, 1) == 0.5 && smoothstep(2.0, 0, 3) == 0.0",
    "sqrt(2.25) == 1.5 && step(1.0, 2) == 1.0 && step(1.0, 0.5) == 0.0",
    "abs(tan(1.0) - 1.5574077246549023) < 1e-12 && abs(tanh(1.0) - 0.7615941559557649) < 1e-12",
    "all(transpose(mat2x3(1.0, 2, 3, 4, 5, 6))[2] == vec2(3.0, 6))",
    "pack4x8snorm(vec4(1.0, -1, 0, 0.5)) == 0x4000817fu && pack4x8unorm(vec4(1.0, 0, 0, 0.5)) == 0x800000ffu",
    "pack4xI8(vec4(1, -1, 2, -128)) == 0x8002ff01u && pack4xU8(vec4(1u, 255, 2, 3)) == 0x0302ff01u",
    "pack4xI8Clamp(vec4(300, -300, 0, 1)) == 0x0100807fu && pack4xU8Clamp(vec4(300u, 1, 2, 3)) == 0x030201ffu",
    "pack2x16snorm(vec2(1.0, -1)) == 0x80017fffu && pack2x16unorm(vec2(1.0, 0)) == 0xffffu",
    "pack2x16float(vec2(1.0, -2)) == 0xc0003c00u && all(unpack2x16float(0xc0003c00u) == vec2(1.0f, -2))",
    "all(unpack4xI8(0x8002ff01u) == vec4(1i, -1, 2, -128)) && all(unpack4xU8(0x0302ff01u) == vec4(1u, 255, 2, 3))",
    "all(unpack4x8unorm(0xff0000ffu) == vec4(1f, 0, 0, 1)) && unpack4x8snorm(0x81u).x == -1f",
    "all(unpack2x16unorm(0xffffu) == vec2(1f, 0)) && all(unpack2x16snorm(0x80017fffu) == vec2(1f, -1))",
};

static void constants_have_known_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < TSR_COUNT_OF(facts); i++) {
        front f;
        snprintf(program, sizeof program, "enable f16;\nconst_assert %s;\n", facts[i]);
        front_run(&f, program);
        if (!f.ok) fprintf(stderr, "%s\n", tsr_text_get(&f.messages));
        assert_true(f.ok);
        front_free(&f);
    }
}

/* ---- Messages and rules around the call. */

static void check_message(const char *text, const char *part)
{
    front f;
    front_run(&f, text);
    const char *all = tsr_text_get(&f.messages);
    if (f.ok || strstr(all, part) == NULL) fprintf(stderr, "wanted `%s`, got:\n%s\n", part, all);
    assert_false(f.ok);
    assert_non_null(strstr(all, part));
    front_free(&f);
}

static void check_good(const char *text, const char *part)
{
    front f;
    front_run(&f, text);
    if (!f.ok) fprintf(stderr, "%s\n%s\n", text, tsr_text_get(&f.messages));
    assert_true(f.ok);
    if (part != NULL && strstr(tsr_text_get(&f.ir_text), part) == NULL)
        fprintf(stderr, "wanted `%s`, got:\n%s\n", part, tsr_text_get(&f.ir_text));
    if (part != NULL) assert_non_null(strstr(tsr_text_get(&f.ir_text), part));
    front_free(&f);
}

static void refusals_say_what_to_do(void **state)
{
    (void)state;
    check_message("fn f(x: f32) { _ = subgroupAdd(x); }", "enable subgroups;");
    check_message("fn f(x: f32) { _ = clamp(x, 1u, 2); }", "`clamp` cannot be called with (f32, u32, AbstractInt)");
    check_message("fn f(x: f32) { _ = clamp(x, 1u, 2); }", "argument 2, `u32`, does not go with the other arguments");
    check_message("fn f(x: bool) { _ = sqrt(x); }", "argument 1, `bool`, is none of these");
    check_message("fn f(x: f32) { _ = pow(x); }", "takes 2 arguments, 1 given");
    check_message("fn f(x: f32) { _ = mix(x, x, true); }", "mix(vecN<S>, vecN<S>, S)");
    check_message("fn f(x: f32) { sqrt(x); }", "sqrt");
    check_message("enable subgroups; const x = subgroupElect();", "in a function");
    check_message("fn f(x: i32) { _ = clamp(x, 9, 3); }", "low 9i greater than high 3i");
}

static void declarations_hide_functions(void **state)
{
    (void)state;
    check_good("fn min(a: i32) -> i32 { return a; } fn f() { _ = min(1); }", NULL);
    check_message("fn f() { let max = 1; _ = max(1, 2); }", "max");
}

static void overrides_are_known_early(void **state)
{
    (void)state;
    check_good("override a: f32 = 2; override b = sqrt(a) + max(1, a);", "sqrt");
    check_good("override n: u32 = 4; var<workgroup> w: array<f32, max(n, 8)>;\n"
               "@compute @workgroup_size(1) fn main() { w[0] = 1; }",
               "max");
    check_good("override c = clamp(3, 1, 5); override d = select(1, 2, c > 2);", "select");
}

static void scalars_are_splatted(void **state)
{
    (void)state;
    check_good("@group(0) @binding(0) var<storage, read_write> r: vec3f;\n"
               "fn f(a: vec3f, t: f32) { r = mix(a, a, t); }",
               "splat");
    check_good("fn f(a: vec2f, c: bool) { _ = select(a, a, c); }", "splat");
    check_good("fn f(a: vec2i, o: u32) { _ = extractBits(a, o, 2); }", "splat");
}

static void stages_are_checked(void **state)
{
    (void)state;
    check_message("fn g() { workgroupBarrier(); } @fragment fn f() { g(); }",
                  "a barrier can only be used in compute shaders");
    check_message("@compute @workgroup_size(1) fn c() { _ = dpdx(1.0); }", "dpdx can only be used in fragment shaders");
    check_message("enable subgroups; @vertex fn v() -> @builtin(position) vec4f { return vec4f(subgroupAdd(1.0)); }",
                  "can only be used in compute and fragment shaders");
    check_message("var<workgroup> w: f32; @fragment fn f() { _ = w; }", "workgroup");
    check_good("enable subgroups; @fragment fn f() { _ = subgroupAdd(1.0); _ = dpdx(1.0); }", NULL);
}

static void arguments_are_bounded(void **state)
{
    (void)state;
    check_message("fn f() { _ = max(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1); }",
                  "no built-in function takes more than 8");
    check_message("fn f() { _ = max(nothing, 1); }", "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_accepts_and_refuses),
        cmocka_unit_test(no_function_is_missing_here),
        cmocka_unit_test(constants_have_known_values),
        cmocka_unit_test(refusals_say_what_to_do),
        cmocka_unit_test(declarations_hide_functions),
        cmocka_unit_test(overrides_are_known_early),
        cmocka_unit_test(scalars_are_splatted),
        cmocka_unit_test(stages_are_checked),
        cmocka_unit_test(arguments_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
