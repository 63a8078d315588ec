/* A Vulkan driver that computes nothing: it answers queries as it is told, keeps what is copied into buffers, and fails
 * on demand. It serves as the loader (TSR_VULKAN names this library) and as a driver below the real one
 * (VK_DRIVER_FILES).
 *
 * FAKE_VULKAN holds words with commas. Without any: one discrete device, "Fake GPU", with everything.
 *
 *   no-driver no-device no-function loader-1.2 device-1.2 layer   what is there
 *   two                                          a second device, integrated, which does not fail
 *   no-matrix no-f16 no-int8 no-8bit no-memory-model no-configs no-timestamps no-size-control no-queue no-robust
 *   no-bf16 no-flexible no-reconvergence         what the device lacks
 *   reconvergence-off                            it has that extension, without its feature
 *   unknown                                      configurations with numbers that nobody knows
 *   fail-instance fail-list fail-device fail-configs fail-buffer fail-pool fail-map refuse oom-pipeline
 *   memory=BYTES                                 that much memory, then out of device memory
 *   lost-submit lost-wait hang                   of dispatches; lost-copy: of copies
 *   say-shader say-pipeline say-dispatch say-warning   the layer's message, FAKE_VULKAN_TEXT, there
 *   talk                                         tells on standard error what the cache did, how devices are opened
 *
 * What a program may not do (objects left when an instance goes, objects destroyed while they are used, a wait without
 * end for what does not end, a foreign or damaged pipeline cache, what was not turned on) stops it: "fake: ...", abort.
 */
#include "device/vulkan_api.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT        __attribute__((visibility("default")))
#define LOADER_MAGIC  0x01CDC0DEu /* what the loader looks for in dispatchable handles */
#define COUNT_OF(a)   (sizeof(a) / sizeof(a)[0])
#define RECONVERGENCE "VK_KHR_shader_maximal_reconvergence"
enum { GROUP_COUNT_MAX = 65535, CACHE_ENTRIES_MAX = 64, COMMANDS_MAX = 16, DEVICES = 2 };

enum kind { BUFFER, MEMORY, SHADER, LAYOUT, PIPELINE, POOL, CACHE, FENCE, QUERIES, SETS, MESSENGER, DEVICE, KINDS };
static const char *const kind_names[KINDS] = {"buffer", "memory", "shader",  "layout", "pipeline",  "pool",
                                              "cache",  "fence",  "queries", "sets",   "messenger", "device"};

struct vk_physical_t {
    uintptr_t magic;
    uint32_t number;
    struct vk_instance_t *instance;
};
struct vk_instance_t {
    uintptr_t magic;
    struct vk_physical_t physical[DEVICES];
    uint32_t left[KINDS];
    uint64_t memory;
    vk_messenger_info messenger;
};
struct vk_queue_t {
    uintptr_t magic;
    struct vk_device_t *device;
};
struct step {
    int what; /* 0 copy, 1 fill, 2 dispatch */
    vk_handle from, to;
    vk_copy copy;
};
struct vk_command_t {
    uintptr_t magic;
    struct vk_device_t *device;
    struct step steps[COMMANDS_MAX];
    uint32_t count;
    struct vk_command_t *next;
};
struct vk_device_t {
    uintptr_t magic;
    struct vk_physical_t *physical;
    struct vk_queue_t queue;
    struct vk_command_t *commands;
    bool lost, hangs, reconverges;
    struct vk_device_t *next_hung;
};

/* Buffers point to their memory; shaders and caches have words. */
struct object {
    enum kind kind;
    uint64_t size;
    unsigned char *data;
    struct object *memory;
    uint64_t entries[CACHE_ENTRIES_MAX];
    uint32_t entry_count;
    struct object *before, *after; /* among all */
};

