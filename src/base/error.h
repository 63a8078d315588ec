/* How a public function fails: with a status, and a sentence for tsr_last_error. */
#ifndef TSR_BASE_ERROR_H
#define TSR_BASE_ERROR_H

#include "base/compiler.h"
#include "tessera.h"

/* Records `fmt` as this thread's last error and returns `st`. */
tsr_status tsr_fail(tsr_status st, const char *fmt, ...) TSR_PRINTF(2, 3) TSR_COLD;

#endif
