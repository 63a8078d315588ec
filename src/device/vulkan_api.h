/* What tessera needs of the Vulkan API, declared here: what a program can do must not depend on how old the headers of
 * the build machine were. Names without `Vk` are tessera's own; values and layouts are those of the Vulkan
 * specification 1.3, VK_KHR_cooperative_matrix, VK_NV_cooperative_matrix2, VK_KHR_shader_bfloat16 and
 * VK_EXT_debug_utils (64-bit handles everywhere). */
#ifndef TSR_DEVICE_VULKAN_API_H
#define TSR_DEVICE_VULKAN_API_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t vk_bool;
typedef uint64_t vk_size;
typedef int32_t vk_result;
typedef struct vk_instance_t *vk_instance;
typedef struct vk_physical_t *vk_physical;
typedef struct vk_device_t *vk_device;
typedef struct vk_queue_t *vk_queue;
typedef struct vk_command_t *vk_command;
typedef uint64_t vk_handle; /* all that are not dispatched on */
typedef void (*vk_function)(void);

enum {
    VK_OK = 0,
    VK_TIMEOUT = 2,
    VK_INCOMPLETE = 5,
    VK_OUT_OF_HOST_MEMORY = -1,
    VK_OUT_OF_DEVICE_MEMORY = -2,
    VK_DEVICE_LOST = -4,
    VK_INCOMPATIBLE_DRIVER = -9,
    VK_INVALID_SHADER = -1000012000
};

#define VK_VERSION(major, minor) ((uint32_t)(major) << 22 | (uint32_t)(minor) << 12)
#define VK_MAJOR(v)              ((v) >> 22 & 0x7fu)
#define VK_MINOR(v)              ((v) >> 12 & 0x3ffu)
#define VK_PATCH(v)              ((v)&0xfffu)

enum { /* VkStructureType */
       VKS_APPLICATION_INFO = 0,
       VKS_INSTANCE_CREATE_INFO = 1,
       VKS_DEVICE_QUEUE_CREATE_INFO = 2,
       VKS_DEVICE_CREATE_INFO = 3,
       VKS_SUBMIT_INFO = 4,
       VKS_MEMORY_ALLOCATE_INFO = 5,
       VKS_FENCE_CREATE_INFO = 8,
       VKS_QUERY_POOL_CREATE_INFO = 11,
       VKS_BUFFER_CREATE_INFO = 12,
       VKS_SHADER_MODULE_CREATE_INFO = 16,
       VKS_PIPELINE_CACHE_CREATE_INFO = 17,
       VKS_PIPELINE_SHADER_STAGE_CREATE_INFO = 18,
       VKS_COMPUTE_PIPELINE_CREATE_INFO = 29,
       VKS_PIPELINE_LAYOUT_CREATE_INFO = 30,
       VKS_DESCRIPTOR_SET_LAYOUT_CREATE_INFO = 32,
       VKS_DESCRIPTOR_POOL_CREATE_INFO = 33,
       VKS_DESCRIPTOR_SET_ALLOCATE_INFO = 34,
       VKS_WRITE_DESCRIPTOR_SET = 35,
       VKS_COMMAND_POOL_CREATE_INFO = 39,
       VKS_COMMAND_BUFFER_ALLOCATE_INFO = 40,
       VKS_COMMAND_BUFFER_BEGIN_INFO = 42,
       VKS_MEMORY_BARRIER = 46,
       VKS_FEATURES_1_1 = 49,
       VKS_PROPERTIES_1_1 = 50,
       VKS_FEATURES_1_2 = 51,
       VKS_PROPERTIES_1_2 = 52,
       VKS_FEATURES_1_3 = 53,
       VKS_PROPERTIES_1_3 = 54,
       VKS_FEATURES_2 = 1000059000,
       VKS_PROPERTIES_2 = 1000059001,
       VKS_DEBUG_UTILS_MESSENGER_CREATE_INFO = 1000128004,
       VKS_SHADER_BFLOAT16_FEATURES = 1000141000,
       VKS_REQUIRED_SUBGROUP_SIZE = 1000225001,
       VKS_MAXIMAL_RECONVERGENCE_FEATURES = 1000434000,
       VKS_COOPERATIVE_MATRIX_FEATURES = 1000506000,
       VKS_COOPERATIVE_MATRIX_PROPERTIES = 1000506001,
       VKS_COOPERATIVE_MATRIX_2_FEATURES = 1000593000,
       VKS_COOPERATIVE_MATRIX_FLEXIBLE_PROPERTIES = 1000593001,
       VKS_COOPERATIVE_MATRIX_2_PROPERTIES = 1000593002
};