/* Threads make and drop objects at the same time; what stays with a device that hangs is reached from here, so that it
 * is no leak of the program's. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *all_objects;
static struct vk_device_t *hung_devices;

/* A mistake of the program: nothing of that kind may pass. */
__attribute__((format(printf, 1, 2))) static void wrong(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("fake: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

/* ---- What it was told. */

static const char *find_word(const char *word)
{
    const char *s = getenv("FAKE_VULKAN");
    size_t len = strlen(word);
    for (; s && *s; s += strcspn(s, ","), s += *s == ',')
        if (strncmp(s, word, len) == 0 && (s[len] == 0 || s[len] == ',' || s[len] == '=')) return s + len;
    return NULL;
}

static bool has(const char *word)
{
    return find_word(word) != NULL;
}

/* Of devices: only the first one does as it was told. */
static bool is_told(const struct vk_physical_t *p, const char *word)
{
    return p->number == 0 && has(word);
}

static vk_handle make(struct vk_instance_t *i, enum kind kind, uint64_t size)
{
    struct object *o = calloc(1, sizeof *o);
    if (!o) abort();
    o->kind = kind;
    o->size = size;
    pthread_mutex_lock(&lock);
    i->left[kind]++;
    o->after = all_objects;
    if (all_objects) all_objects->before = o;
    all_objects = o;
    pthread_mutex_unlock(&lock);
    return (vk_handle)(uintptr_t)o;
}

static struct object *get(vk_handle h)
{
    return (struct object *)(uintptr_t)h;
}

static void drop(struct vk_instance_t *i, enum kind kind, vk_handle h)
{
    struct object *o = get(h);
    if (!o) return;
    if (o->kind != kind) wrong("a %s freed as a %s", kind_names[o->kind], kind_names[kind]);
    pthread_mutex_lock(&lock);
    i->left[o->kind]--;
    if (o->before) o->before->after = o->after;
    if (o->after) o->after->before = o->before;
    if (all_objects == o) all_objects = o->after;
    pthread_mutex_unlock(&lock);
    free(o->data);
    free(o);
}

/* Every entry of vulkan_function.def is defined below, under the name of its member. */
#define GLOBAL(member, name, result, args)   static result fake_##member args;
#define INSTANCE(member, name, result, args) static result fake_##member args;
#define DEVICE(member, name, result, args)   static result fake_##member args;
#include "device/vulkan_function.def"

/* ---- Instances. */

static void say(struct vk_instance_t *i, const char *word)
{
    const char *text = getenv("FAKE_VULKAN_TEXT");
    uint32_t severity = strcmp(word, "say-warning") == 0 ? 0x100 : 0x1000;
    if (!has(word) || !i->messenger.callback) return;
    const vk_message m = {.id_name = "VUID-fake", .text = text ? text : "something is wrong"};
    i->messenger.callback(severity, 2, &m, i->messenger.user);
}

static vk_result fake_enumerate_version(uint32_t *version)
{
    *version = has("loader-1.2") ? VK_VERSION(1, 2) : VK_VERSION(1, 3);
    return VK_OK;
}

static vk_result fake_enumerate_layers(uint32_t *count, vk_layer *layers)
{
    uint32_t have = has("layer");
    if (layers && *count && have) snprintf(layers[0].name, sizeof layers[0].name, "VK_LAYER_KHRONOS_validation");
    if (!layers || *count > have) *count = have;
    return VK_OK;
}

static vk_result enumerate_instance_extensions(const char *layer, uint32_t *count, vk_extension *list)
{
    (void)layer;
    if (list && *count) snprintf(list[0].name, sizeof list[0].name, "VK_EXT_debug_utils");
    *count = 1;
    return VK_OK;
}

static vk_result fake_create_instance(const vk_instance_info *info, const void *allocator, vk_instance *out)
{
    (void)info, (void)allocator;
    if (has("no-driver")) return VK_INCOMPATIBLE_DRIVER;
    if (has("fail-instance")) return VK_OUT_OF_HOST_MEMORY;
    struct vk_instance_t *i = calloc(1, sizeof *i);
    if (!i) return VK_OUT_OF_HOST_MEMORY;
    i->magic = LOADER_MAGIC;
    for (uint32_t p = 0; p < DEVICES; p++)
        i->physical[p] = (struct vk_physical_t){LOADER_MAGIC, p, i};
    *out = i;
    return VK_OK;
}

static void fake_destroy_instance(vk_instance i, const void *allocator)
{
    (void)allocator;
    for (int k = 0; k < KINDS; k++)
        if (i->left[k]) wrong("left %u of %s", (unsigned)i->left[k], kind_names[k]);
    free(i);
}

static vk_result fake_enumerate_physical(vk_instance i, uint32_t *count, vk_physical *out)
{
    uint32_t have = has("no-device") ? 0 : has("two") ? 2 : 1;
    if (has("fail-list")) return -3;
    for (uint32_t p = 0; out && p < have && p < *count; p++)
        out[p] = &i->physical[p];
    *count = have;
    return VK_OK;
}

static vk_result fake_create_messenger(vk_instance i, const vk_messenger_info *info, const void *allocator,
                                       vk_handle *out)
{
    (void)allocator;
    i->messenger = *info;
    *out = make(i, MESSENGER, 0);
    return VK_OK;
}

static void fake_destroy_messenger(vk_instance i, vk_handle h, const void *allocator)
{
    (void)allocator;
    i->messenger = (vk_messenger_info){0};
    drop(i, MESSENGER, h);
}

/* ---- What a device is. */

static void *find_type(void *next, uint32_t type)
{
    for (vk_head *h = next; h; h = h->next)
        if (h->type == type) return h;
    return NULL;
}

static void set_limits(vk_physical p, uint32_t *words)
{
    float period = 1;
    (void)p;
    words[VKL_MAX_UNIFORM_RANGE] = 65536;
    words[VKL_MAX_STORAGE_RANGE] = 1u << 30;
    words[VKL_MAX_SHARED_BYTES] = 32768;
    for (int i = 0; i < 3; i++)
        words[VKL_MAX_GROUPS + i] = GROUP_COUNT_MAX;
    words[VKL_MAX_INVOCATIONS] = 1024;
    words[VKL_MAX_SIZE] = words[VKL_MAX_SIZE + 1] = 1024, words[VKL_MAX_SIZE + 2] = 64;
    words[VKL_MIN_UNIFORM_ALIGN] = words[VKL_MIN_STORAGE_ALIGN] = 16;
    memcpy(&words[VKL_TIMESTAMP_PERIOD], &period, sizeof period);
}

static void fake_get_properties(vk_physical p, vk_properties *out)
{
    vk_properties_1_1 *p11 = find_type(out->next, VKS_PROPERTIES_1_1);
    vk_properties_1_2 *p12 = find_type(out->next, VKS_PROPERTIES_1_2);
    vk_properties_1_3 *p13 = find_type(out->next, VKS_PROPERTIES_1_3);
    vk_matrix2_properties *m2 = find_type(out->next, VKS_COOPERATIVE_MATRIX_2_PROPERTIES);
    out->api_version = is_told(p, "device-1.2") ? VK_VERSION(1, 2) : VK_VERSION(1, 3);
    out->driver_version = 7;
    out->vendor = 0xfa4e;
    out->device = 1 + p->number;
    out->kind = p->number == 0 ? 2 : 1; /* discrete, integrated */
    snprintf(out->name, sizeof out->name, "%s", p->number == 0 ? "Fake GPU" : "Spare GPU");
    memset(out->cache_uuid, 0x11, sizeof out->cache_uuid);
    set_limits(p, out->limits.words);
    if (p11) p11->subgroup_size = 32, p11->subgroup_stages = 0x20, p11->subgroup_operations = 0xff;
    if (p12) snprintf(p12->driver_name, sizeof p12->driver_name, "fake driver");
    if (p13) {
        p13->min_subgroup_size = 16, p13->max_subgroup_size = 64, p13->max_workgroup_subgroups = 64;
        p13->required_size_stages = VK_STAGE_COMPUTE;
    }
    if (m2) m2->max_workgroup_size = 256, m2->max_dimension = 1024, m2->reserved_shared_bytes = 4096;
}

static void fake_get_features(vk_physical p, vk_features *out)
{
    vk_features_1_1 *f11 = find_type(out->next, VKS_FEATURES_1_1);
    vk_features_1_2 *f12 = find_type(out->next, VKS_FEATURES_1_2);
    vk_features_1_3 *f13 = find_type(out->next, VKS_FEATURES_1_3);
    vk_matrix_features *m = find_type(out->next, VKS_COOPERATIVE_MATRIX_FEATURES);
    vk_matrix2_features *m2 = find_type(out->next, VKS_COOPERATIVE_MATRIX_2_FEATURES);
    vk_bfloat16_features *b = find_type(out->next, VKS_SHADER_BFLOAT16_FEATURES);
    vk_reconvergence_features *r = find_type(out->next, VKS_MAXIMAL_RECONVERGENCE_FEATURES);
    out->core[VKF_ROBUST_BUFFER_ACCESS] = 1;
    if (f11) f11->storage_16bit = f11->uniform_16bit = 1;
    if (f12) {
        f12->all[VKF12_FLOAT16] = !is_told(p, "no-f16");
        f12->all[VKF12_INT8] = !is_told(p, "no-int8");
        f12->all[VKF12_STORAGE_8BIT] = !is_told(p, "no-8bit");
        f12->all[VKF12_MEMORY_MODEL] = !is_told(p, "no-memory-model");
    }
    if (f13) {
        f13->all[VKF13_SUBGROUP_SIZE_CONTROL] = f13->all[VKF13_FULL_SUBGROUPS] = !is_told(p, "no-size-control");
        f13->all[VKF13_DOT_PRODUCT] = 1;
    }
    if (m) m->matrices = 1, m->robust_access = !is_told(p, "no-robust");
    if (m2) m2->flexible = m2->workgroup_scope = 1;
    if (b) b->bfloat16 = b->matrices = 1;
    if (r) r->maximal = !is_told(p, "reconvergence-off");
}

static void fake_get_memory(vk_physical p, vk_memory_properties *out)
{
    (void)p;
    memset(out, 0, sizeof *out);
    out->type_count = 2, out->heap_count = 2;
    out->types[0].flags = VK_MEMORY_DEVICE_LOCAL, out->types[0].heap = 0;
    out->types[1].flags = VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT, out->types[1].heap = 1;
    out->heaps[0].size = 3ull << 30, out->heaps[0].flags = 1;
    out->heaps[1].size = 1ull << 30;
}

static void fake_get_queue_families(vk_physical p, uint32_t *count, vk_queue_family *out)
{
    if (out && *count)
        out[0] = (vk_queue_family){.flags = is_told(p, "no-queue") ? 1 : 7,
                                   .count = 1,
                                   .timestamp_bits = is_told(p, "no-timestamps") ? 0 : 64};
    *count = 1;
}

static vk_result fake_enumerate_extensions(vk_physical p, const char *layer, uint32_t *count, vk_extension *out)
{
    static const struct {
        const char *name, *without;
    } all[] = {{"VK_KHR_cooperative_matrix", "no-matrix"},
               {"VK_KHR_shader_bfloat16", "no-bf16"},
               {RECONVERGENCE, "no-reconvergence"},
               {"VK_NV_cooperative_matrix2", "no-flexible"}};
    uint32_t n = 0;
    (void)layer;
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (is_told(p, all[i].without)) continue;
        if (out && n < *count) snprintf(out[n].name, sizeof out[n].name, "%s", all[i].name);
        n++;
    }
    *count = n;
    return VK_OK;
}

/* The last four have types or scopes that nobody knows, or that the vocabulary has not. */
static const uint32_t configs[][9] = {
    /* m n k, a b c r, saturating, scope */
    {16, 16, 16, 0, 0, 0, 0, 0, 3}, {16, 16, 16, 0, 0, 1, 1, 0, 3},
    {16, 16, 32, 3, 3, 5, 5, 0, 3}, {16, 16, 32, 7, 7, 9, 9, 1, 3},
    {32, 16, 16, 0, 0, 1, 1, 0, 2}, {16, 16, 16, 1000141000, 1000141000, 1, 1, 0, 3},
    {16, 16, 16, 4, 4, 5, 5, 0, 3}, {16, 16, 32, 77, 3, 5, 5, 0, 3},
    {16, 16, 16, 0, 0, 1, 1, 0, 4}, {8, 8, 8, 1000491001, 1000491001, 5, 5, 0, 3}};
enum { UNKNOWN_CONFIGS = 4 };

static vk_result fake_get_matrices(vk_physical p, uint32_t *count, vk_matrix_properties *out)
{
    uint32_t have = (uint32_t)COUNT_OF(configs) - (is_told(p, "unknown") ? 0 : UNKNOWN_CONFIGS);
    if (is_told(p, "fail-configs")) return VK_OUT_OF_HOST_MEMORY;
    if (is_told(p, "no-configs")) have = 0;
    for (uint32_t i = 0; out && i < have && i < *count; i++) {
        const uint32_t *c = configs[is_told(p, "unknown") ? (i + COUNT_OF(configs) - 2) % COUNT_OF(configs) : i];
        if (out[i].type != VKS_COOPERATIVE_MATRIX_PROPERTIES) return -13;
        out[i].m = c[0], out[i].n = c[1], out[i].k = c[2], out[i].a = c[3], out[i].b = c[4], out[i].c = c[5];
        out[i].r = c[6], out[i].saturating = c[7], out[i].scope = c[8];
    }
    *count = have;
    return VK_OK;
}

static vk_result fake_get_flexible(vk_physical p, uint32_t *count, vk_flexible_properties *out)
{
    static const vk_flexible_properties all[] = {
        {.m = 16, .n = 16, .k = 16, .a = 0, .b = 0, .c = 1, .r = 1, .scope = 3, .invocations = 0},
        {.m = 32, .n = 16, .k = 16, .a = 0, .b = 0, .c = 1, .r = 1, .scope = 2, .invocations = 128},
        {.m = 32, .n = 16, .k = 32, .a = 77, .b = 3, .c = 5, .r = 5, .saturating = 1, .scope = 2, .invocations = 256}};
    uint32_t have = (uint32_t)COUNT_OF(all) - !is_told(p, "unknown");
    for (uint32_t i = 0; out && i < have && i < *count; i++) {
        if (out[i].type != VKS_COOPERATIVE_MATRIX_FLEXIBLE_PROPERTIES) return -13;
        out[i] = all[i];
    }
    *count = have;
    return VK_OK;
}

/* ---- Devices. */

/* The feature must come with its extension, and both be there. */
static bool turns_on_reconvergence(vk_physical p, const vk_device_info *info)
{
    vk_head *chain;
    bool has_extension = false;
    memcpy(&chain, &info->next, sizeof chain);
    const vk_reconvergence_features *r = find_type(chain, VKS_MAXIMAL_RECONVERGENCE_FEATURES);
    for (uint32_t i = 0; i < info->extension_count; i++)
        has_extension = has_extension || strcmp(info->extensions[i], RECONVERGENCE) == 0;
    bool has_feature = r && r->maximal;
    if (has_extension && is_told(p, "no-reconvergence")) wrong("an extension that the device has not");
    if (has_feature && (!has_extension || is_told(p, "reconvergence-off"))) wrong("a feature that the device has not");
    if (has("talk")) fprintf(stderr, "fake: opened %s maximal reconvergence\n", has_feature ? "with" : "without");
    return has_feature;
}

static vk_result fake_create_device(vk_physical p, const vk_device_info *info, const void *allocator, vk_device *out)
{
    (void)allocator;
    if (is_told(p, "fail-device")) return -3;
    struct vk_device_t *d = calloc(1, sizeof *d);
    if (!d) return VK_OUT_OF_HOST_MEMORY;
    d->magic = d->queue.magic = LOADER_MAGIC;
    d->physical = p;
    d->queue.device = d;
    d->reconverges = turns_on_reconvergence(p, info);
    p->instance->left[DEVICE]++;
    *out = d;
    return VK_OK;
}

static void fake_destroy_device(vk_device d, const void *allocator)
{
    (void)allocator;
    if (d->hangs) wrong("a device destroyed while it runs");
    while (d->commands) {
        struct vk_command_t *c = d->commands;
        d->commands = c->next;
        free(c);
    }
    d->physical->instance->left[DEVICE]--;
    free(d);
}

static void fake_get_queue(vk_device d, uint32_t family, uint32_t index, vk_queue *out)
{
    (void)family, (void)index;
    *out = &d->queue;
}

static vk_result fake_wait_idle(vk_device d)
{
    if (d->hangs) wrong("a wait without end");
    return d->lost ? VK_DEVICE_LOST : VK_OK;
}

static vk_result fake_create_buffer(vk_device d, const vk_buffer_info *info, const void *allocator, vk_handle *out)
{
    (void)allocator;
    if (is_told(d->physical, "fail-buffer")) return VK_OUT_OF_HOST_MEMORY;
    *out = make(d->physical->instance, BUFFER, info->size);
    return VK_OK;
}

static void fake_destroy_buffer(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    if (d->hangs) wrong("a buffer destroyed while it is used");
    drop(d->physical->instance, BUFFER, h);
}

static void fake_get_requirements(vk_device d, vk_handle h, vk_requirements *out)
{
    (void)d;
    *out = (vk_requirements){.size = (get(h)->size + 15) / 16 * 16, .align = 16, .types = 3};
}

static vk_result fake_allocate(vk_device d, const vk_memory_info *info, const void *allocator, vk_handle *out)
{
    struct vk_instance_t *i = d->physical->instance;
    const char *limit = is_told(d->physical, "memory") ? find_word("memory") : NULL;
    (void)allocator;
    pthread_mutex_lock(&lock);
    bool fits = !limit || i->memory + info->size <= strtoull(limit + 1, NULL, 10);
    if (fits) i->memory += info->size;
    pthread_mutex_unlock(&lock);
    if (!fits) return VK_OUT_OF_DEVICE_MEMORY;
    *out = make(i, MEMORY, info->size);
    get(*out)->data = calloc(1, info->size);
    if (get(*out)->data) return VK_OK;
    fake_free(d, *out, NULL);
    return VK_OUT_OF_DEVICE_MEMORY;
}

static void fake_free(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    pthread_mutex_lock(&lock);
    if (h) d->physical->instance->memory -= get(h)->size;
    pthread_mutex_unlock(&lock);
    drop(d->physical->instance, MEMORY, h);
}

static vk_result fake_bind_buffer(vk_device d, vk_handle buffer, vk_handle memory, vk_size offset)
{
    (void)d, (void)offset;
    get(buffer)->memory = get(memory);
    return VK_OK;
}

static vk_result fake_map(vk_device d, vk_handle memory, vk_size offset, vk_size size, uint32_t flags, void **out)
{
    (void)size, (void)flags;
    if (is_told(d->physical, "fail-map")) return -5;
    *out = get(memory)->data + offset;
    return VK_OK;
}

/* ---- Pipelines. */

static uint64_t hash_words(const uint32_t *words, size_t bytes)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < bytes / 4; i++)
        h = (h ^ words[i]) * 1099511628211u;
    return h;
}

