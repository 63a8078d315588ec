/* Which code points may stand in an identifier: Unicode 14, UAX #31 with WGSL's profile. */
#ifndef TSR_WGSL_UNICODE_IDENT_H
#define TSR_WGSL_UNICODE_IDENT_H

#include <stdbool.h>
#include <stdint.h>

bool tsr_unicode_xid_start(uint32_t code);
bool tsr_unicode_xid_continue(uint32_t code);

#endif
