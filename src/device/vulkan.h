/* Inside the Vulkan driver: what its files share.
 *
 *   vulkan_open.c      the loader, the instance, which devices there are, validation messages
 *   vulkan_query.c     what a device can do: limits, features
 *   vulkan_matrix.c    its matrix configurations
 *   vulkan_memory.c    buffers, staging, one-off commands
 *   vulkan_shader.c    a program's SPIR-V
 *   vulkan_cache.c     the pipeline cache on disk
 *   vulkan_validate.c  messages of the validation layers, at the lines of the program
 *   vulkan_pipeline.c  SPIR-V to a pipeline, and running it
 *   vulkan.c           the driver: opening, dispatch, timestamps, timeouts */
#ifndef TSR_DEVICE_VULKAN_H
#define TSR_DEVICE_VULKAN_H

#include "device/device.h"
#include "device/vulkan_api.h"

#include <pthread.h>

enum { VK_SETS_MAX = 8, VK_PHYSICAL_MAX = 16, VK_SUBGROUP_SIZES_MAX = 8 };

/* Errors of the validation layers that no call has told yet. */
enum { VK_MESSAGES_MAX = 16 };
typedef struct vk_log {
    pthread_mutex_t lock;
    char *items[VK_MESSAGES_MAX];
    uint32_t count, errors; /* errors: those for which there was no room, too */
} vk_log;

/* The loader and an instance. One for each device that is opened, and short-lived ones for lists. */
typedef struct vk_instance_state {
    void *library;
    vk_api api;
    vk_instance instance;
    vk_handle messenger;
    vk_physical physical[VK_PHYSICAL_MAX];
    uint32_t physical_count;
    bool validates; /* the layers watch */
    bool has_log;
    vk_log log;
} vk_instance_state;

/* A sentence in tsr_last_error names the step that failed: no loader, no driver, too old. */
tsr_status tsr_vk_open(vk_instance_state *s, bool validate);
/* idle: nothing runs any more; else the instance stays, for what runs uses it. */
void tsr_vk_close(vk_instance_state *s, bool idle);
tsr_status tsr_vk_fail(vk_result r, const char *what);
const char *tsr_vk_result_name(vk_result r);

/* What a physical device has, and what is turned on when it is opened. */
typedef struct vk_facts {
    vk_properties properties;
    vk_properties_1_1 properties_1_1;
    vk_properties_1_2 properties_1_2;
    vk_properties_1_3 properties_1_3;
    vk_features features;
    vk_features_1_1 features_1_1;
    vk_features_1_2 features_1_2;
    vk_features_1_3 features_1_3;
    vk_matrix_features matrix;
    vk_bfloat16_features bfloat16;
    vk_reconvergence_features reconvergence;
    vk_matrix2_features matrix_2;
    vk_matrix2_properties matrix_2_limits;
    bool has_matrix, has_bfloat16, has_matrix_2, has_reconvergence;
    uint32_t family; /* of the compute queue */
    bool has_timestamps;
    float timestamp_ns;
} vk_facts;

/* Whether the subgroup size of a pipeline can be fixed, with full subgroups. */
bool tsr_vk_can_pin(const vk_facts *f);
tsr_status tsr_vk_query(vk_api *api, vk_physical physical, vk_facts *out);

typedef struct vk_text {
    char text[160];
} vk_text;

typedef struct vk_state {
    tsr_device head;
    vk_instance_state host;
    vk_physical physical;
    vk_facts facts;
    vk_device device;
    vk_queue queue;
    vk_memory_properties memory;
    vk_handle command_pool, fence, queries;
    vk_command command;
    vk_handle staging, staging_memory;
    void *staging_data;
    pthread_mutex_t lock; /* of the command buffer, the staging buffer and the queue */
    vk_handle cache;      /* of pipelines */
    bool cache_tried;
    uint64_t cache_hash; /* of the file as it was read */
    bool lost;           /* nothing more is run */
    bool hung;           /* a run did not end in its time, and may be going on */
    tsr_config *configs;
    tsr_unkept *unkept;
    vk_text *unkept_text; /* two each */
    tsr_flexible *flexible;
    vk_text *flexible_text;
    char driver[600];
    uint32_t subgroup_sizes[VK_SUBGROUP_SIZES_MAX];
} vk_state;

typedef struct vk_buffer {
    tsr_buffer head;
    vk_handle buffer, memory;
} vk_buffer;

typedef struct vk_pipeline {
    tsr_pipeline head;
    vk_handle shader, layout, pipeline, pool;
    vk_handle set_layouts[VK_SETS_MAX];
    uint32_t set_count;
    uint32_t *words; /* the code, kept where the layers watch */
    size_t word_count;
} vk_pipeline;

/* Of the validation layers, vulkan_validate.c. */
void tsr_vk_log_add(vk_log *log, const char *text);
void tsr_vk_log_fini(vk_log *log); /* prints what no call has told */
/* The line of the program that a message about its code is about, 0 when it names none. */
uint32_t tsr_vk_find_line(const uint32_t *words, size_t count, const char *text, uint32_t *column);
/* The status of a call that ends: what the layers said meanwhile makes it fail. p: the pipeline that it is about, or
 * NULL. */
tsr_status tsr_vk_check_messages(vk_state *d, const vk_pipeline *p, tsr_status st);

/* Fills head.caps from the facts: limits, subgroup sizes, configurations in the device's order. */
tsr_status tsr_vk_fill_caps(vk_state *d, uint32_t subgroup_size);
tsr_status tsr_vk_list_configs(vk_state *d);
tsr_status tsr_vk_list_flexible(vk_state *d);
/* "discrete", ... of a VkPhysicalDeviceType. */
const char *tsr_vk_kind_name(uint32_t kind);

tsr_status tsr_vk_memory_init(vk_state *d);
void tsr_vk_memory_fini(vk_state *d);
tsr_status tsr_vk_buffer_create(tsr_device *dev, uint64_t size, const void *data, tsr_buffer **out);
void tsr_vk_buffer_free(tsr_buffer *b);
tsr_status tsr_vk_buffer_write(tsr_buffer *b, uint64_t offset, const void *data, uint64_t size);
tsr_status tsr_vk_buffer_read(tsr_buffer *b, uint64_t offset, void *data, uint64_t size);
/* Threads that share the device take turns from begin to finish. */
void tsr_vk_lock(vk_state *d);
void tsr_vk_unlock(vk_state *d);
tsr_status tsr_vk_check_usable(const vk_state *d);
tsr_status tsr_vk_begin(vk_state *d);
/* Ends the command buffer, runs it, and waits as `args` says; NULL: for ever. A lost device stays lost. */
tsr_status tsr_vk_finish(vk_state *d, const tsr_dispatch_args *args);
/* Whether what was run has ended, waiting so long for it; nothing may be destroyed before. */
bool tsr_vk_is_idle(vk_state *d, uint64_t wait_ns);

/* Makes p->shader. TSR_ERR_UNSUPPORTED: the device lacks what the code needs. */
tsr_status tsr_vk_make_shader(vk_state *d, vk_pipeline *p);
/* The device's pipeline cache, 0 when there is none. */
vk_handle tsr_vk_cache(vk_state *d);
void tsr_vk_cache_fini(vk_state *d);
tsr_status tsr_vk_pipeline_create(tsr_device *dev, tsr_built *build, tsr_pipeline **out);
void tsr_vk_pipeline_free(tsr_pipeline *p);
tsr_status tsr_vk_dispatch(tsr_pipeline *p, const tsr_binding *ordered, const tsr_dispatch_args *args);

#endif