/* Whether a module has the execution mode MaximallyReconvergesKHR. */
static bool asks_reconvergence(const uint32_t *words, size_t count)
{
    enum { HEAD_WORDS = 5, OP_EXECUTION_MODE = 16, MODE = 6023 };
    for (size_t i = HEAD_WORDS; i + 2 < count && words[i] >> 16; i += words[i] >> 16)
        if ((words[i] & 0xffffu) == OP_EXECUTION_MODE && words[i + 2] == MODE) return true;
    return false;
}

static vk_result fake_create_shader(vk_device d, const vk_shader_info *info, const void *allocator, vk_handle *out)
{
    (void)allocator;
    say(d->physical->instance, "say-shader");
    bool reconverges = asks_reconvergence(info->words, info->size / sizeof(uint32_t));
    if (reconverges && !d->reconverges) wrong("an execution mode that is not turned on");
    if (has("talk")) fprintf(stderr, "fake: a shader %s maximal reconvergence\n", reconverges ? "with" : "without");
    *out = make(d->physical->instance, SHADER, info->size);
    get(*out)->entries[0] = hash_words(info->words, info->size);
    return VK_OK;
}

static void fake_destroy_shader(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, SHADER, h);
}

static vk_result fake_create_set_layout(vk_device d, const vk_set_layout_info *info, const void *allocator,
                                        vk_handle *out)
{
    (void)info, (void)allocator;
    *out = make(d->physical->instance, LAYOUT, 0);
    return VK_OK;
}

