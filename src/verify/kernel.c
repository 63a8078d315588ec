/* One multiply-add as a program in IR text, which can say what WGSL cannot (mixed signs, saturating sums, bf16,
 * workgroup scope), compiled and run through the public API as any user's would be.
 *
 * Every buffer is an array of 32-bit words, whatever the components; offsets and strides come from a uniform buffer, so
 * that one pipeline serves every placement of its majornesses. Everything around the matrices is a marker: it must not
 * reach the result, and what lies around the result must survive. */
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that stand for "not written". As f16, bf16, f32 and f64 they are ordinary numbers, and large ones. */
enum { MARKER = 0x5a, BINDINGS = 5 };

struct tsr_trial_kernel {
    tsr_device *dev;
    tsr_pipeline *pipeline;
    tsr_config config;
};

static const char kernel_text[] =
    "tessera_ir 1\n"
    "enable f16\n"
    "enable subgroups\n"
    "enable matrices\n"
    "diag !1 { derivative_uniformity: off, subgroup_uniformity: off, subgroup_matrix_uniformity: off }\n"
    "global %%1 a: ptr<storage, array<u32>, read> @group(0) @binding(0)\n"
    "global %%2 b: ptr<storage, array<u32>, read> @group(0) @binding(1)\n"
    "global %%3 c: ptr<storage, array<u32>, read> @group(0) @binding(2)\n"
    "global %%4 r: ptr<storage, array<u32>, read_write> @group(0) @binding(3)\n"
    "global %%5 at: ptr<storage, array<u32>, read> @group(0) @binding(4)\n"
    "\n"
    "fn main(%%6 subgroup: u32 @builtin(subgroup_id)) @compute @workgroup_size(%uu) !1 {\n"
    "    %%7: bool = eq %%6, 0u\n"
    "    if %%7 {\n"
    "        %%8: ptr<storage, u32, read> = index %%5, 0u\n"
    "        %%9: u32 = load %%8\n"
    "        %%10: ptr<storage, u32, read> = index %%5, 1u\n"
    "        %%11: u32 = load %%10\n"
    "        %%12: ptr<storage, u32, read> = index %%5, 2u\n"
    "        %%13: u32 = load %%12\n"
    "        %%14: ptr<storage, u32, read> = index %%5, 3u\n"
    "        %%15: u32 = load %%14\n"
    "        %%16: subgroup_matrix_left<%s, %u, %u%s> = mload.%s %%1, %%9, %%11 !1\n"
    "        %%17: subgroup_matrix_right<%s, %u, %u%s> = mload.%s %%2, %%9, %%13 !1\n"
    "        %%18: subgroup_matrix_result<%s, %u, %u%s> = mload.%s %%3, %%9, %%15 !1\n"
    "        %%19: subgroup_matrix_result<%s, %u, %u%s> = mma%s %%16, %%17, %%18 !1\n"
    "        mstore.%s %%4, %%9, %%15, %%19 !1\n"
    "    }\n"
    "}\n";

/* The IR spells 8-bit and 32-bit signed components as WGSL does. */
static const char *spell(tsr_component c)
{
    return c == TSR_S8 ? "i8" : c == TSR_S32 ? "i32" : tsr_component_name(c);
}

static const char *majorness(bool column)
{
    return column ? "col_major" : "row_major";
}

static int print_kernel(char *out, size_t bytes, const tsr_config *cfg, const tsr_placement *p, uint32_t workgroup)
{
    static const char *const scopes[] = {"", ", workgroup", ", device", ", queue_family"};
    const char *scope = scopes[cfg->scope];
    const unsigned m = cfg->shape.m, n = cfg->shape.n, k = cfg->shape.k;
    return snprintf(out, bytes, kernel_text, (unsigned)workgroup, spell(cfg->a), k, m, scope, majorness(p->a_col),
                    spell(cfg->b), n, k, scope, majorness(p->b_col), spell(cfg->c), n, m, scope, majorness(p->c_col),
                    spell(cfg->r), n, m, scope, cfg->saturating ? ".saturating" : "", majorness(p->c_col));
}

tsr_status tsr_trial_kernel_new(tsr_device *dev, const tsr_config *cfg, const tsr_placement *p, tsr_trial_kernel **out)
{
    char text[4096];
    const tsr_support *s = tsr_device_support(dev);
    uint32_t largest = tsr_device_subgroup_size(dev);
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        if (s->subgroup_sizes[i] > largest) largest = s->subgroup_sizes[i];
    int length = print_kernel(text, sizeof text, cfg, p, largest);
    tsr_trial_kernel *k = calloc(1, sizeof *k);
    if (!k || length < 0 || (size_t)length >= sizeof text) {
        free(k);
        return TSR_ERR_MEMORY;
    }
    tsr_module *m = NULL;
    const tsr_compile_args args = {
        .name = "verify.ir", .source = text, .source_bytes = (size_t)length, .ir_text = true};
    tsr_status st = tsr_compile(&args, &m);
    if (st == TSR_OK) st = tsr_pipeline_create(dev, m, NULL, &k->pipeline);
    tsr_module_free(m);
    if (st != TSR_OK) {
        free(k);
        return st;
    }
    k->dev = dev, k->config = *cfg;
    *out = k;
    return TSR_OK;
}

