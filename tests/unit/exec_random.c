/* Random control flow: programs of nested ifs, loops and switches with break, continue and return everywhere, run in
 * lockstep and lane by lane in C. The seed is printed when they differ. */
#include "exec_run.h"

#define LANES 40u
enum { NODES_MAX = 4000, CHILDREN_MAX = 4, PROGRAMS = 300 };

typedef enum kind { MIX, IF, IF_ELSE, LOOP, SWITCH, BREAK, CONTINUE, RETURN, CALL } kind;

typedef struct list {
    int first, count; /* in `order` */
} list;

typedef struct node {
    kind kind;
    uint32_t number, modulus; /* of the condition: (acc ^ lane * number) % modulus == 0 */
    list part[3];
} node;

typedef struct random_program {
    uint64_t seed;
    node nodes[NODES_MAX];
    int order[NODES_MAX];
    int node_count, order_count;
    tsr_text text;
    uint32_t next_id;
} random_program;

static uint32_t roll(random_program *p, uint32_t n)
{
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->seed >> 33) % n;
}

/* ---- Making. */

static list make_list(random_program *p, int depth, bool in_loop, bool in_switch);

static int make_node(random_program *p, int depth, bool in_loop, bool in_switch)
{
    int index = p->node_count++;
    kind k = MIX;
    if (depth > 0 && p->node_count < NODES_MAX / 2) k = (kind)roll(p, 5);
    if (k == MIX && depth < 3 && roll(p, 4) == 0) k = CALL;
    uint32_t number = roll(p, 1000) + 1, modulus = roll(p, 4) + 1;
    node n = {.kind = k, .number = number, .modulus = modulus};
    if (k == IF || k == IF_ELSE) n.part[0] = make_list(p, depth - 1, in_loop, in_switch);
    if (k == IF_ELSE) n.part[1] = make_list(p, depth - 1, in_loop, in_switch);
    if (k == LOOP) n.part[0] = make_list(p, depth - 1, true, false);
    for (int i = 0; k == SWITCH && i < 3; i++)
        n.part[i] = make_list(p, depth - 1, in_loop, true);
    p->nodes[index] = n;
    return index;
}

static list make_list(random_program *p, int depth, bool in_loop, bool in_switch)
{
    int made[CHILDREN_MAX + 1], count = (int)roll(p, CHILDREN_MAX);
    for (int i = 0; i < count; i++)
        made[i] = make_node(p, depth, in_loop, in_switch);
    uint32_t end = roll(p, 9);
    kind last = end == 0 && (in_loop || in_switch) ? BREAK
                : end == 1 && in_loop              ? CONTINUE
                : end == 2 && depth < 4            ? RETURN
                                                   : MIX;
    if (last != MIX) {
        p->nodes[p->node_count] = (node){.kind = last};
        made[count++] = p->node_count++;
    }
    list l = {p->order_count, count};
    for (int i = 0; i < count; i++)
        p->order[p->order_count++] = made[i];
    return l;
}

/* ---- Writing it as IR. Values: %2 the lane, %5 the variable `acc`. */

static uint32_t emit_condition(random_program *p, const node *n)
{
    uint32_t id = p->next_id;
    p->next_id += 5;
    tsr_text_printf(
        &p->text,
        "%%%u: u32 = load %%5\n%%%u: u32 = mul %%2, %uu\n%%%u: u32 = xor %%%u, %%%u\n%%%u: u32 = rem %%%u, %uu\n"
        "%%%u: bool = eq %%%u, 0u\n",
        id, id + 1, n->number, id + 2, id, id + 1, id + 3, id + 2, n->modulus, id + 4, id + 3);
    return id + 4;
}

static void emit_list(random_program *p, list l);

static void emit_loop(random_program *p, const node *n)
{
    uint32_t id = p->next_id;
    p->next_id += 5;
    tsr_text_printf(&p->text,
                    "%%%u: ptr<function, u32> = var\nloop {\n%%%u: u32 = load %%%u\n%%%u: bool = ge %%%u, %uu\n"
                    "if %%%u {\nbreak\n}\n",
                    id, id + 1, id, id + 2, id + 1, n->number % 4 + 1, id + 2);
    emit_list(p, n->part[0]);
    tsr_text_printf(&p->text, "continuing {\n%%%u: u32 = add %%%u, 1u\nstore %%%u, %%%u\n", id + 3, id + 1, id, id + 3);
    if (n->number % 2 == 0) tsr_text_printf(&p->text, "break_if %%%u\n", emit_condition(p, n));
    tsr_text_puts(&p->text, "}\n}\n");
}

