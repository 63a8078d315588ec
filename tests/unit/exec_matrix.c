/* Subgroup matrices: shapes whose sizes all differ, every component type of WGSL, against sums written here; edges. */
#include "exec_run.h"

#include "base/number.h"

enum { ROWS_MAX = 32 * 32 };

typedef struct product {
    const char *a, *r; /* component types of inputs and sum, as the text has them */
    uint32_t m, n, k;
} product;

static unsigned bytes_of(const char *type)
{
    return strchr(type, '8') ? 1 : strstr(type, "16") ? 2 : 4;
}

static void put(unsigned char *at, const char *type, size_t i, int value)
{
    union {
        float f;
        uint32_t u;
    } word = {.u = (uint32_t)(type[0] == 'u' ? value & 0xfff : value)};
    uint16_t half = tsr_f16_from_f32((float)value / 4);
    if (bytes_of(type) == 1)
        at[i] = (unsigned char)value;
    else if (bytes_of(type) == 2)
        memcpy(at + 2 * i, &half, 2);
    else {
        if (type[0] == 'f') word.f = (float)value / 4;
        memcpy(at + 4 * i, &word, 4);
    }
}

static double get(const unsigned char *at, const char *type, size_t i)
{
    uint32_t word;
    uint16_t half;
    if (bytes_of(type) == 1) return type[0] == 'u' ? at[i] : (signed char)at[i];
    if (bytes_of(type) == 2) {
        memcpy(&half, at + 2 * i, 2);
        return (double)tsr_f16_to_f32(half);
    }
    memcpy(&word, at + 4 * i, 4);
    return type[0] == 'f' ? (double)tsr_f32_from_bits(word) : type[0] == 'u' ? word : (double)(int32_t)word;
}

/* The binding's element type: 8-bit components lie in words. */
static const char *element_of(const char *type)
{
    return bytes_of(type) == 1 ? "u32" : type;
}

/* d = a * b + c in two subgroups, one of them doing nothing; a col-major, b row-major with a longer stride. */
static void run_product(const product *p, uint32_t size)
{
    enum { OFFSET = 8, GAP = 4 };
    static unsigned char a[4 * ROWS_MAX * 4], b[sizeof a], c[sizeof a], d[sizeof a];
    uint32_t stride = p->n + GAP;
    char text[4096];
    snprintf(text, sizeof text,
             "tessera_ir 1\nenable f16\nenable subgroups\nenable matrices\n"
             "global %%1 a: ptr<storage, array<%s>, read> @group(0) @binding(0)\n"
             "global %%2 b: ptr<storage, array<%s>, read> @group(0) @binding(1)\n"
             "global %%3 c: ptr<storage, array<%s>, read> @group(0) @binding(2)\n"
             "global %%4 d: ptr<storage, array<%s>, read_write> @group(0) @binding(3)\n"
             "fn main(%%5 sg: u32 @builtin(subgroup_id)) @compute @workgroup_size(%uu, 1u, 1u) {\n"
             "%%6: bool = eq %%5, 1u\nif %%6 {\n"
             "%%7: subgroup_matrix_left<%s, %u, %u> = mload.col_major %%1, %uu, %uu\n"
             "%%8: subgroup_matrix_right<%s, %u, %u> = mload.row_major %%2, 0u, %uu\n"
             "%%9: subgroup_matrix_result<%s, %u, %u> = mload.row_major %%3, 0u, %uu\n"
             "%%10: subgroup_matrix_result<%s, %u, %u> = mma %%7, %%8, %%9\n"
             "mstore.row_major %%4, 0u, %uu, %%10\n}\nreturn\n}\n",
             element_of(p->a), element_of(p->a), element_of(p->r), element_of(p->r), 2 * size, p->a, p->k, p->m,
             (unsigned)OFFSET, p->m, p->a, p->n, p->k, stride, p->r, p->n, p->m, p->n, p->r, p->n, p->m, p->n);
    memset(d, 0x77, sizeof d);
    for (int i = 0; i < ROWS_MAX; i++) {
        put(a, p->a, (size_t)i, i * 37 % 61 - 30);
        put(b, p->a, (size_t)i, i * 53 % 71 - 20);
        put(c, p->r, (size_t)i, i * 29 % 97 - 50);
    }
    uint32_t a_bytes = (OFFSET + p->m * p->k) * bytes_of(p->a), b_bytes = (stride * (p->k - 1) + p->n) * bytes_of(p->a);
    uint32_t c_bytes = p->m * p->n * bytes_of(p->r);
    buffer buffers[4] = {
        {a, (a_bytes + 3) / 4 * 4}, {b, (b_bytes + 3) / 4 * 4}, {c, (c_bytes + 3) / 4 * 4}, {d, (c_bytes + 3) / 4 * 4}};
    tsr_exec_report report = run_text(text, size, buffers, 1);
    assert_int_equal(report.oob_matrix_accesses, 0);
    for (uint32_t i = 0; i < p->m; i++)
        for (uint32_t j = 0; j < p->n; j++) {
            double sum = get(c, p->r, i * p->n + j);
            for (uint32_t k = 0; k < p->k; k++) {
                sum += get(a, p->a, OFFSET + k * p->m + i) * get(b, p->a, k * stride + j);
                /* Sums of these multiples of 1/16 below 2^11 are exact in f32; in f16 each is rounded. */
                if (bytes_of(p->r) == 2) sum = (double)tsr_f16_to_f32(tsr_f16_from_f64(sum));
            }
            double found = get(d, p->r, i * p->n + j);
            if (found != sum) fail_msg("%s %ux%ux%u at %u,%u: %g is not %g", p->a, p->m, p->n, p->k, i, j, found, sum);
        }
}

