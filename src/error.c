/* The last error of each thread, the names of statuses, the version. The one place of the library where something
 * outlives a call without a handle: errno's shape, because a failed call often leaves no handle to ask. */
#include "compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for some thirty lines; longer texts are cut at a line and say so. */
enum { LAST_ERROR_BYTES = 8192 };
static _Thread_local char last_error[LAST_ERROR_BYTES];

#define TSR_STRINGIFY_(x) #x
#define TSR_STRINGIFY(x)  TSR_STRINGIFY_(x)

const char *tsr_status_name(tsr_status s)
{
    switch (s) {
    case TSR_OK: return "TSR_OK";
    case TSR_ERR_INVALID: return "TSR_ERR_INVALID";
    case TSR_ERR_SOURCE: return "TSR_ERR_SOURCE";
    case TSR_ERR_SHAPE: return "TSR_ERR_SHAPE";
    case TSR_ERR_UNSUPPORTED: return "TSR_ERR_UNSUPPORTED";
    case TSR_ERR_LIMIT: return "TSR_ERR_LIMIT";
    case TSR_ERR_MEMORY: return "TSR_ERR_MEMORY";
    case TSR_ERR_DEVICE: return "TSR_ERR_DEVICE";
    case TSR_ERR_IO: return "TSR_ERR_IO";
    case TSR_ERR_TIMEOUT: return "TSR_ERR_TIMEOUT";
    case TSR_ERR_VALIDATION: return "TSR_ERR_VALIDATION";
    }
    return "unknown status";
}

const char *tsr_last_error(void)
{
    return last_error;
}

const char *tsr_version(void)
{
    return TSR_STRINGIFY(TSR_VERSION_MAJOR) "." TSR_STRINGIFY(TSR_VERSION_MINOR) "." TSR_STRINGIFY(TSR_VERSION_PATCH);
}

/* Ends a text that was too long at its last whole line. */
static void cut_at_line(char *text)
{
    static const char more[] = "\n(more errors follow)";
    size_t room = LAST_ERROR_BYTES - sizeof more;
    size_t end = room;
    while (end > 0 && text[end] != '\n')
        end--;
    if (end == 0) end = room;
    while (end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80u)
        end--; /* not inside a UTF-8 sequence */
    memcpy(text + end, more, sizeof more);
}

tsr_status tsr_fail(tsr_status st, const char *fmt, ...)
{
    char text[LAST_ERROR_BYTES]; /* an argument may be the last error itself */
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (length < 0) text[0] = 0;
    if (length >= LAST_ERROR_BYTES) cut_at_line(text);
    memcpy(last_error, text, sizeof last_error);
    return st;
}