typedef struct vk_head { /* how every structure with a type begins */
    uint32_t type;
    void *next;
} vk_head;

typedef struct vk_application_info {
    uint32_t type;
    const void *next;
    const char *name;
    uint32_t version;
    const char *engine;
    uint32_t engine_version, api_version;
} vk_application_info;

typedef struct vk_instance_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    const vk_application_info *application;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
} vk_instance_info;

typedef struct vk_queue_info {
    uint32_t type;
    const void *next;
    uint32_t flags, family, count;
    const float *priorities;
} vk_queue_info;

typedef struct vk_device_info {
    uint32_t type;
    const void *next;
    uint32_t flags, queue_info_count;
    const vk_queue_info *queue_infos;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
    const void *features;
} vk_device_info;

typedef struct vk_extension {
    char name[256];
    uint32_t version;
} vk_extension;

typedef struct vk_layer {
    char name[256];
    uint32_t spec_version, version;
    char description[256];
} vk_layer;

enum { VK_QUEUE_COMPUTE = 2 };
typedef struct vk_queue_family {
    uint32_t flags, count, timestamp_bits;
    uint32_t granularity[3];
} vk_queue_family;

typedef struct vk_properties {
    uint32_t type;
    void *next;
    uint32_t api_version, driver_version, vendor, device, kind; /* kind: VkPhysicalDeviceType */
    char name[256];
    uint8_t cache_uuid[16];
    union {
        uint64_t align;
        uint32_t words[126];
    } limits;
    uint32_t sparse[5];
} vk_properties;

enum { /* 32-bit words of VkPhysicalDeviceLimits */
       VKL_MAX_UNIFORM_RANGE = 6,
       VKL_MAX_STORAGE_RANGE = 7,
       VKL_MAX_SHARED_BYTES = 54,
       VKL_MAX_GROUPS = 55,
       VKL_MAX_INVOCATIONS = 58,
       VKL_MAX_SIZE = 59,
       VKL_MIN_UNIFORM_ALIGN = 80,
       VKL_MIN_STORAGE_ALIGN = 82,
       VKL_TIMESTAMP_PERIOD = 106
};

typedef struct vk_properties_1_1 {
    uint32_t type;
    void *next;
    uint8_t device_uuid[16], driver_uuid[16], luid[8];
    uint32_t node_mask;
    vk_bool luid_valid;
    uint32_t subgroup_size, subgroup_stages, subgroup_operations;
    vk_bool quad_in_all_stages;
    uint32_t point_clipping, max_views, max_view_index;
    vk_bool protected_no_fault;
    uint32_t max_per_set;
    vk_size max_allocation;
} vk_properties_1_1;

typedef struct vk_properties_1_2 {
    uint32_t type;
    void *next;
    uint32_t driver_id;
    char driver_name[256], driver_info[256];
    uint8_t rest[256]; /* not read */
} vk_properties_1_2;

enum { VK_STAGE_COMPUTE = 0x20 };
typedef struct vk_properties_1_3 {
    uint32_t type;
    void *next;
    uint32_t min_subgroup_size, max_subgroup_size, max_workgroup_subgroups, required_size_stages;
    uint8_t rest[256]; /* not read */
} vk_properties_1_3;

typedef struct vk_features {
    uint32_t type;
    void *next;
    vk_bool core[55];
} vk_features;
enum { VKF_ROBUST_BUFFER_ACCESS = 0, VKF_SHADER_FLOAT64 = 39, VKF_SHADER_INT64 = 40, VKF_SHADER_INT16 = 41 };

typedef struct vk_features_1_1 {
    uint32_t type;
    void *next;
    vk_bool storage_16bit, uniform_16bit, rest[10];
} vk_features_1_1;

