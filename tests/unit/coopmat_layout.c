/* Fragment layouts: each row covers its matrix exactly, or with the copies that it states; facts that published sources
 * spell out; finding by device. */
#include "unit.h"

#include "tessera.h"

#include <stdlib.h>
#include <string.h>

/* Every element is held `copies` times, nothing stands outside. */
static void check_layout(size_t i)
{
    tsr_layout_info info;
    uint32_t row, col;
    assert_int_equal(tsr_layout_get(i, &info), TSR_OK);
    size_t count = (size_t)info.rows * info.cols;
    uint32_t *held = calloc(count, sizeof *held);
    assert_non_null(held);
    if ((uint64_t)info.length * info.subgroup_size != (uint64_t)count * info.copies)
        fail_msg("%s: %u x %u elements held for %zu", info.name, info.length, info.subgroup_size, count);
    for (uint32_t l = 0; l < info.subgroup_size; l++) {
        for (uint32_t e = 0; e < info.length; e++) {
            assert_int_equal(tsr_layout_place(i, l, e, &row, &col), TSR_OK);
            if (row >= info.rows || col >= info.cols)
                fail_msg("%s: %u.%u is (%u, %u), outside", info.name, l, e, row, col);
            held[row * info.cols + col]++;
        }
    }
    for (size_t n = 0; n < count; n++)
        if (held[n] != info.copies) fail_msg("%s: element %zu is held %u times", info.name, n, held[n]);
    free(held);
    assert_int_equal(tsr_layout_place(i, info.subgroup_size, 0, &row, &col), TSR_ERR_INVALID);
    assert_int_equal(tsr_layout_place(i, 0, info.length, &row, &col), TSR_ERR_INVALID);
    assert_true(info.source[0]);
}

static void test_cover(void **state)
{
    (void)state;
    assert_true(tsr_layout_count() > 130);
    for (size_t i = 0; i < tsr_layout_count(); i++)
        check_layout(i);
    tsr_layout_info info;
    assert_int_equal(tsr_layout_get(tsr_layout_count(), &info), TSR_ERR_INVALID);
}

static void test_names(void **state)
{
    (void)state;
    tsr_layout_info x, y;
    for (size_t i = 0; i < tsr_layout_count(); i++) {
        for (size_t j = 0; j < i; j++) {
            tsr_layout_get(i, &x);
            tsr_layout_get(j, &y);
            if (strcmp(x.name, y.name) == 0) fail_msg("%s stands twice", x.name);
        }
    }
}

static size_t find(const char *device, const char *config, tsr_use use, uint32_t size)
{
    tsr_config cfg;
    size_t i = 0;
    assert_int_equal(tsr_config_parse(config, &cfg), TSR_OK);
    if (tsr_layout_find(device, &cfg, use, size, &i) != TSR_OK) fail_msg("%s", tsr_last_error());
    return i;
}

static void expect_place(size_t layout, uint32_t lane, uint32_t element, uint32_t row, uint32_t col)
{
    uint32_t r, c;
    assert_int_equal(tsr_layout_place(layout, lane, element, &r, &c), TSR_OK);
    assert_int_equal(r, row);
    assert_int_equal(c, col);
}

/* The summary of lengths and copies, and single places that sources print. */
static void test_facts(void **state)
{
    (void)state;
    tsr_layout_info info;
    /* PTX ISA, m16n8k16: a5 of lane 6 (group 1, thread 2) is row 1, column 13. */
    expect_place(find("cuda-mma-sm80", "16x8x16 f16*f16+f32->f32 subgroup", TSR_USE_A, 0), 6, 5, 1, 13);
    expect_place(find("cuda-mma-sm80", "16x8x16 f16*f16+f32->f32 subgroup", TSR_USE_ACCUMULATOR, 0), 31, 3, 15, 7);
    tsr_layout_get(find("radv-rdna3-all", "16x16x16 f16*f16+f32->f32 subgroup", TSR_USE_A, 32), &info);
    assert_int_equal(info.length, 16);
    assert_int_equal(info.copies, 2);
    tsr_layout_get(find("radv-rdna4-all", "16x16x16 f16*f16+f32->f32 subgroup", TSR_USE_A, 32), &info);
    assert_int_equal(info.length, 8);
    assert_int_equal(info.copies, 1);
    /* Apple: lanes 0 and 1 hold four elements of row 0 side by side. */
    expect_place(find("metal-m1", "8x8x8 f32*f32+f32->f32 subgroup", TSR_USE_A, 0), 1, 1, 0, 3);
    /* ANV, f16, K = 16, S = 16: lane l holds row l/8 + 2i. */
    expect_place(find("anv-xe2", "8x16x16 f16*f16+f32->f32 subgroup", TSR_USE_A, 16), 9, 3, 3, 3);
    /* lavapipe: B is stored transposed to A. */
    expect_place(find("lavapipe-26.1", "8x8x8 f16*f16+f32->f32 subgroup", TSR_USE_A, 0), 3, 5, 5, 3);
    expect_place(find("lavapipe-26.1", "8x8x8 f16*f16+f32->f32 subgroup", TSR_USE_B, 0), 3, 5, 3, 5);
}

static void test_unknown(void **state)
{
    (void)state;
    tsr_config cfg;
    size_t i;
    tsr_config_parse("16x16x16 f16*f16+f32->f32 subgroup", &cfg);
    assert_int_equal(tsr_layout_find("nv-h200-580", &cfg, TSR_USE_A, 0, &i), TSR_ERR_UNSUPPORTED);
    assert_non_null(strstr(tsr_last_error(), "nothing is known"));
    assert_int_equal(tsr_layout_find("radv-rdna3-all", &cfg, TSR_USE_A, 16, &i), TSR_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
