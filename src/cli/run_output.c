/* What `tessera run` writes: buffers as .npy files. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* One --out on its way: the buffer's bytes behind the header of the file. */
struct written {
    char head[NPY_HEADER_MAX];
    unsigned char *data;
};

static const struct run_slot *find_slot(const struct run_state *s, const struct run_out *o)
{
    for (size_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].info.group == o->group && s->slots[i].info.binding == o->binding) return &s->slots[i];
    return NULL; /* check_slots has seen to it that there is one */
}

/* Fills in what --out left open. The last word of packed bytes may be fuller than the shape says. */
static int settle_shape(struct cli_out_spec *spec, const struct run_slot *slot, const char *text)
{
    uint64_t size = tsr_buffer_size(slot->buffer);
    if (!spec->has_type && !cli_scalar_find(slot->info.scalar, strlen(slot->info.scalar), &spec->type))
        spec->type = CLI_U8; /* a struct: raw bytes */
    unsigned bytes = cli_scalar_bytes(spec->type);
    if (!spec->has_shape) {
        spec->dims = 1;
        spec->elements = spec->shape[0] = size / bytes;
    }
    uint64_t wanted = spec->elements * bytes;
    if (wanted <= size && size - wanted < 4) return CLI_DONE;
    cli_error("--out %s: that is %llu bytes, and the buffer has %llu", text, (unsigned long long)wanted,
              (unsigned long long)size);
    return CLI_BAD_INPUT;
}

static int read_output(struct run_state *s, struct run_out *o, struct written *w, struct cli_output *out)
{
    const struct run_slot *slot = find_slot(s, o);
    int status = settle_shape(&o->spec, slot, o->text);
    if (status != CLI_DONE) return status;
    size_t size = (size_t)(o->spec.elements * cli_scalar_bytes(o->spec.type));
    w->data = malloc(size + 1);
    if (!w->data) {
        cli_error("--out %s: no memory for %zu bytes", o->text, size);
        return CLI_ENVIRONMENT;
    }
    tsr_status st = tsr_buffer_read(slot->buffer, 0, w->data, size);
    if (st != TSR_OK) return cli_fail(st);
    *out = (struct cli_output){.path = o->spec.path,
                               .head = w->head,
                               .head_bytes = npy_header(w->head, o->spec.type, o->spec.shape, o->spec.dims),
                               .data = w->data,
                               .data_bytes = size};
    return CLI_DONE;
}

int run_write_outputs(struct run_state *s)
{
    size_t count = s->args->out_count;
    struct written *w = calloc(count + 1, sizeof *w);
    struct cli_output *outputs = calloc(count + 1, sizeof *outputs);
    int status = w && outputs ? CLI_DONE : CLI_ENVIRONMENT;
    if (status != CLI_DONE) cli_error("out of memory");
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
        status = read_output(s, &s->args->outs[i], &w[i], &outputs[i]);
    if (status == CLI_DONE) status = cli_write_outputs(outputs, count);
    if (status == CLI_DONE) status = run_print_report(s);
    for (size_t i = 0; w && i < count; i++)
        free(w[i].data);
    free(w);
    free(outputs);
    return status;
}