static void fake_destroy_set_layout(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, LAYOUT, h);
}

static vk_result fake_create_layout(vk_device d, const vk_layout_info *info, const void *allocator, vk_handle *out)
{
    (void)info, (void)allocator;
    *out = make(d->physical->instance, LAYOUT, 0);
    return VK_OK;
}

static void fake_destroy_layout(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, LAYOUT, h);
}

static bool add_entry(struct object *cache, uint64_t hash)
{
    for (uint32_t i = 0; i < cache->entry_count; i++)
        if (cache->entries[i] == hash) return false;
    if (cache->entry_count < CACHE_ENTRIES_MAX) cache->entries[cache->entry_count++] = hash;
    return true;
}

static vk_result fake_create_compute(vk_device d, vk_handle cache, uint32_t count, const vk_compute_info *info,
                                     const void *allocator, vk_handle *out)
{
    (void)allocator, (void)count;
    say(d->physical->instance, "say-pipeline");
    if (is_told(d->physical, "refuse")) return VK_INVALID_SHADER;
    if (is_told(d->physical, "oom-pipeline")) return VK_OUT_OF_DEVICE_MEMORY;
    pthread_mutex_lock(&lock);
    bool is_new = !cache || add_entry(get(cache), get(info->stage.module)->entries[0]);
    pthread_mutex_unlock(&lock);
    if (has("talk")) fprintf(stderr, "fake: %s\n", !cache ? "no cache" : is_new ? "compiled" : "found in the cache");
    *out = make(d->physical->instance, PIPELINE, 0);
    return VK_OK;
}

