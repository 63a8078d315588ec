/* Profiles: records of what devices can do, read from JSON (docs/profiles.md). tessera.h, section 6, is their public
 * face. */
#ifndef TSR_COOPMAT_PROFILE_H
#define TSR_COOPMAT_PROFILE_H

#include "base/arena.h"
#include "base/json.h"
#include "coopmat/caps.h"

typedef struct tsr_profile {
    tsr_profile_info info;
    const char *json; /* the record as it was written */
} tsr_profile;

struct tsr_profiles {
    tsr_arena arena;
    const char *name; /* of the file, for messages */
    tsr_profile *items;
    size_t count;
};

/* The file that ships, made by the build from data/devices.json. */
extern const unsigned char tsr_profile_data[];
extern const size_t tsr_profile_data_bytes;

/* Reads records from a parsed text into `out`. False after tsr_fail. profile_read.c */
bool tsr_profiles_read(tsr_profiles *out, const tsr_json *root, const char *text);

/* What a device with that profile can hold when it runs with `subgroup_size`. The strings and lists stay the profile's.
 */
tsr_caps tsr_profile_caps(const tsr_profile *p, uint32_t subgroup_size);
/* The size that a device of the profile runs with unless another is asked for: the largest of those that it may choose
 * and that a CPU can take on; 32 when none is known. */
uint32_t tsr_profile_subgroup_size(const tsr_profile *p);

#endif
