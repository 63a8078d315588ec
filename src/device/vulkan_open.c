/* Finding Vulkan: the loader opened at run time (TSR_VULKAN names another one), an instance, the physical devices.
 * Every step that fails is named.
 * When it is asked for, or with TSR_VALIDATE=1, the Khronos validation layer watches. */
#include "device/vulkan.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

/* POSIX: a function's address from dlsym goes through the object pointer's bytes. */
static vk_function to_function(void *symbol)
{
    vk_function f;
    memcpy(&f, &symbol, sizeof f);
    return f;
}

/* The results that are failures, in the order of their numbers. Source: VkResult. */
const char *tsr_vk_result_name(vk_result r)
{
    static const char *const core[] = {"VK_ERROR_OUT_OF_HOST_MEMORY",
                                       "VK_ERROR_OUT_OF_DEVICE_MEMORY",
                                       "VK_ERROR_INITIALIZATION_FAILED",
                                       "VK_ERROR_DEVICE_LOST",
                                       "VK_ERROR_MEMORY_MAP_FAILED",
                                       "VK_ERROR_LAYER_NOT_PRESENT",
                                       "VK_ERROR_EXTENSION_NOT_PRESENT",
                                       "VK_ERROR_FEATURE_NOT_PRESENT",
                                       "VK_ERROR_INCOMPATIBLE_DRIVER",
                                       "VK_ERROR_TOO_MANY_OBJECTS",
                                       "VK_ERROR_FORMAT_NOT_SUPPORTED",
                                       "VK_ERROR_FRAGMENTED_POOL",
                                       "VK_ERROR_UNKNOWN"};
    if (r < 0 && r >= -(vk_result)TSR_COUNT_OF(core)) return core[-r - 1];
    return r == VK_INVALID_SHADER ? "VK_ERROR_INVALID_SHADER_NV" : "a result without a name";
}

tsr_status tsr_vk_fail(vk_result r, const char *what)
{
    switch (r) {
    case VK_OUT_OF_HOST_MEMORY: return tsr_fail(TSR_ERR_MEMORY, "vulkan: out of memory while %s", what);
    case VK_OUT_OF_DEVICE_MEMORY: return tsr_fail(TSR_ERR_MEMORY, "vulkan: out of device memory while %s", what);
    case VK_TIMEOUT: return tsr_fail(TSR_ERR_TIMEOUT, "vulkan: the time allowed is over while %s", what);
    case VK_DEVICE_LOST: return tsr_fail(TSR_ERR_DEVICE, "vulkan: the device was lost while %s", what);
    default:
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: the driver failed (%s, %d) while %s", tsr_vk_result_name(r), (int)r,
                        what);
    }
}

/* Fills the members of one kind; the name of the first that is missing, NULL when none is. */
static const char *load_functions(vk_api *api, vk_instance instance)
{
    const char *missing = NULL;
#define GLOBAL(member, name, result, args)                                                                             \
    if (!instance) {                                                                                                   \
        vk_function f = api->get_instance_function(NULL, name);                                                        \
        memcpy(&api->member, &f, sizeof f);                                                                            \
        if (!f) missing = name;                                                                                        \
    }
#define INSTANCE(member, name, result, args)                                                                           \
    if (instance) {                                                                                                    \
        const char *plain = name[0] == '?' ? &name[1] : name;                                                          \
        vk_function f = api->get_instance_function(instance, plain);                                                   \
        memcpy(&api->member, &f, sizeof f);                                                                            \
        if (!f && name[0] != '?') missing = plain;                                                                     \
    }
#define DEVICE(member, name, result, args)
#include "device/vulkan_function.def"
    return missing;
}

static tsr_status open_loader(vk_instance_state *s)
{
    const char *own = getenv("TSR_VULKAN"), *path = own && *own ? own : "libvulkan.so.1";
    s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!s->library && path == own)
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: TSR_VULKAN names no loader (%s)", dlerror());
    if (!s->library)
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: there is no loader (%s); install the Vulkan loader, libvulkan1",
                        dlerror());
    vk_function f = to_function(dlsym(s->library, "vkGetInstanceProcAddr"));
    memcpy(&s->api.get_instance_function, &f, sizeof f);
    const char *missing = f ? load_functions(&s->api, NULL) : "vkGetInstanceProcAddr";
    if (missing) return tsr_fail(TSR_ERR_DEVICE, "vulkan: the loader is too old, it has no %s", missing);
    uint32_t version = 0;
    if (s->api.enumerate_version(&version) != VK_OK || version < VK_VERSION(1, 3))
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: the loader knows Vulkan %u.%u; 1.3 is needed", VK_MAJOR(version),
                        VK_MINOR(version));
    return TSR_OK;
}

/* ---- Validation. */

enum { SEVERITY_WARNING = 0x100, SEVERITY_ERROR = 0x1000 };