static void products_are_right_in_every_shape(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128};
    static const product products[] = {
        {"f32", "f32", 8, 16, 4},   {"f16", "f32", 16, 8, 32}, {"f16", "f16", 4, 32, 8},  {"i8", "i32", 16, 32, 8},
        {"u8", "u32", 32, 8, 16},   {"i32", "i32", 4, 12, 20}, {"u32", "u32", 20, 4, 12}, {"f32", "f32", 3, 8, 12},
        {"f32", "f32", 12, 28, 20}, {"f16", "f32", 32, 16, 4}, {"i8", "i32", 4, 8, 64},
    };
    int ran = 0, refused = 0;
    for (size_t i = 0; i < TSR_COUNT_OF(products); i++)
        for (size_t s = 0; s < TSR_COUNT_OF(sizes); s++) {
            const product *p = &products[i];
            bool fits = p->m * p->k % sizes[s] == 0 && p->k * p->n % sizes[s] == 0 && p->m * p->n % sizes[s] == 0;
            if (fits)
                run_product(p, sizes[s]), ran++;
            else
                refused++;
        }
    assert_true(ran > 30 && refused > 5);
}

static void a_subgroup_that_does_not_divide_is_refused(void **state)
{
    (void)state;
    runner r;
    static const char text[] = "tessera_ir 1\nenable matrices\nfn main() @compute @workgroup_size(128u, 1u, 1u) {\n"
                               "%1: subgroup_matrix_result<f32, 8, 8> = zero\n"
                               "%2 v: ptr<function, subgroup_matrix_result<f32, 8, 8>> = var %1\nreturn\n}\n";
    assert_int_equal(runner_init(&r, text, 128), TSR_ERR_SHAPE);
    assert_non_null(strstr(tsr_text_get(&r.why), "subgroup_matrix_result<f32, 8, 8>"));
    runner_fini(&r);
    assert_int_equal(runner_init(&r, text, 64), TSR_OK);
    runner_fini(&r);
}

/* ---- Edges. */

static const char edge[] = "tessera_ir 1\nenable matrices\n"
                           "global %1 a: ptr<storage, array<u32>, read> @group(0) @binding(0)\n"
                           "global %2 d: ptr<storage, array<vec4<u32>>, read_write> @group(0) @binding(1)\n"
                           "fn main() @compute @workgroup_size(32u, 1u, 1u) {\n"
                           "%3: subgroup_matrix_result<u32, 16, 16> = mload.row_major %1, 16u, 64u\n"
                           "mstore.col_major %2, 3u, 16u, %3\nreturn\n}\n";

