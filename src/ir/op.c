/* The table of ops, made from op.def. */
#include "ir/module.h"

#include <string.h>

enum {
    ANY = -1,
    PURE = TSR_OPF_PURE,
    READ = TSR_OPF_READ,
    WRITE = TSR_OPF_WRITE,
    ATOMIC = TSR_OPF_ATOMIC,
    BARRIER = TSR_OPF_BARRIER,
    SG = TSR_OPF_SG,
    SG_UNI = TSR_OPF_SG_UNI,
    QUAD = TSR_OPF_QUAD,
    COMPS = TSR_OPF_COMPS,
    BLOCKS = TSR_OPF_BLOCKS,
    END = TSR_OPF_END,
    CONSTEX = TSR_OPF_CONSTEX,
    DIAG = TSR_OPF_DIAG
};

const tsr_op_info tsr_op_table[TSR_OP_COUNT] = {
    [TSR_OP_none] = {"none", 0, TSR_OPR_VOID, 0, "no instruction"},
#define OP(name, nargs, result, flags, meaning) [TSR_OP_##name] = {#name, nargs, TSR_OPR_##result, flags, meaning},
#include "ir/op.def"
};

/* Only the reader of IR text asks, and it remembers the answers. */
tsr_op tsr_op_find(tsr_str name)
{
    for (int op = TSR_OP_none + 1; op < TSR_OP_COUNT; op++)
        if (tsr_str_is(name, tsr_op_table[op].name)) return (tsr_op)op;
    return TSR_OP_none;
}

tsr_op tsr_op_repeated(tsr_op op)
{
    switch (op) {
    case TSR_OP_sg_add:
    case TSR_OP_sg_inclusive_add:
    case TSR_OP_sg_exclusive_add: return TSR_OP_add;
    case TSR_OP_sg_mul:
    case TSR_OP_sg_inclusive_mul:
    case TSR_OP_sg_exclusive_mul: return TSR_OP_mul;
    case TSR_OP_sg_min: return TSR_OP_min;
    case TSR_OP_sg_max: return TSR_OP_max;
    case TSR_OP_sg_and: return TSR_OP_and;
    case TSR_OP_sg_or: return TSR_OP_or;
    default: return TSR_OP_xor;
    }
}
