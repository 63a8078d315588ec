/* Messages of the validation layers at the lines of a program. With TSR_TEST_DEVICE=vulkan:0 the layers themselves look
 * at code that was spoilt in one known instruction. */
#include "unit.h"

#include "device/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n"
                             "@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                             "  let a = x[id.x];\n"
                             "  let b = a * 2.5;\n"
                             "  if (b > 4) {\n"
                             "    x[id.x] = b - 0.25;\n"
                             "  }\n"
                             "}\n";
enum { OP_FMUL = 133, OP_IMUL = 132, OP_FSUB = 131, OP_ISUB = 130, HEAD_WORDS = 5 };

static uint32_t *emit(const tsr_device *dev, size_t *count)
{
    tsr_module *m = NULL;
    void *words = NULL;
    size_t bytes;
    tsr_compile_args args = {.name = "k.wgsl", .source = source, .source_bytes = sizeof source - 1};
    assert_int_equal(tsr_compile(&args, &m), TSR_OK);
    assert_int_equal(tsr_emit(m, &(tsr_emit_args){.debug_lines = true, .device = dev}, &words, &bytes), TSR_OK);
    tsr_module_free(m);
    *count = bytes / sizeof(uint32_t);
    return words;
}

/* The only instruction of that kind. */
static uint32_t *find(uint32_t *words, size_t count, uint32_t op)
{
    for (size_t i = HEAD_WORDS; i < count; i += words[i] >> 16)
        if ((words[i] & 0xffffu) == op) return &words[i];
    fail_msg("no instruction %u", (unsigned)op);
    return NULL;
}

static void ids_in_texts(void **state)
{
    (void)state;
    size_t count;
    uint32_t *words = emit(NULL, &count), column;
    char text[128];
    uint32_t id = find(words, count, OP_FMUL)[2];
    snprintf(text, sizeof text, "Expected int scalar as Result Type: IMul\n  %%%u = OpIMul %%float", (unsigned)id);
    assert_int_equal(tsr_vk_find_line(words, count, text, &column), 4);
    snprintf(text, sizeof text, "Operand '%u[%%%u]' is no pointer", (unsigned)id, (unsigned)id);
    assert_int_equal(tsr_vk_find_line(words, count, text, &column), 4);
    assert_int_equal(tsr_vk_find_line(words, count, "Expected int: IMul\n  %b = OpIMul %float %a %float_2_5", &column),
                     4);
    assert_int_equal(tsr_vk_find_line(words, count, "wrong\n  OpStore %99999 %a", &column), 3);
    assert_int_equal(tsr_vk_find_line(words, count, "%nobody %_3 %a_1 %a_99999999999", &column), 0);
    assert_int_equal(tsr_vk_find_line(words, count, "b and a are no ids without their sign", &column), 0);
    snprintf(text, sizeof text, "VUID-0%u and id%u and %u have no ids", (unsigned)id, (unsigned)id, (unsigned)id);
    assert_int_equal(tsr_vk_find_line(words, count, text, &column), 0);
    snprintf(text, sizeof text, "first %%4000000, then %%%u", (unsigned)find(words, count, OP_FSUB)[2]);
    assert_int_equal(tsr_vk_find_line(words, count, text, &column), 6);
    assert_int_equal(tsr_vk_find_line(words, count, "", &column), 0);
    assert_int_equal(tsr_vk_find_line(words, count, "%99999999999999999999 %", &column), 0);
    assert_int_equal(tsr_vk_find_line(words, HEAD_WORDS, "%1", &column), 0);
    free(words);
}

/* What the layers say when an instruction has the wrong kind of operands. */
static void spoil(vk_state *d, uint32_t op, uint32_t other, uint32_t line)
{
    size_t count;
    uint32_t *words = emit(&d->head, &count), column;
    vk_handle shader = 0;
    uint32_t *inst = find(words, count, op);
    *inst = (*inst & 0xffff0000u) | other;
    const vk_shader_info info = {
        .type = VKS_SHADER_MODULE_CREATE_INFO, .size = count * sizeof(uint32_t), .words = words};
    d->host.api.create_shader(d->device, &info, NULL, &shader);
    assert_int_equal(d->host.log.count, 1);
    print_message("%s\n", d->host.log.items[0]);
    assert_int_equal(tsr_vk_find_line(words, count, d->host.log.items[0], &column), line);
    assert_int_equal(tsr_vk_check_messages(d, NULL, TSR_OK), TSR_ERR_VALIDATION);
    assert_int_equal(tsr_vk_check_messages(d, NULL, TSR_OK), TSR_OK);
    if (shader) d->host.api.destroy_shader(d->device, shader, NULL);
    free(words);
}

static void messages_of_the_layers(void **state)
{
    (void)state;
    tsr_device *dev = NULL;
    const char *name = getenv("TSR_TEST_DEVICE");
    if (!name) skip();
    assert_int_equal(tsr_device_open(name, &(tsr_device_args){.validate = true}, &dev), TSR_OK);
    spoil((vk_state *)dev, OP_FMUL, OP_IMUL, 4);
    spoil((vk_state *)dev, OP_FSUB, OP_ISUB, 6);
    tsr_device_free(dev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_in_texts), cmocka_unit_test(messages_of_the_layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
