/* .npy files, good and bad, and the arrays that the command line describes. */
#include "unit.h"

#include "../../src/cli/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned char file[4096];

/* Version 1 with the given dictionary and data; the header is padded as numpy does. */
static size_t make_file(const char *dict, const void *data, size_t data_bytes)
{
    size_t n = strlen(dict), start = 10, end = (start + n + 1 + 63) / 64 * 64;
    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (unsigned char)((end - start) & 0xff);
    file[9] = (unsigned char)((end - start) >> 8);
    memset(file + start, ' ', end - start);
    memcpy(file + start, dict, n);
    file[end - 1] = '\n';
    if (data_bytes) memcpy(file + end, data, data_bytes);
    return end + data_bytes;
}

static void expect_refused(size_t size, const char *part)
{
    char why[NPY_WHY_BYTES] = "";
    struct npy a;
    unsigned char *exact = malloc(size ? size : 1); /* so that a read too far is seen */
    memcpy(exact, file, size);
    assert_false(npy_parse(exact, size, &a, why));
    if (!strstr(why, part)) fail_msg("\"%s\" should say \"%s\"", why, part);
    free(exact);
}

static void reads_what_numpy_writes(void **state)
{
    (void)state;
    const float values[] = {1, 2, 3, 4, 5, 6};
    char why[NPY_WHY_BYTES];
    struct npy a;
    size_t size = make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", values, sizeof values);
    assert_true(npy_parse(file, size, &a, why));
    assert_int_equal(a.type, CLI_F32);
    assert_int_equal(a.dims, 2);
    assert_int_equal(a.shape[0], 2);
    assert_int_equal(a.shape[1], 3);
    assert_memory_equal(a.data, values, sizeof values);
    npy_fini(&a);
    size = make_file("{\"shape\":(),\"descr\":\"|i1\",\"fortran_order\":True}", "\x85", 1);
    assert_true(npy_parse(file, size, &a, why));
    assert_int_equal(a.dims, 0);
    assert_int_equal(a.size_bytes, 1);
    npy_fini(&a);
    size = make_file("{'descr': '<u4', 'fortran_order': False, 'shape': (0, 99999999999), }", NULL, 0);
    assert_true(npy_parse(file, size, &a, why));
    assert_int_equal(a.size_bytes, 0);
    npy_fini(&a);
}

static void swaps_and_transposes(void **state)
{
    (void)state;
    const unsigned char big[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6};
    const uint32_t rows[] = {1, 3, 5, 2, 4, 6}; /* column by column 1 2, 3 4, 5 6 */
    char why[NPY_WHY_BYTES];
    struct npy a;
    size_t size = make_file("{'descr': '>u4', 'fortran_order': True, 'shape': (2, 3), }", big, sizeof big);
    assert_true(npy_parse(file, size, &a, why));
    assert_memory_equal(a.data, rows, sizeof rows);
    npy_fini(&a);
    size = make_file("{'descr': '>f2', 'fortran_order': False, 'shape': (1,), }", "\x3c\x00", 2);
    assert_true(npy_parse(file, size, &a, why));
    assert_memory_equal(a.data, "\x00\x3c", 2);
    npy_fini(&a);
}

static void reads_versions_2_and_3(void **state)
{
    (void)state;
    static const char dict[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
    char why[NPY_WHY_BYTES];
    struct npy a;
    for (unsigned char version = 2; version <= 3; version++) {
        memcpy(file, "\x93NUMPY", 6);
        file[6] = version;
        file[7] = 0;
        memcpy(file + 8, (unsigned char[]){sizeof dict - 1, 0, 0, 0}, 4);
        memcpy(file + 12, dict, sizeof dict - 1);
        memcpy(file + 12 + sizeof dict - 1, "abc", 3);
        assert_true(npy_parse(file, 12 + sizeof dict - 1 + 3, &a, why));
        assert_memory_equal(a.data, "abc", 3);
        npy_fini(&a);
    }
    file[11] = 0x7f; /* a header of 2 GiB */
    expect_refused(64, "cut off");
    file[6] = 4;
    expect_refused(64, "format version is 4.0");
}

static void refuses_faults(void **state)
{
    (void)state;
    static const struct {
        const char *dict, *part;
    } faults[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "astype('f4')"},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", "astype('i4')"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", "its dtype is '<u2'"},
        {"{'descr': '|f4', 'fortran_order': False, 'shape': (1,), }", "byte order"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "records"},
        {"{'descr': 5, 'fortran_order': False, 'shape': (1,), }", "'descr'"},
        {"{'descr': '\033[2J<f4', 'fortran_order': False, 'shape': (1,), }", "its dtype is '?[2J"},
        {"{'fortran_order': False, 'shape': (1,), }", "no 'descr'"},
        {"{'descr': '<f4', 'shape': (1,), }", "no 'fortran_order'"},
        {"{'descr': '<f4', 'fortran_order': False, }", "no 'shape'"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", "neither True nor False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "no size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 4, }", "no tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, }", "shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ((1,),), }", "no size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", "64 bits"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "larger than any file"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,), }", "larger than any file"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }", "promises 4000000000000 bytes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "cut off"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), 'shape': (), }", "twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1, }", "unknown key 'x'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()} + {}", "goes on"},
        {"[1, 2]", "no Python dictionary"},
        {"{'descr", "no Python dictionary"},
        {"{'descr': '<f4' 'shape': ()}", "no Python dictionary"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "more than 32 dimensions"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_refused(make_file(faults[i].dict, "\0\0\0\0", 4), faults[i].part);
    expect_refused(make_file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", "\0\0\0\0", 4),
                   "1 bytes follow");
    expect_refused(0, "empty");
    memcpy(file, "PK\3\4 a zip", 10);
    expect_refused(10, "no .npy file");
}

