/* A device as one struct of functions; cpu, vulkan and cuda fill it in, and nothing outside asks which one it is. */
#ifndef TSR_DEVICE_DEVICE_H
#define TSR_DEVICE_DEVICE_H

#include "compile.h"
#include "coopmat/profile.h"
#include "tessera.h"

typedef struct tsr_driver {
    const char *name; /* "cpu": how tsr_device_open finds it; also "NAME:rest" */
    bool sanitizes;   /* takes tsr_dispatch_args.sanitize */
    bool validates;   /* takes tsr_device_args.validate */
    /* How many devices it has here, and the name of each ("cpu", "vulkan:0"). */
    size_t (*count)(void);
    const char *(*device_name)(size_t i);
    tsr_status (*open)(const char *name, const tsr_device_args *args, tsr_device **out);
    void (*close)(tsr_device *dev);
    tsr_status (*buffer_create)(tsr_device *dev, uint64_t size_bytes, const void *data, tsr_buffer **out);
    void (*buffer_free)(tsr_buffer *b);
    tsr_status (*buffer_write)(tsr_buffer *b, uint64_t offset, const void *data, uint64_t size);
    tsr_status (*buffer_read)(tsr_buffer *b, uint64_t offset, void *data, uint64_t size);
    tsr_status (*pipeline_create)(tsr_device *dev, tsr_built *build, tsr_pipeline **out); /* owns build on success */
    void (*pipeline_free)(tsr_pipeline *p);
    /* Bindings are checked and in the program's order of resources. */
    tsr_status (*dispatch)(tsr_pipeline *p, const tsr_binding *ordered, const tsr_dispatch_args *args);
    tsr_status (*wait)(tsr_device *dev);
    /* What runs it now; NULL: what was written down when it was made. */
    const char *(*engine)(const tsr_pipeline *p);
    /* The machine's forms of a program: "llvm", "asm"; NULL: it has none. */
    tsr_status (*dump)(const tsr_pipeline *p, const char *form, tsr_text *out);
} tsr_driver;

/* The common heads; drivers embed them first in structs of their own. */
struct tsr_device {
    const tsr_driver *driver;
    tsr_caps caps;
    char name[64];
    char description[256];
    tsr_device_info info;          /* NULL strings are "" */
    _Atomic uint64_t buffer_bytes; /* held by buffers now */
    uint64_t memory_limit_bytes;   /* 0: none */
};
struct tsr_buffer {
    tsr_device *device;
    uint64_t size_bytes;
};
struct tsr_pipeline {
    tsr_device *device;
    tsr_built *build;
    char engine[160]; /* what runs it; "" where that goes without saying */
};

extern const tsr_driver tsr_cpu_driver;
extern const tsr_driver tsr_profile_driver;
extern const tsr_driver tsr_vulkan_driver;

/* Says that a device lacks the wanted subgroup size; returns TSR_ERR_INVALID. */
tsr_status tsr_fail_subgroup_size(const char *device, uint32_t wanted, uint32_t least, uint32_t most);

/* The CPU with the configurations, subgroup sizes and limits of a profile. Owns the profiles on success. */
tsr_status tsr_cpu_open_profile(tsr_profiles *profiles, size_t which, const tsr_device_args *args, tsr_device **out);

#endif
