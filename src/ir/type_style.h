/* How a type is written where plain WGSL spelling does not do: the IR's text names structs and sizes its own way. */
#ifndef TSR_IR_TYPE_STYLE_H
#define TSR_IR_TYPE_STYLE_H

#include "ir/type.h"

typedef struct tsr_type_style {
    void *user;
    void (*print_struct)(void *user, tsr_text *out, tsr_type type);
    void (*print_opaque)(void *user, tsr_text *out, tsr_type type);
    void (*print_value)(void *user, tsr_text *out, tsr_id over); /* the size that an override-expression gives */
} tsr_type_style;

void tsr_type_print_styled(tsr_text *out, const tsr_types *t, tsr_type type, const tsr_type_style *style);

#endif