/* Every prefix of a good file is refused. */
static void refuses_truncation(void **state)
{
    (void)state;
    size_t size = make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0", 4);
    for (size_t n = 0; n < size; n++)
        expect_refused(n, "");
}

static void writes_as_numpy(void **state)
{
    (void)state;
    char head[NPY_HEADER_MAX];
    static const uint64_t shape[] = {3, 4, 5};
    size_t n = npy_header(head, CLI_F16, shape, 3);
    assert_int_equal(n % 64, 0);
    assert_memory_equal(head, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f2', 'fortran_order': False, 'shape': (3, 4, 5), }",
                        70);
    assert_int_equal(head[n - 1], '\n');
    npy_header(head, CLI_I8, shape, 1);
    assert_non_null(strstr(head + 10, "'|i1', 'fortran_order': False, 'shape': (3,), }"));
    uint64_t many[NPY_DIMS_MAX];
    for (int i = 0; i < NPY_DIMS_MAX; i++)
        many[i] = UINT64_MAX;
    assert_true(npy_header(head, CLI_F32, many, NPY_DIMS_MAX) <= NPY_HEADER_MAX);
}

/* ---- Specifications -------------------------------------------------------------------------------------------- */

static void expect_array(const char *spec, enum cli_scalar type, const void *data, size_t size)
{
    struct cli_array a;
    assert_int_equal(cli_array_make(spec, spec, &a), CLI_DONE);
    assert_int_equal(a.type, type);
    assert_int_equal(a.size_bytes, size);
    assert_memory_equal(a.data, data, size);
    cli_array_fini(&a);
}

static void makes_arrays(void **state)
{
    (void)state;
    expect_array("zeros:f32:2x2", CLI_F32, (float[4]){0}, 16);
    expect_array("iota:i32:3", CLI_I32, (int32_t[]){0, 1, 2}, 12);
    expect_array("values:f32:1,-0.5,1e10", CLI_F32, (float[]){1, -0.5f, 1e10f}, 12);
    expect_array("values:f16:1,65504", CLI_F16, (uint16_t[]){0x3c00, 0x7bff}, 4);
    expect_array("values:i8:-128,127", CLI_I8, (int8_t[]){-128, 127}, 2);
    expect_array("values:u32:4294967295,0x10,true", CLI_U32, (uint32_t[]){UINT32_MAX, 16, 1}, 12);
    expect_array("bytes:00fFa0", CLI_U8, "\x00\xff\xa0", 3);
    expect_array("bytes:", CLI_U8, "", 0);
    expect_array("struct:f16=1,u32=7,u8=1,f32=0.5", CLI_U8,
                 "\x00\x3c\x00\x00\x07\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x3f", 16);
}

