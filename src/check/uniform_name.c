/* Names for messages: most ops are called as in WGSL, in another spelling: `sg_shuffle_up` is subgroupShuffleUp. */
#include "check/uniform_name.h"

#include <string.h>

static const struct {
    uint16_t op;
    const char *name;
} special[] = {{TSR_OP_barrier_workgroup, "`workgroupBarrier`"},
               {TSR_OP_barrier_storage, "`storageBarrier`"},
               {TSR_OP_barrier_texture, "`textureBarrier`"},
               {TSR_OP_barrier_subgroup, "a subgroup barrier"},
               {TSR_OP_load_uniform, "`workgroupUniformLoad`"},
               {TSR_OP_atomic_cas, "`atomicCompareExchangeWeak`"},
               {TSR_OP_mfill, "the constructor of a subgroup matrix"},
               {TSR_OP_mload, "`subgroupMatrixLoad`"},
               {TSR_OP_mstore, "`subgroupMatrixStore`"},
               {TSR_OP_mma, "a multiplication of subgroup matrices"},
               {TSR_OP_madd, "`subgroupMatrixScalarAdd`"},
               {TSR_OP_msub, "`subgroupMatrixScalarSubtract`"},
               {TSR_OP_mscale, "`subgroupMatrixScalarMultiply`"}};

/* snake_case to camelCase, with "sg" written out. */
static void print_camel(tsr_text *out, const char *s)
{
    bool upper = false;
    if (strncmp(s, "sg_", 3) == 0) {
        tsr_text_puts(out, "subgroup");
        s += 2;
    }
    for (; *s != '\0'; s++) {
        char c = upper && *s >= 'a' && *s <= 'z' ? (char)(*s - 'a' + 'A') : *s;
        upper = *s == '_';
        if (!upper) tsr_text_add(out, &c, 1);
    }
}

const char *tsr_uniform_name(const tsr_ir *ir, tsr_arena *arena, const tsr_inst *inst)
{
    tsr_text text;
    for (size_t i = 0; i < TSR_COUNT_OF(special); i++) {
        if (special[i].op == inst->op) return special[i].name;
    }
    tsr_text_init(&text, arena);
    if (inst->op == TSR_OP_var) {
        tsr_text_printf(&text, "the zero value of `%s`, which holds subgroup matrices,",
                        tsr_symbols_cstr(ir->symbols, inst->name));
    } else {
        tsr_text_puts(&text, "`");
        if (inst->op == TSR_OP_builtin_call)
            tsr_text_puts(&text, tsr_symbols_cstr(ir->symbols, inst->aux));
        else
            print_camel(&text, tsr_op_table[inst->op].name);
        tsr_text_puts(&text, "`");
    }
    return tsr_text_get(&text);
}

const char *tsr_uniform_operand_name(const tsr_inst *inst, uint32_t arg)
{
    static const char *const access[] = {"p", "offset", "stride", "value"}, *const product[] = {"left", "right", "acc"},
                             *const scalar[] = {"matrix", "value"};
    switch (inst->op) {
    case TSR_OP_load_uniform: return "p";
    case TSR_OP_sg_shuffle_xor: return "mask";
    case TSR_OP_sg_shuffle_up:
    case TSR_OP_sg_shuffle_down: return "delta";
    case TSR_OP_mload:
    case TSR_OP_mstore: return access[arg & 3];
    case TSR_OP_mma: return product[arg % 3];
    case TSR_OP_madd:
    case TSR_OP_msub:
    case TSR_OP_mscale: return scalar[arg & 1];
    default: return "value";
    }
}

const char *tsr_uniform_memory_text(const tsr_ir *ir, tsr_arena *arena, const tsr_function *fn, tsr_id pointer)
{
    tsr_text text;
    const tsr_inst *inst = tsr_inst_at(ir, pointer);
    unsigned space = tsr_type_get(ir->types, inst->type)->space;
    inst = tsr_inst_at(ir, tsr_pointer_root(ir, pointer));
    tsr_sym name = inst->op == TSR_OP_global  ? tsr_global_at(ir, inst->aux)->name
                   : inst->op == TSR_OP_param ? fn->params[inst->aux].name
                                              : inst->name;
    tsr_text_init(&text, arena);
    tsr_text_printf(&text, "this reads `%s`, ", tsr_symbols_cstr(ir->symbols, name));
    if (space == TSR_SPACE_private) {
        tsr_text_puts(&text, "of which each invocation has its own (private memory)");
    } else if (space == TSR_SPACE_workgroup) {
        tsr_text_puts(&text,
                      "which invocations write while others read (workgroup memory); `workgroupUniformLoad` reads "
                      "one value for all");
    } else {
        tsr_text_puts(&text, "which invocations write while others read (read_write storage), so what they read may "
                             "differ");
    }
    return tsr_text_get(&text);
}

const char *tsr_uniform_input_text(const tsr_ir *ir, tsr_arena *arena, const tsr_function *fn, uint32_t param)
{
    tsr_text text;
    const tsr_param *p = &fn->params[param];
    const char *name = tsr_symbols_cstr(ir->symbols, p->name);
    tsr_text_init(&text, arena);
    if (tsr_type_kind_of(ir->types, p->type) == TSR_T_struct) {
        tsr_text_printf(&text,
                        "`%s` has members that differ between invocations, and a struct counts as one value; uniform "
                        "built-in values are better taken as parameters of their own",
                        name);
    } else if (p->io.builtin != TSR_BV_none) {
        tsr_text_printf(&text, "`%s` is the built-in value `%s`, which differs between invocations", name,
                        tsr_builtin_value_name((tsr_builtin_value)p->io.builtin));
    } else {
        tsr_text_printf(&text, "`%s` is an input of the shader, which may differ between invocations", name);
    }
    return tsr_text_get(&text);
}