static void fake_destroy_pipeline(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, PIPELINE, h);
}

/* Data of a cache: the header that Vulkan wants, then the hashes of the shaders. A driver may trust what follows a
 * right header, and so does this one: anything else there is told. */
static vk_cache_header cache_header(vk_device d)
{
    vk_cache_header h = {.bytes = sizeof h, .version = 1, .vendor = 0xfa4e, .device = 1 + d->physical->number};
    memset(h.uuid, 0x11, sizeof h.uuid);
    return h;
}

static vk_result fake_create_cache(vk_device d, const vk_cache_info *info, const void *allocator, vk_handle *out)
{
    vk_cache_header own = cache_header(d);
    const unsigned char *data = info->data;
    (void)allocator;
    *out = make(d->physical->instance, CACHE, 0);
    if (!info->size) return VK_OK;
    if (info->size < sizeof own || memcmp(data, &own, sizeof own) != 0 || (info->size - sizeof own) % 8) {
        wrong("given a foreign or damaged cache");
        return VK_OK;
    }
    for (size_t at = sizeof own; at < info->size; at += 8) {
        uint64_t hash;
        memcpy(&hash, data + at, sizeof hash);
        add_entry(get(*out), hash);
    }
    return VK_OK;
}

static void fake_destroy_cache(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, CACHE, h);
}