static void edges_load_zero_store_nothing_and_are_reported(void **state)
{
    (void)state;
    static uint32_t a[900], d[252];
    for (uint32_t i = 0; i < 900; i++)
        a[i] = i + 1;
    memset(d, 0x55, sizeof d);
    buffer buffers[2] = {BUFFER(a), BUFFER(d)};
    tsr_exec_report report = run_text(edge, 16, buffers, 2);
    for (uint32_t at = 0; at < 252; at++) {
        uint32_t col = (at - 3) / 16, row = (at - 3) % 16, from = 16 + 64 * row + col;
        assert_int_equal(d[at], at < 3 ? 0x55555555 : from < 900 ? from + 1 : 0);
    }
    assert_int_equal(report.oob_matrix_accesses, 2 * 2 * 2); /* load and store, two subgroups, two workgroups */
    assert_string_equal(report.first_oob_text,
                        "needs 992 components (offset 16 + stride 64 * 15 + 16), the array has 900");
    assert_memory_equal(edge + report.first_oob.pos, "mload", 5);
}

static void huge_offsets_do_not_wrap(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\nenable matrices\n"
        "global %1 a: ptr<storage, array<array<f32, 64>, 3>, read> @group(0) @binding(0)\n"
        "global %2 d: ptr<storage, array<f32, 128>, read_write> @group(0) @binding(1)\n"
        "fn main(%3 i: u32 @builtin(local_invocation_index)) @compute @workgroup_size(8u, 1u, 1u) {\n"
        "%4: ptr<storage, array<f32, 64>, read> = index %1, 1u\n"
        "%5: subgroup_matrix_result<f32, 8, 8> = mload.row_major %4, 4294967295u, 4294967295u\n"
        "mstore.row_major %2, 0u, 8u, %5\n"
        "%6: u32 = add %3, 3u\n%7: ptr<storage, array<f32, 64>, read> = index %1, %6\n"
        "%8: subgroup_matrix_result<f32, 8, 8> = mload.row_major %7, 0u, 8u\n"
        "mstore.row_major %2, 64u, 8u, %8\nreturn\n}\n";
    float a[192], d[128];
    for (int i = 0; i < 192; i++)
        a[i] = (float)i + 1;
    memset(d, 0x55, sizeof d);
    buffer buffers[2] = {BUFFER(a), BUFFER(d)};
    tsr_exec_report report = run_text(text, 8, buffers, 1);
    for (int i = 0; i < 128; i++)
        assert_true(d[i] == 0);
    assert_int_equal(report.oob_matrix_accesses, 2);
    assert_string_equal(
        report.first_oob_text,
        "needs 34359738368 components (offset 4294967295 + stride 4294967295 * 7 + 8), the array has 64");
}

/* ---- Scalars and storage of matrices. */

/* fill, then (x + s), (x - s), (x * s) of a component type, stored one after another. */
static void run_scalars(const char *type, const char *scalar, const char *x, const char *s, const double expected[4])
{
    char text[2048];
    snprintf(text, sizeof text,
             "tessera_ir 1\nenable f16\nenable matrices\n"
             "global %%1 d: ptr<storage, array<%s, 256>, read_write> @group(0) @binding(0)\n"
             "fn main() @compute @workgroup_size(8u, 1u, 1u) {\n"
             "%%2: subgroup_matrix_result<%s, 8, 4> = mfill %s\n"
             "%%3: subgroup_matrix_result<%s, 8, 4> = madd %%2, %s\n"
             "%%4: subgroup_matrix_result<%s, 8, 4> = msub %%2, %s\n"
             "%%5: subgroup_matrix_result<%s, 8, 4> = mscale %%2, %s\n"
             "mstore.row_major %%1, 0u, 8u, %%2\nmstore.row_major %%1, 32u, 8u, %%3\n"
             "mstore.row_major %%1, 64u, 8u, %%4\nmstore.row_major %%1, 96u, 8u, %%5\nreturn\n}\n",
             scalar, type, x, type, s, type, s, type, s);
    static unsigned char d[1024];
    buffer buffers[1] = {{d, bytes_of(scalar) * 256}};
    (void)run_text(text, 8, buffers, 1);
    for (size_t i = 0; i < 128; i++)
        assert_true(get(d, type, i) == expected[i / 32]);
}

