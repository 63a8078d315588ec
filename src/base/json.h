/* JSON texts that others wrote, as a tree in an arena. Strict (RFC 8259), with limits so that no text can hurt:
 * nesting, members of an object; a doubled member is an error. */
#ifndef TSR_BASE_JSON_H
#define TSR_BASE_JSON_H

#include "base/arena.h"
#include "base/text.h"

typedef enum tsr_json_kind {
    TSR_JSON_NULL = 0,
    TSR_JSON_BOOL,
    TSR_JSON_NUMBER,
    TSR_JSON_STRING,
    TSR_JSON_ARRAY,
    TSR_JSON_OBJECT
} tsr_json_kind;

typedef struct tsr_json {
    tsr_json_kind kind;
    bool truth;    /* BOOL */
    bool is_whole; /* NUMBER: a whole number from 0 to 2^53, in `whole` */
    uint64_t whole;
    double number;          /* NUMBER */
    const char *text;       /* STRING: UTF-8 without NUL inside */
    const char *key;        /* member of an object: its name */
    struct tsr_json *first; /* ARRAY, OBJECT: the first of `count` parts */
    struct tsr_json *next;
    uint32_t count;
    size_t begin, end; /* bytes of the source */
} tsr_json;

typedef struct tsr_json_fault {
    uint32_t line, column; /* from 1; columns count bytes */
    char text[120];
} tsr_json_fault;

/* NULL and *fault when the text is not JSON. The tree does not point into `s`. */
tsr_json *tsr_json_parse(tsr_arena *arena, const char *s, size_t len, tsr_json_fault *fault);
/* Member `key` of an object; NULL when there is none, or when `object` is none. */
const tsr_json *tsr_json_member(const tsr_json *object, const char *key);
/* "a string", "an object", ... for messages. */
const char *tsr_json_kind_name(const tsr_json *j);

#endif