static vk_result fake_get_cache_data(vk_device d, vk_handle h, size_t *size, void *data)
{
    vk_cache_header own = cache_header(d);
    size_t entries = get(h)->entry_count * sizeof(uint64_t), need = sizeof own + entries;
    if (data && *size < need) return VK_INCOMPLETE;
    if (data) memcpy(data, &own, sizeof own), memcpy((char *)data + sizeof own, get(h)->entries, entries);
    *size = need;
    return VK_OK;
}

static vk_result fake_merge_caches(vk_device d, vk_handle to, uint32_t count, const vk_handle *from)
{
    (void)d;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = 0; e < get(from[i])->entry_count; e++)
            add_entry(get(to), get(from[i])->entries[e]);
    return VK_OK;
}

static vk_result fake_create_descriptor_pool(vk_device d, const vk_descriptor_pool_info *info, const void *allocator,
                                             vk_handle *out)
{
    (void)info, (void)allocator;
    if (is_told(d->physical, "fail-pool")) return VK_OUT_OF_DEVICE_MEMORY;
    *out = make(d->physical->instance, POOL, 0);
    return VK_OK;
}

static void fake_destroy_descriptor_pool(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, POOL, h);
}

static vk_result fake_reset_descriptor_pool(vk_device d, vk_handle h, uint32_t flags)
{
    (void)h, (void)flags;
    if (d->hangs) wrong("descriptors reset while they are used");
    return VK_OK;
}