typedef struct vk_features_1_2 {
    uint32_t type;
    void *next;
    vk_bool all[47];
} vk_features_1_2;
enum {
    VKF12_STORAGE_8BIT = 2,
    VKF12_UNIFORM_8BIT = 3,
    VKF12_FLOAT16 = 7,
    VKF12_INT8 = 8,
    VKF12_SCALAR_LAYOUT = 31,
    VKF12_STANDARD_UNIFORM_LAYOUT = 33,
    VKF12_SUBGROUP_EXTENDED_TYPES = 34,
    VKF12_MEMORY_MODEL = 41,
    VKF12_MEMORY_MODEL_DEVICE_SCOPE = 42
};

typedef struct vk_features_1_3 {
    uint32_t type;
    void *next;
    vk_bool all[15];
} vk_features_1_3;
enum {
    VKF13_SUBGROUP_SIZE_CONTROL = 7,
    VKF13_FULL_SUBGROUPS = 8,
    VKF13_ZERO_WORKGROUP = 11,
    VKF13_DOT_PRODUCT = 13,
    VKF13_MAINTENANCE4 = 14
};

typedef struct vk_matrix_features {
    uint32_t type;
    void *next;
    vk_bool matrices, robust_access;
} vk_matrix_features;

typedef struct vk_bfloat16_features {
    uint32_t type;
    void *next;
    vk_bool bfloat16, dot_product, matrices;
} vk_bfloat16_features;

typedef struct vk_reconvergence_features { /* VK_KHR_shader_maximal_reconvergence */
    uint32_t type;
    void *next;
    vk_bool maximal;
} vk_reconvergence_features;

typedef struct vk_matrix_properties {
    uint32_t type;
    void *next;
    uint32_t m, n, k, a, b, c, r;
    vk_bool saturating;
    uint32_t scope;
} vk_matrix_properties;

typedef struct vk_matrix2_features { /* VK_NV_cooperative_matrix2 */
    uint32_t type;
    void *next;
    vk_bool workgroup_scope, flexible, reductions, conversions, per_element, tensor_addressing, block_loads;
} vk_matrix2_features;

typedef struct vk_matrix2_properties {
    uint32_t type;
    void *next;
    uint32_t max_workgroup_size, max_dimension, reserved_shared_bytes;
} vk_matrix2_properties;

typedef struct vk_flexible_properties { /* m, n, k: dimensions are multiples of these */
    uint32_t type;
    void *next;
    uint32_t m, n, k, a, b, c, r;
    vk_bool saturating;
    uint32_t scope, invocations;
} vk_flexible_properties;

typedef struct vk_cache_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    size_t size;
    const void *data;
} vk_cache_info;

typedef struct vk_cache_header { /* what each pipeline cache's data begin with */
    uint32_t bytes, version, vendor, device;
    uint8_t uuid[16];
} vk_cache_header;

enum { VK_HEAP_DEVICE_LOCAL = 1 };
enum { VK_MEMORY_DEVICE_LOCAL = 1, VK_MEMORY_HOST_VISIBLE = 2, VK_MEMORY_HOST_COHERENT = 4 };
typedef struct vk_memory_properties {
    uint32_t type_count;
    struct {
        uint32_t flags, heap;
    } types[32];
    uint32_t heap_count;
    struct {
        vk_size size;
        uint32_t flags;
    } heaps[16];
} vk_memory_properties;

typedef struct vk_memory_info {
    uint32_t type;
    const void *next;
    vk_size size;
    uint32_t memory_type;
} vk_memory_info;

typedef struct vk_requirements {
    vk_size size, align;
    uint32_t types;
} vk_requirements;

enum { VK_USE_COPY_FROM = 1, VK_USE_COPY_TO = 2, VK_USE_UNIFORM = 0x10, VK_USE_STORAGE = 0x20 };
typedef struct vk_buffer_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    vk_size size;
    uint32_t use, sharing, family_count;
    const uint32_t *families;
} vk_buffer_info;

typedef struct vk_shader_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    size_t size;
    const uint32_t *words;
} vk_shader_info;