static void iota_and_random(void **state)
{
    (void)state;
    struct cli_array a, b;
    assert_int_equal(cli_array_make("iota:f16:2049", "", &a), CLI_DONE);
    assert_memory_equal(a.data + 2048 * 2, "\0\0", 2);
    cli_array_fini(&a);
    assert_int_equal(cli_array_make("iota:i8:300", "", &a), CLI_DONE);
    assert_int_equal((int8_t)a.data[128], -128);
    cli_array_fini(&a);
    assert_int_equal(cli_array_make("random:f32:1000:7", "", &a), CLI_DONE);
    assert_int_equal(cli_array_make("random:f32:10x100:7", "", &b), CLI_DONE);
    assert_memory_equal(a.data, b.data, 4000);
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        float f;
        memcpy(&f, a.data + 4 * i, 4);
        assert_true(f >= -1 && f < 1);
        sum += f;
    }
    assert_true(sum > -100 && sum < 100);
    cli_array_fini(&a);
    cli_array_fini(&b);
    /* The first draw of seed 0 by the published algorithm is 0x99ec5f36cb75f2b4. */
    expect_array("random:u8:1:0", CLI_U8, "\x99", 1);
    expect_array("random:u8:1", CLI_U8, "\x99", 1);
    expect_array("random:i8:1", CLI_I8, "\x19", 1);
}

static void refuses_specifications(void **state)
{
    (void)state;
    static const char *const bad[] = {"zeros",
                                      "zeros:",
                                      "zeros:f64:3",
                                      "zeros:f32",
                                      "zeros:f32:",
                                      "zeros:f32:3x",
                                      "zeros:f32:x3",
                                      "zeros:f32:-1",
                                      "zeros:f32:3:1",
                                      "iota:f32:3:1",
                                      "random:f32:3:x",
                                      "random:f32:3:",
                                      "random:f32:3:1:1",
                                      "values:f32:",
                                      "values:f32:1,",
                                      "values:f32: 1",
                                      "values:u8:256",
                                      "values:i8:-129",
                                      "values:u32:1.5",
                                      "values:f16:65520",
                                      "values:u32:nan",
                                      "values:f32:1e39",
                                      "struct:",
                                      "struct:u32",
                                      "struct:u32=",
                                      "struct:u32=1,",
                                      "struct:f99=1",
                                      "bytes:0",
                                      "bytes:0g",
                                      "zeros:u8:1099511627777",
                                      "zeros:f32:1099511627776",
                                      "zeros:f32:4294967296x4294967296"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cli_array a;
        if (cli_array_make(bad[i], bad[i], &a) == CLI_DONE) fail_msg("%s was accepted", bad[i]);
        assert_null(a.data);
    }
}

static void outputs(void **state)
{
    (void)state;
    struct cli_out_spec o;
    assert_true(cli_parse_out("a.npy", &o) && !o.has_type && strcmp(o.path, "a.npy") == 0);
    free(o.path);
    assert_true(cli_parse_out("a:b.npy:f16", &o) && o.has_type && !o.has_shape && strcmp(o.path, "a:b.npy") == 0);
    free(o.path);
    assert_true(cli_parse_out("a.npy:i8:4x6", &o) && o.has_shape && o.dims == 2 && o.elements == 24);
    free(o.path);
    assert_true(cli_parse_out("dir:x/a.npy", &o) && !o.has_type);
    free(o.path);
    assert_false(cli_parse_out("a.npy:i8:4y6", &o));
    assert_false(cli_parse_out(":f32:4", &o));
    assert_false(cli_parse_out("", &o));
}

/* Every f16 survives, and every point half-way between two goes to the even one. */
static void half_floats(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        int exponent = (int)(bits >> 10);
        double x = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
        double unit = ldexp(1, (exponent ? exponent : 1) - 25);
        assert_int_equal(cli_f16_from_double(x), bits);
        assert_int_equal(cli_f16_from_double(-x), bits | 0x8000);
        assert_int_equal(cli_f16_from_double(x + unit / 2), bits & 1 ? bits + 1 : bits);
        assert_int_equal(cli_f16_from_double(x + unit * 0.5000001), bits + 1);
    }
    assert_int_equal(cli_f16_from_double(NAN) & 0x7e00, 0x7e00);
    assert_int_equal(cli_f16_from_double(-INFINITY), 0xfc00);
    assert_int_equal(cli_f16_from_double(1e300), 0x7c00);
    assert_int_equal(cli_f16_from_double(1e-300), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_numpy_writes),
        cmocka_unit_test(swaps_and_transposes),
        cmocka_unit_test(reads_versions_2_and_3),
        cmocka_unit_test(refuses_faults),
        cmocka_unit_test(refuses_truncation),
        cmocka_unit_test(writes_as_numpy),
        cmocka_unit_test(makes_arrays),
        cmocka_unit_test(iota_and_random),
        cmocka_unit_test(refuses_specifications),
        cmocka_unit_test(outputs),
        cmocka_unit_test(half_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