static vk_result fake_allocate_sets(vk_device d, const vk_set_info *info, vk_handle *out)
{
    (void)d;
    for (uint32_t i = 0; i < info->count; i++)
        out[i] = info->pool; /* freed with the pool */
    return VK_OK;
}

static void fake_update_sets(vk_device d, uint32_t count, const vk_write *writes, uint32_t copies, const void *copy)
{
    (void)d, (void)count, (void)writes, (void)copies, (void)copy;
}

/* ---- Commands. */

static vk_result fake_create_command_pool(vk_device d, const vk_command_pool_info *info, const void *allocator,
                                          vk_handle *out)
{
    (void)info, (void)allocator;
    *out = make(d->physical->instance, POOL, 0);
    return VK_OK;
}

static void fake_destroy_command_pool(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, POOL, h);
}

static vk_result fake_allocate_commands(vk_device d, const vk_command_info *info, vk_command *out)
{
    struct vk_command_t *c = calloc(1, sizeof *c);
    (void)info;
    if (!c) return VK_OUT_OF_HOST_MEMORY;
    c->magic = LOADER_MAGIC;
    c->device = d;
    c->next = d->commands;
    *out = d->commands = c;
    return VK_OK;
}

static vk_result fake_begin(vk_command c, const vk_begin_info *info)
{
    (void)info;
    c->count = 0;
    return VK_OK;
}

static vk_result fake_end(vk_command c)
{
    (void)c;
    return VK_OK;
}

static void add_step(vk_command c, struct step s)
{
    if (c->count == COMMANDS_MAX) abort();
    c->steps[c->count++] = s;
}

static void fake_cmd_bind_pipeline(vk_command c, uint32_t point, vk_handle pipeline)
{
    (void)c, (void)point, (void)pipeline;
}

static void fake_cmd_bind_sets(vk_command c, uint32_t point, vk_handle layout, uint32_t first, uint32_t count,
                               const vk_handle *sets, uint32_t offsets, const uint32_t *offset)
{
    (void)c, (void)point, (void)layout, (void)first, (void)count, (void)sets, (void)offsets, (void)offset;
}

static void fake_cmd_dispatch(vk_command c, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    add_step(c, (struct step){.what = 2});
}

static void fake_cmd_barrier(vk_command c, uint32_t from, uint32_t to, uint32_t flags, uint32_t memories,
                             const vk_memory_barrier *memory, uint32_t buffers, const void *buffer, uint32_t images,
                             const void *image)
{
    (void)c, (void)from, (void)to, (void)flags, (void)memories, (void)memory;
    (void)buffers, (void)buffer, (void)images, (void)image;
}

static void fake_cmd_copy(vk_command c, vk_handle from, vk_handle to, uint32_t count, const vk_copy *copy)
{
    for (uint32_t i = 0; i < count; i++)
        add_step(c, (struct step){.what = 0, .from = from, .to = to, .copy = copy[i]});
}

static void fake_cmd_fill(vk_command c, vk_handle to, vk_size offset, vk_size size, uint32_t value)
{
    (void)offset, (void)size, (void)value; /* tessera fills whole buffers with zeros */
    add_step(c, (struct step){.what = 1, .to = to});
}

static void fake_cmd_reset_queries(vk_command c, vk_handle pool, uint32_t first, uint32_t count)
{
    (void)c, (void)pool, (void)first, (void)count;
}

static void fake_cmd_timestamp(vk_command c, uint32_t stage, vk_handle pool, uint32_t number)
{
    (void)c, (void)stage, (void)pool, (void)number;
}

static bool dispatches(const struct vk_command_t *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->steps[i].what == 2) return true;
    return false;
}

static vk_result fake_submit(vk_queue q, uint32_t count, const vk_submit_info *info, vk_handle fence)
{
    struct vk_device_t *d = q->device;
    const struct vk_command_t *c = info->commands[0];
    (void)count, (void)fence;
    bool dispatch = dispatches(c);
    if (dispatch) say(d->physical->instance, "say-dispatch"), say(d->physical->instance, "say-warning");
    if ((dispatch && is_told(d->physical, "lost-submit")) || d->lost) {
        d->lost = true;
        return VK_DEVICE_LOST;
    }
    if ((dispatch && is_told(d->physical, "lost-wait")) || (!dispatch && is_told(d->physical, "lost-copy")))
        d->lost = true;
    if (dispatch && !d->hangs && is_told(d->physical, "hang")) {
        d->hangs = true;
        d->next_hung = hung_devices;
        hung_devices = d;
    }
    for (uint32_t i = 0; i < c->count && !d->lost && !d->hangs; i++) {
        const struct step *s = &c->steps[i];
        struct object *to = s->to ? get(s->to) : NULL;
        if (s->what == 0)
            memcpy(to->memory->data + s->copy.to, get(s->from)->memory->data + s->copy.from, s->copy.size);
        else if (s->what == 1)
            memset(to->memory->data, 0, to->size);
    }
    return VK_OK;
}