static vk_bool take_message(uint32_t severity, uint32_t kinds, const vk_message *message, void *user)
{
    (void)kinds;
    if (severity >= SEVERITY_ERROR)
        tsr_vk_log_add(user, message->text);
    else
        fprintf(stderr, "vulkan: warning: %s\n", message->text);
    return 0;
}

static bool is_set_in_environment(void)
{
    const char *s = getenv("TSR_VALIDATE");
    return s && strcmp(s, "1") == 0;
}

static bool has_layer(vk_api *api, const char *name)
{
    vk_layer layers[64];
    uint32_t count = 64;
    vk_result r = api->enumerate_layers(&count, layers);
    if (r != VK_OK && r != VK_INCOMPLETE) return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].name, name) == 0) return true;
    return false;
}

static vk_messenger_info messenger_info(vk_instance_state *s)
{
    return (vk_messenger_info){.type = VKS_DEBUG_UTILS_MESSENGER_CREATE_INFO,
                               .severities = SEVERITY_WARNING | SEVERITY_ERROR,
                               .kinds = 0x3, /* general, validation */
                               .callback = take_message,
                               .user = &s->log};
}

/* NVIDIA's driver cannot be loaded and unloaded again and again: after some rounds its thread-local storage finds no
 * room and the loader reports no driver (seen with 580.159.04). Once loaded, it stays. */
static void keep_driver_loaded(void)
{
    static const char *const drivers[] = {"libGLX_nvidia.so.0", "libEGL_nvidia.so.0"};
    for (size_t i = 0; i < TSR_COUNT_OF(drivers); i++) {
        void *library = dlopen(drivers[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (library) dlclose(library);
    }
}

static tsr_status create_instance(vk_instance_state *s)
{
    static const char *const layers[] = {VALIDATION_LAYER};
    static const char *const extensions[] = {"VK_EXT_debug_utils"};
    const vk_application_info app = {
        .type = VKS_APPLICATION_INFO, .name = "tessera", .engine = "tessera", .api_version = VK_VERSION(1, 3)};
    vk_messenger_info messages = messenger_info(s);
    vk_instance_info info = {.type = VKS_INSTANCE_CREATE_INFO, .application = &app};
    if (s->validates) {
        if (!has_layer(&s->api, VALIDATION_LAYER))
            return tsr_fail(TSR_ERR_DEVICE, "vulkan: the validation layer, " VALIDATION_LAYER
                                            ", is not installed (Debian: vulkan-validationlayers); VK_LAYER_PATH "
                                            "names the folder of its JSON file when it lies elsewhere");
        info.next = &messages;
        info.layer_count = info.extension_count = 1;
        info.layers = layers;
        info.extensions = extensions;
    }
    vk_result r = s->api.create_instance(&info, NULL, &s->instance);
    if (r == VK_INCOMPATIBLE_DRIVER)
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: the loader finds no driver; install the device's Vulkan driver "
                                        "(VK_DRIVER_FILES names one that is not where drivers are looked for)");
    if (r != VK_OK) return tsr_vk_fail(r, "making an instance");
    keep_driver_loaded();
    const char *missing = load_functions(&s->api, s->instance);
    if (missing) return tsr_fail(TSR_ERR_DEVICE, "vulkan: the driver is too old, it has no %s", missing);
    if (info.layer_count && s->api.create_messenger)
        s->api.create_messenger(s->instance, &messages, NULL, &s->messenger);
    return TSR_OK;
}

tsr_status tsr_vk_open(vk_instance_state *s, bool validate)
{
    if (pthread_mutex_init(&s->log.lock, NULL) != 0)
        return tsr_fail(TSR_ERR_MEMORY, "out of memory while opening Vulkan");
    s->has_log = true;
    s->validates = validate || is_set_in_environment();
    tsr_status st = open_loader(s);
    if (st == TSR_OK) st = create_instance(s);
    if (st != TSR_OK) return st;
    s->physical_count = VK_PHYSICAL_MAX;
    vk_result r = s->api.enumerate_physical(s->instance, &s->physical_count, s->physical);
    if (r != VK_OK && r != VK_INCOMPLETE) return tsr_vk_fail(r, "listing devices");
    if (s->physical_count == 0) return tsr_fail(TSR_ERR_DEVICE, "vulkan: the driver has no device");
    return TSR_OK;
}

void tsr_vk_close(vk_instance_state *s, bool idle)
{
    if (s->messenger && s->api.destroy_messenger) s->api.destroy_messenger(s->instance, s->messenger, NULL);
    if (s->instance && s->api.destroy_instance && idle) s->api.destroy_instance(s->instance, NULL);
    if (s->library) dlclose(s->library);
    if (s->has_log) tsr_vk_log_fini(&s->log);
    memset(s, 0, sizeof *s);
}