typedef struct vk_subgroup_info {
    uint32_t type;
    void *next;
    uint32_t size;
} vk_subgroup_info;

enum { VK_STAGE_REQUIRE_FULL_SUBGROUPS = 2 };
typedef struct vk_stage_info {
    uint32_t type;
    const void *next;
    uint32_t flags, stage;
    vk_handle module;
    const char *name;
    const void *specialization;
} vk_stage_info;

typedef struct vk_compute_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    vk_stage_info stage;
    vk_handle layout, base;
    int32_t base_index;
} vk_compute_info;

enum { VK_DESCRIPTOR_UNIFORM = 6, VK_DESCRIPTOR_STORAGE = 7 };
typedef struct vk_set_binding {
    uint32_t binding, kind, count, stages;
    const vk_handle *samplers;
} vk_set_binding;

typedef struct vk_set_layout_info {
    uint32_t type;
    const void *next;
    uint32_t flags, count;
    const vk_set_binding *bindings;
} vk_set_layout_info;

typedef struct vk_layout_info {
    uint32_t type;
    const void *next;
    uint32_t flags, set_count;
    const vk_handle *sets;
    uint32_t push_count;
    const void *pushes;
} vk_layout_info;

typedef struct vk_pool_size {
    uint32_t kind, count;
} vk_pool_size;

typedef struct vk_descriptor_pool_info {
    uint32_t type;
    const void *next;
    uint32_t flags, max_sets, count;
    const vk_pool_size *sizes;
} vk_descriptor_pool_info;

typedef struct vk_set_info {
    uint32_t type;
    const void *next;
    vk_handle pool;
    uint32_t count;
    const vk_handle *layouts;
} vk_set_info;

typedef struct vk_buffer_range {
    vk_handle buffer;
    vk_size offset, range;
} vk_buffer_range;

typedef struct vk_write {
    uint32_t type;
    const void *next;
    vk_handle set;
    uint32_t binding, element, count, kind;
    const void *images;
    const vk_buffer_range *buffers;
    const vk_handle *texels;
} vk_write;

enum { VK_POOL_RESET = 2 };
typedef struct vk_command_pool_info {
    uint32_t type;
    const void *next;
    uint32_t flags, family;
} vk_command_pool_info;

typedef struct vk_command_info {
    uint32_t type;
    const void *next;
    vk_handle pool;
    uint32_t level, count;
} vk_command_info;

typedef struct vk_begin_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    const void *inheritance;
} vk_begin_info;

typedef struct vk_memory_barrier {
    uint32_t type;
    const void *next;
    uint32_t from, to;
} vk_memory_barrier;

typedef struct vk_copy {
    vk_size from, to, size;
} vk_copy;

typedef struct vk_submit_info {
    uint32_t type;
    const void *next;
    uint32_t wait_count;
    const vk_handle *waits;
    const uint32_t *wait_stages;
    uint32_t command_count;
    const vk_command *commands;
    uint32_t signal_count;
    const vk_handle *signals;
} vk_submit_info;

typedef struct vk_fence_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
} vk_fence_info;

typedef struct vk_query_info {
    uint32_t type;
    const void *next;
    uint32_t flags, kind, count, statistics;
} vk_query_info;

typedef struct vk_message {
    uint32_t type;
    const void *next;
    uint32_t flags;
    const char *id_name;
    int32_t id;
    const char *text;
    /* queues, commands, objects: not read */
} vk_message;
typedef vk_bool (*vk_message_callback)(uint32_t severity, uint32_t kinds, const vk_message *message, void *user);
typedef struct vk_messenger_info {
    uint32_t type;
    const void *next;
    uint32_t flags, severities, kinds;
    vk_message_callback callback;
    void *user;
} vk_messenger_info;

/* The functions, in vulkan_function.def, as members of one struct. */
typedef struct vk_api {
    vk_function (*get_instance_function)(vk_instance, const char *);
#define GLOBAL(member, name, result, args)   result(*member) args;
#define INSTANCE(member, name, result, args) result(*member) args;
#define DEVICE(member, name, result, args)   result(*member) args;
#include "device/vulkan_function.def"
} vk_api;

#endif