static vk_result fake_create_fence(vk_device d, const vk_fence_info *info, const void *allocator, vk_handle *out)
{
    (void)info, (void)allocator;
    *out = make(d->physical->instance, FENCE, 0);
    return VK_OK;
}

static void fake_destroy_fence(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, FENCE, h);
}

static vk_result fake_wait_fences(vk_device d, uint32_t count, const vk_handle *fences, vk_bool all, uint64_t ns)
{
    (void)count, (void)fences, (void)all;
    if (d->lost) return VK_DEVICE_LOST;
    if (!d->hangs) return VK_OK;
    if (ns == UINT64_MAX) wrong("a wait without end");
    struct timespec t = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    nanosleep(&t, NULL);
    return VK_TIMEOUT;
}

static vk_result fake_reset_fences(vk_device d, uint32_t count, const vk_handle *fences)
{
    (void)d, (void)count, (void)fences;
    return VK_OK;
}

static vk_result fake_create_queries(vk_device d, const vk_query_info *info, const void *allocator, vk_handle *out)
{
    (void)info, (void)allocator;
    if (is_told(d->physical, "no-timestamps")) wrong("timestamps asked for");
    *out = make(d->physical->instance, QUERIES, 0);
    return VK_OK;
}

static void fake_destroy_queries(vk_device d, vk_handle h, const void *allocator)
{
    (void)allocator;
    drop(d->physical->instance, QUERIES, h);
}

static vk_result fake_get_queries(vk_device d, vk_handle pool, uint32_t first, uint32_t count, size_t size, void *data,
                                  vk_size stride, uint32_t flags)
{
    (void)d, (void)pool, (void)first, (void)size, (void)stride, (void)flags;
    for (uint32_t i = 0; i < count; i++)
        ((uint64_t *)data)[i] = 1000 + 5000 * (uint64_t)i;
    return VK_OK;
}

/* ---- Names. */

/* The structures of Vulkan 1.0, which the real loader asks for: the same without the head. */
static void get_properties_1_0(vk_physical p, void *out)
{
    vk_properties all = {.type = VKS_PROPERTIES_2};
    fake_get_properties(p, &all);
    memcpy(out, &all.api_version, sizeof all - offsetof(vk_properties, api_version));
}

static void get_features_1_0(vk_physical p, void *out)
{
    vk_features all = {.type = VKS_FEATURES_2};
    fake_get_features(p, &all);
    memcpy(out, all.core, sizeof all.core);
}

static void nothing(void)
{
    wrong("a function that tessera does not call");
}

struct entry {
    const char *name;
    vk_function function;
};

static const struct entry entries[] = {
#define GLOBAL(member, name, result, args)   {name, (vk_function)fake_##member},
#define INSTANCE(member, name, result, args) {name, (vk_function)fake_##member},
#define DEVICE(member, name, result, args)   {name, (vk_function)fake_##member},
#include "device/vulkan_function.def"
    {"vkEnumerateInstanceExtensionProperties", (vk_function)enumerate_instance_extensions},
    {"vkGetPhysicalDeviceProperties", (vk_function)get_properties_1_0},
    {"vkGetPhysicalDeviceFeatures", (vk_function)get_features_1_0},
};

static vk_function find(const char *name)
{
    if (has("no-function") && strcmp(name, "vkCreateQueryPool") == 0) return NULL;
    for (size_t i = 0; i < COUNT_OF(entries); i++)
        if (strcmp(entries[i].name + (entries[i].name[0] == '?'), name) == 0) return entries[i].function;
    return NULL;
}

static vk_function fake_get_device_function(vk_device d, const char *name)
{
    (void)d;
    return find(name);
}

/* As a loader. */
EXPORT vk_function vkGetInstanceProcAddr(vk_instance i, const char *name);
EXPORT vk_function vkGetInstanceProcAddr(vk_instance i, const char *name)
{
    (void)i;
    return find(name);
}

/* As a driver: the real loader wants some functions of a graphics driver, too, which nobody calls. */
EXPORT vk_function vk_icdGetInstanceProcAddr(vk_instance i, const char *name);
EXPORT vk_function vk_icdGetInstanceProcAddr(vk_instance i, const char *name)
{
    static const char *const never[] = {
        "vkGetPhysicalDeviceFormatProperties", "vkGetPhysicalDeviceImageFormatProperties",
        "vkGetPhysicalDeviceSparseImageFormatProperties", "vkEnumerateDeviceLayerProperties"};
    (void)i;
    vk_function f = find(name);
    for (size_t n = 0; !f && n < COUNT_OF(never); n++)
        if (strcmp(never[n], name) == 0) f = nothing;
    return f;
}

EXPORT vk_result vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
EXPORT vk_result vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    if (*version > 5) *version = 5;
    return VK_OK;
}