static void emit_node(random_program *p, const node *n)
{
    uint32_t id = p->next_id;
    switch (n->kind) {
    case MIX:
        p->next_id += 3;
        tsr_text_printf(&p->text,
                        "%%%u: u32 = load %%5\n%%%u: u32 = mul %%%u, 31u\n%%%u: u32 = add %%%u, %uu\nstore %%5, %%%u\n",
                        id, id + 1, id, id + 2, id + 1, n->number, id + 2);
        break;
    case CALL:
        p->next_id += 2;
        tsr_text_printf(&p->text, "%%%u: u32 = load %%5\n%%%u: u32 = call step(%%%u, %uu)\nstore %%5, %%%u\n", id,
                        id + 1, id, n->modulus, id + 1);
        break;
    case IF:
    case IF_ELSE:
        tsr_text_printf(&p->text, "if %%%u {\n", emit_condition(p, n));
        emit_list(p, n->part[0]);
        if (n->kind == IF_ELSE) {
            tsr_text_puts(&p->text, "} else {\n");
            emit_list(p, n->part[1]);
        }
        tsr_text_puts(&p->text, "}\n");
        break;
    case LOOP: emit_loop(p, n); break;
    case SWITCH:
        p->next_id += 2;
        tsr_text_printf(&p->text, "%%%u: u32 = load %%5\n%%%u: u32 = rem %%%u, 6u\nswitch %%%u {\ncase 1u, 4u {\n", id,
                        id + 1, id, id + 1);
        emit_list(p, n->part[0]);
        tsr_text_puts(&p->text, "}\ncase default, 0u {\n");
        emit_list(p, n->part[1]);
        tsr_text_puts(&p->text, "}\ncase 2u {\n");
        emit_list(p, n->part[2]);
        tsr_text_puts(&p->text, "}\n}\n");
        break;
    case BREAK: tsr_text_puts(&p->text, "break\n"); break;
    case CONTINUE: tsr_text_puts(&p->text, "continue\n"); break;
    case RETURN:
        p->next_id += 1;
        tsr_text_printf(&p->text, "%%%u: u32 = load %%5\nstore %%3, %%%u\nreturn\n", id, id);
        break;
    }
}

static void emit_list(random_program *p, list l)
{
    for (int i = 0; i < l.count; i++)
        emit_node(p, &p->nodes[p->order[l.first + i]]);
}

static void emit_program(random_program *p, list l)
{
    tsr_text_init(&p->text, NULL);
    p->next_id = 20;
    tsr_text_puts(
        &p->text,
        "tessera_ir 1\nglobal %1 out: ptr<storage, array<u32>, read_write> @group(0) @binding(0)\n"
        "fn step(%10 x: u32, %11 m: u32) -> u32 {\n%12: u32 = rem %10, 3u\n%13: bool = lt %12, %11\nif %13 {\n"
        "%14: u32 = add %10, 1u\nreturn %14\n}\n%15: u32 = mul %10, 7u\nreturn %15\n}\n"
        "fn main(%2 i: u32 @builtin(local_invocation_index)) @compute @workgroup_size(40u, 1u, 1u) {\n"
        "%3: ptr<storage, u32, read_write> = index %1, %2\n%5: ptr<function, u32> = var %2\n");
    emit_list(p, l);
    tsr_text_puts(&p->text, "%4: u32 = load %5\nstore %3, %4\nreturn\n}\n");
}

/* ---- Running one lane in C. */

typedef enum signal_kind { GO, DO_BREAK, DO_CONTINUE, DO_RETURN } signal_kind;

static bool condition(const node *n, uint32_t lane, uint32_t acc)
{
    return (acc ^ lane * n->number) % n->modulus == 0;
}

static signal_kind run_list(const random_program *p, list l, uint32_t lane, uint32_t *acc);

static signal_kind run_loop(const random_program *p, const node *n, uint32_t lane, uint32_t *acc)
{
    for (uint32_t k = 0;; k++) {
        if (k >= n->number % 4 + 1) return GO;
        signal_kind s = run_list(p, n->part[0], lane, acc);
        if (s == DO_RETURN) return s;
        if (s == DO_BREAK) return GO;
        if (n->number % 2 == 0 && condition(n, lane, *acc)) return GO;
    }
}

static signal_kind run_node(const random_program *p, const node *n, uint32_t lane, uint32_t *acc)
{
    switch (n->kind) {
    case MIX: *acc = *acc * 31 + n->number; return GO;
    case CALL: *acc = *acc % 3 < n->modulus ? *acc + 1 : *acc * 7; return GO;
    case IF: return condition(n, lane, *acc) ? run_list(p, n->part[0], lane, acc) : GO;
    case IF_ELSE: return run_list(p, n->part[condition(n, lane, *acc) ? 0 : 1], lane, acc);
    case LOOP: return run_loop(p, n, lane, acc);
    case SWITCH: {
        uint32_t v = *acc % 6;
        signal_kind s = run_list(p, n->part[v == 1 || v == 4 ? 0 : v == 2 ? 2 : 1], lane, acc);
        return s == DO_BREAK ? GO : s;
    }
    case BREAK: return DO_BREAK;
    case CONTINUE: return DO_CONTINUE;
    case RETURN: return DO_RETURN;
    }
    return GO;
}

static signal_kind run_list(const random_program *p, list l, uint32_t lane, uint32_t *acc)
{
    for (int i = 0; i < l.count; i++) {
        signal_kind s = run_node(p, &p->nodes[p->order[l.first + i]], lane, acc);
        if (s != GO) return s;
    }
    return GO;
}

static void lockstep_is_the_same_as_lane_by_lane(void **state)
{
    (void)state;
    static random_program p;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        memset(&p, 0, sizeof p);
        p.seed = seed;
        list l = make_list(&p, 5, false, false);
        emit_program(&p, l);
        uint32_t out[LANES];
        memset(out, 0, sizeof out);
        buffer buffers[1] = {BUFFER(out)};
        (void)run_text(tsr_text_get(&p.text), 4u << seed % 6, buffers, 1);
        for (uint32_t i = 0; i < LANES; i++) {
            uint32_t acc = i;
            (void)run_list(&p, l, i, &acc);
            if (out[i] != acc)
                fail_msg("seed %u, lane %u: %u is not %u\n%s", (unsigned)seed, i, out[i], acc, tsr_text_get(&p.text));
        }
        tsr_text_fini(&p.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lockstep_is_the_same_as_lane_by_lane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