void tsr_trial_kernel_free(tsr_trial_kernel *k)
{
    if (!k) return;
    tsr_pipeline_free(k->pipeline);
    free(k);
}

/* ---- Matrices in memory. */

typedef struct image {
    unsigned char *bytes;
    size_t size;
    size_t rows, cols, offset, stride;
    bool col;
    tsr_component type;
} image;

static size_t component_bytes(tsr_component c)
{
    return tsr_component_bits(c) / 8;
}

static unsigned char *element(const image *im, size_t row, size_t col)
{
    size_t at = im->offset + (im->col ? col * im->stride + row : row * im->stride + col);
    return im->bytes + at * component_bytes(im->type);
}

static bool make_image(image *im, tsr_component type, size_t rows, size_t cols, bool col, const tsr_placement *p)
{
    size_t minor = col ? rows : cols, major = col ? cols : rows;
    *im = (image){
        .rows = rows, .cols = cols, .offset = p->offset, .stride = minor + p->extra_stride, .col = col, .type = type};
    size_t components = im->offset + im->stride * major + im->offset; /* as much again behind the last */
    im->size = (components * component_bytes(type) + 3) / 4 * 4;
    im->bytes = malloc(im->size);
    if (im->bytes) memset(im->bytes, MARKER, im->size);
    return im->bytes != NULL;
}

static void write_image(image *im, const uint32_t *matrix)
{
    for (size_t r = 0; r < im->rows; r++)
        for (size_t c = 0; c < im->cols; c++)
            tsr_components_write(im->type, element(im, r, c), 1,
                                 matrix + (r * im->cols + c) * tsr_component_words(im->type), 1);
}

/* Takes the matrix out and puts the marker back: then nothing but markers may be left. */
static bool read_image(image *im, uint32_t *matrix)
{
    for (size_t r = 0; r < im->rows; r++)
        for (size_t c = 0; c < im->cols; c++) {
            unsigned char *e = element(im, r, c);
            tsr_components_read(im->type, e, 1, matrix + (r * im->cols + c) * tsr_component_words(im->type), 1);
            memset(e, MARKER, component_bytes(im->type));
        }
    for (size_t i = 0; i < im->size; i++)
        if (im->bytes[i] != MARKER) return false;
    return true;
}

/* ---- Running. */

static tsr_status dispatch(tsr_trial_kernel *k, const image *images, const uint32_t at[4], image *result)
{
    tsr_buffer *buffers[BINDINGS] = {0};
    tsr_binding bindings[BINDINGS];
    tsr_status st = TSR_OK;
    for (unsigned i = 0; i < BINDINGS && st == TSR_OK; i++) {
        const void *data = i < 4 ? (const void *)images[i].bytes : at;
        st = tsr_buffer_create(k->dev, i < 4 ? images[i].size : 4 * sizeof at[0], data, &buffers[i]);
        bindings[i] = (tsr_binding){.binding = i, .buffer = buffers[i]};
    }
    const tsr_dispatch_args args = {.bindings = bindings, .binding_count = BINDINGS, .groups = {1, 1, 1}};
    if (st == TSR_OK) st = tsr_dispatch(k->pipeline, &args);
    if (st == TSR_OK) st = tsr_device_wait(k->dev);
    if (st == TSR_OK) st = tsr_buffer_read(buffers[3], 0, result->bytes, result->size);
    for (unsigned i = 0; i < BINDINGS; i++)
        tsr_buffer_free(buffers[i]);
    return st;
}

tsr_status tsr_trial_run(tsr_trial_kernel *k, const tsr_placement *p, tsr_trial *t)
{
    const tsr_config *cfg = &k->config;
    const size_t m = cfg->shape.m, n = cfg->shape.n, depth = cfg->shape.k;
    image im[4] = {{0}};
    tsr_status st = TSR_ERR_MEMORY;
    if (make_image(&im[0], cfg->a, m, depth, p->a_col, p) && make_image(&im[1], cfg->b, depth, n, p->b_col, p) &&
        make_image(&im[2], cfg->c, m, n, p->c_col, p) && make_image(&im[3], cfg->r, m, n, p->c_col, p)) {
        write_image(&im[0], t->a);
        write_image(&im[1], t->b);
        write_image(&im[2], t->c);
        const uint32_t at[4] = {p->offset, (uint32_t)im[0].stride, (uint32_t)im[1].stride, (uint32_t)im[2].stride};
        st = dispatch(k, im, at, &im[3]);
        if (st == TSR_OK && !read_image(&im[3], t->r)) st = TSR_ERR_SHAPE;
    }
    for (int i = 0; i < 4; i++)
        free(im[i].bytes);
    return st;
}

void tsr_placement_print(const tsr_placement *p, char *out, size_t bytes)
{
    snprintf(out, bytes, "A %s, B %s, C %s, stride +%u, offset %u", majorness(p->a_col), majorness(p->b_col),
             majorness(p->c_col), (unsigned)p->extra_stride, (unsigned)p->offset);
}