static void scalars_clamp_and_results_wrap(void **state)
{
    (void)state;
    run_scalars("f32", "f32", "1.5f", "0.25f", (double[]){1.5, 1.75, 1.25, 0.375});
    run_scalars("f16", "f16", "2048.0h", "3.0h", (double[]){2048, 2052, 2045, 6144});
    run_scalars("i8", "i32", "200i", "-300i", (double[]){127, -1, -1, -128});
    run_scalars("u8", "u32", "300u", "7u", (double[]){255, 6, 248, 249});
    run_scalars("u32", "u32", "5u", "7u", (double[]){5, 12, 4294967294.0, 35});
    run_scalars("i32", "i32", "2147483647i", "2i", (double[]){2147483647, -2147483647, 2147483645, -2});
}

/* Matrices in arrays of arrays, in structs, through parameters and pointers, chosen by a variable. */
static void matrices_live_in_variables(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\nenable matrices\n"
        "global %1 d: ptr<storage, array<f32>, read_write> @group(0) @binding(0)\n"
        "global %2 kept: ptr<private, array<array<subgroup_matrix_result<f32, 8, 4>, 3>, 2>>\n"
        "fn put(%10 p: ptr<private, array<subgroup_matrix_result<f32, 8, 4>, 3>>, %11 at: u32, %12 m: "
        "subgroup_matrix_result<f32, 8, 4>) -> subgroup_matrix_result<f32, 8, 4> {\n"
        "%13: ptr<private, subgroup_matrix_result<f32, 8, 4>> = index %10, %11\n"
        "%14: subgroup_matrix_result<f32, 8, 4> = load %13\n"
        "%15: subgroup_matrix_result<f32, 8, 4> = madd %12, 0.5f\nstore %13, %15\nreturn %14\n}\n"
        "fn main(%3 sg: u32 @builtin(subgroup_id)) @compute @workgroup_size(16u, 1u, 1u) {\n"
        "%4 k: ptr<function, u32> = var\n"
        "loop {\n"
        "    %5: u32 = load %4\n    %6: u32 = add %5, %3\n    %7: u32 = rem %6, 2u\n    %8: u32 = rem %6, 3u\n"
        "    %9: ptr<private, array<subgroup_matrix_result<f32, 8, 4>, 3>> = index %2, %7\n"
        "    %20: f32 = convert %6\n    %21: subgroup_matrix_result<f32, 8, 4> = mfill %20\n"
        "    %22: subgroup_matrix_result<f32, 8, 4> = call put(%9, %8, %21)\n"
        "    %23: u32 = mul %3, 256u\n    %24: u32 = mul %5, 32u\n    %25: u32 = add %23, %24\n"
        "    mstore.row_major %1, %25, 8u, %22\n"
        "    continuing {\n"
        "        %26: u32 = add %5, 1u\n        store %4, %26\n        %27: bool = ge %26, 8u\n        break_if %27\n"
        "    }\n"
        "}\nreturn\n}\n";
    static float d[512];
    buffer buffers[1] = {BUFFER(d)};
    (void)run_text(text, 8, buffers, 1);
    for (uint32_t sg = 0; sg < 2; sg++)
        for (uint32_t k = 0; k < 8; k++)
            for (uint32_t i = 0; i < 32; i++)
                assert_true(d[sg * 256 + k * 32 + i] == (k < 6 ? 0 : (float)(k - 6 + sg) + 0.5f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_right_in_every_shape),
        cmocka_unit_test(a_subgroup_that_does_not_divide_is_refused),
        cmocka_unit_test(edges_load_zero_store_nothing_and_are_reported),
        cmocka_unit_test(huge_offsets_do_not_wrap),
        cmocka_unit_test(scalars_clamp_and_results_wrap),
        cmocka_unit_test(matrices_live_in_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
