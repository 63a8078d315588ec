/* Profiles: those that ship against the schema and the counts they are known to have; hostile files; what a profile
 * means for caps. The validator here knows the part of JSON Schema that data/profile.schema.json uses. */
#include "unit.h"

#include "base/json.h"
#include "coopmat/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A small validator of JSON Schema --------------------------------------------------------------------------- */

static bool is_type(const char *type, const tsr_json *j)
{
    switch (j->kind) {
    case TSR_JSON_NULL: return strcmp(type, "null") == 0;
    case TSR_JSON_BOOL: return strcmp(type, "boolean") == 0;
    case TSR_JSON_NUMBER: return strcmp(type, "number") == 0 || (strcmp(type, "integer") == 0 && j->is_whole);
    case TSR_JSON_STRING: return strcmp(type, "string") == 0;
    case TSR_JSON_ARRAY: return strcmp(type, "array") == 0;
    case TSR_JSON_OBJECT: return strcmp(type, "object") == 0;
    }
    return false;
}

static bool has_type(const tsr_json *types, const tsr_json *j)
{
    if (!types) return true;
    if (types->kind == TSR_JSON_STRING) return is_type(types->text, j);
    for (const tsr_json *t = types->first; t; t = t->next)
        if (is_type(t->text, j)) return true;
    return false;
}

static bool is_valid(const tsr_json *root, const tsr_json *schema, const tsr_json *j);

static bool has_members(const tsr_json *root, const tsr_json *schema, const tsr_json *j)
{
    const tsr_json *properties = tsr_json_member(schema, "properties"), *required = tsr_json_member(schema, "required");
    const tsr_json *more = tsr_json_member(schema, "additionalProperties");
    for (const tsr_json *r = required ? required->first : NULL; r; r = r->next)
        if (!tsr_json_member(j, r->text)) return false;
    for (const tsr_json *m = j->first; m && properties; m = m->next) {
        const tsr_json *p = tsr_json_member(properties, m->key);
        if (!p && more && !more->truth) return false;
        if (p && !is_valid(root, p, m)) return false;
    }
    return true;
}

static bool is_one_of(const tsr_json *root, const tsr_json *list, const tsr_json *j)
{
    for (const tsr_json *s = list->first; s; s = s->next)
        if (is_valid(root, s, j)) return true;
    return false;
}

static bool has_enum(const tsr_json *list, const tsr_json *j)
{
    for (const tsr_json *e = list->first; e; e = e->next)
        if (j->kind == TSR_JSON_STRING && strcmp(e->text, j->text) == 0) return true;
    return false;
}

static bool is_valid(const tsr_json *root, const tsr_json *schema, const tsr_json *j)
{
    const tsr_json *ref = tsr_json_member(schema, "$ref"), *any = tsr_json_member(schema, "anyOf");
    const tsr_json *list = tsr_json_member(schema, "enum"), *items = tsr_json_member(schema, "items");
    const tsr_json *least = tsr_json_member(schema, "minimum"), *longest = tsr_json_member(schema, "maxLength");
    if (ref) return is_valid(root, tsr_json_member(tsr_json_member(root, "$defs"), strrchr(ref->text, '/') + 1), j);
    if (!has_type(tsr_json_member(schema, "type"), j)) return false;
    if (any && !is_one_of(root, any, j)) return false;
    if (list && !has_enum(list, j)) return false;
    if (least && j->kind == TSR_JSON_NUMBER && j->number < least->number) return false;
    if (longest && j->kind == TSR_JSON_STRING && strlen(j->text) > longest->whole) return false;
    for (const tsr_json *i = j->kind == TSR_JSON_ARRAY && items ? j->first : NULL; i; i = i->next)
        if (!is_valid(root, items, i)) return false;
    return j->kind != TSR_JSON_OBJECT || has_members(root, schema, j);
}

static char *read_file(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s cannot be opened", path);
    char *text = calloc(1, 1 << 22);
    *bytes = fread(text, 1, (1 << 22) - 1, f);
    fclose(f);
    return text;
}

static const tsr_json *parse(tsr_arena *arena, const char *text, size_t bytes)
{
    tsr_json_fault fault = {0};
    const tsr_json *j = tsr_json_parse(arena, text, bytes, &fault);
    if (!j) fail_msg("%u:%u: %s", fault.line, fault.column, fault.text);
    return j;
}

static void test_schema(void **state)
{
    (void)state;
    static const char *const files[] = {"data/devices.json",
                                        "tests/profile/shape_8x16x32.json",
                                        "tests/profile/subgroup_4.json",
                                        "tests/profile/no_configuration.json",
                                        "tests/profile/saturating.json",
                                        "tests/profile/workgroup_scope.json",
                                        "tests/profile/range.json"};
    tsr_arena arena;
    size_t bytes;
    tsr_arena_init(&arena, NULL);
    char *text = read_file("data/profile.schema.json", &bytes);
    const tsr_json *schema = parse(&arena, text, bytes);
    free(text);
    for (size_t i = 0; i < TSR_COUNT_OF(files); i++) {
        tsr_profiles *p;
        text = read_file(files[i], &bytes);
        if (!is_valid(schema, schema, parse(&arena, text, bytes))) fail_msg("%s is not as the schema says", files[i]);
        if (tsr_profiles_load(text, bytes, files[i], &p) != TSR_OK) fail_msg("%s", tsr_last_error());
        tsr_profiles_free(p);
        free(text);
    }
    static const char bad[] = "{\"devices\": [{\"name\": \"x\", \"support\": \"complete\"}]}"; /* no configurations */
    assert_false(is_valid(schema, schema, parse(&arena, bad, sizeof bad - 1)));
    static const char odd[] = "{\"devices\": [{\"name\": \"x\", \"support\": \"some\", \"configurations\": []}]}";
    assert_false(is_valid(schema, schema, parse(&arena, odd, sizeof odd - 1)));
    tsr_arena_fini(&arena);
}

/* ---- Those that ship ------------------------------------------------------------------------------------------- */

/* Counted in the collection that they were made from. */
enum { RECORDS = 65, COMPLETE = 34, ADVERTISED = 835 };

static void test_counts(void **state)
{
    (void)state;
    size_t complete = 0, advertised = 0, kept = 0, unkept = 0, kinds[TSR_PROFILE_KIND_COUNT] = {0};
    tsr_profiles *p;
    assert_int_equal(tsr_profiles_load(NULL, 0, NULL, &p), TSR_OK);
    assert_int_equal(tsr_profiles_count(p), RECORDS);
    for (size_t i = 0; i < RECORDS; i++) {
        tsr_profile_info info;
        assert_int_equal(tsr_profiles_get(p, i, &info), TSR_OK);
        complete += info.support.knowledge == TSR_COMPLETE;
        advertised += info.support.advertised;
        kept += info.support.config_count;
        unkept += info.unkept_count;
        kinds[info.kind]++;
        assert_int_equal(info.support.advertised, info.support.config_count + info.unkept_count);
        assert_int_equal(tsr_support_is_faithful(&info.support), info.unkept_count == 0);
        assert_true(info.source[0] && info.confidence[0] && info.description[0]);
    }
    assert_int_equal(complete, COMPLETE);
    assert_int_equal(advertised, ADVERTISED);
    assert_int_equal(kept + unkept, ADVERTISED);
    assert_int_equal(kept, 587);
    assert_int_equal(kinds[TSR_PROFILE_DEVICE], 38);
    assert_int_equal(kinds[TSR_PROFILE_INSTRUCTION_SET], 22);
    assert_int_equal(kinds[TSR_PROFILE_PROTOTYPE], 5);
    tsr_profiles_free(p);
}

static void test_caps(void **state)
{
    (void)state;
    tsr_profiles *p;
    size_t i;
    assert_int_equal(tsr_profiles_load(NULL, 0, NULL, &p), TSR_OK);
    assert_int_equal(tsr_profiles_find(p, "anv-dg2", &i), TSR_OK);
    assert_int_equal(tsr_profile_subgroup_size(&p->items[i]), 32);
    tsr_caps caps = tsr_profile_caps(&p->items[i], 8);
    assert_int_equal(caps.subgroup_size, 8);
    assert_int_equal(caps.max_subgroup_size, 32);
    assert_int_equal(caps.support.config_count, 4);
    assert_false(caps.support.open);
    assert_int_equal(tsr_profiles_find(p, "anv-dg3", &i), TSR_ERR_DEVICE);
    assert_non_null(strstr(tsr_last_error(), "did you mean \"anv-dg2\"?"));
    assert_int_equal(tsr_profiles_find(p, "", &i), TSR_ERR_DEVICE);
    tsr_profile_info info;
    assert_int_equal(tsr_profiles_get(p, RECORDS, &info), TSR_ERR_INVALID);
    assert_null(tsr_profiles_json(p, RECORDS));
    tsr_profiles_free(p);
}

static void test_nearest(void **state)
{
    (void)state;
    tsr_profiles *p;
    tsr_config wanted;
    tsr_profile_info info;
    size_t i;
    char differs[64];
    assert_int_equal(tsr_profiles_load(NULL, 0, NULL, &p), TSR_OK);
    tsr_profiles_find(p, "anv-dg2", &i);
    tsr_profiles_get(p, i, &info);
    tsr_config_parse("16x16x16 f16*f16+f32->f32 subgroup", &wanted);
    const tsr_config *near = tsr_support_nearest(&info.support, &wanted, differs, sizeof differs);
    assert_non_null(near);
    assert_int_equal(near->shape.n, 8);
    assert_string_equal(differs, "m, n");
    near = tsr_support_nearest(&info.support, &wanted, differs, 3); /* cut short, not past the end */
    assert_string_equal(differs, "m,");
    assert_null(tsr_support_nearest(&(tsr_support){0}, &wanted, differs, sizeof differs));
    assert_string_equal(differs, "");
    tsr_profiles_free(p);
}

/* ---- Files that are not right ---------------------------------------------------------------------------------- */

static void expect_fault(const char *json, const char *text)
{
    tsr_profiles *p = NULL;
    if (tsr_profiles_load(json, strlen(json), "f.json", &p) != TSR_ERR_INVALID) fail_msg("accepted: %s", json);
    if (!strstr(tsr_last_error(), text)) fail_msg("%s\n says: %s\n not: %s", json, tsr_last_error(), text);
    assert_null(p);
}

#define RECORD(rest) "{\"name\": \"x\", \"support\": \"complete\", \"configurations\": []" rest "}"

static void test_faults(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "f.json:1:1: a value was expected here"},
        {"[]", "must be an object"},
        {"{\n\"devices\": 3}", "f.json:2: devices: must be an array, not a number"},
        {"{\"format\": \"tessera device profiles 2\", \"devices\": []}", "this version reads"},
        {"{\"devices\": [7]}", "devices[0].record: must be an object, not a number"},
        {"{\"support\": \"complete\", \"configurations\": []}", "name: is missing"},
        {"{\"name\": \"a b\", \"support\": \"complete\", \"configurations\": []}", "is no name"},
        {"{\"name\": \"x\", \"configurations\": []}", "support: is missing"},
        {"{\"name\": \"x\", \"support\": \"full\", \"configurations\": []}", "complete, partial and unknown"},
        {"{\"name\": \"x\", \"support\": \"complete\"}", "configurations: is missing"},
        {"{\"name\": \"x\", \"support\": \"complete\", \"configurations\": [\"16x16 f16\"]}",
         "configurations[0]: '16x16 f16' is no configuration"},
        {"{\"name\": \"x\", \"support\": \"complete\", \"configurations\": [{\"text\": \"y\"}]}", "not_kept"},
        {"{\"name\": \"x\", \"support\": \"complete\", \"configurations\": [{\"nam\": \"y\"}]}", "no member \"nam\""},
        {"{\"devices\": [" RECORD("") ", " RECORD("") "]}", "devices[1].name: 'x' is given twice"},
        {RECORD(", \"colour\": 1"), "colour: there is no such field"},
        {RECORD(", \"kind\": \"gpu\""), "device, instruction-set and prototype"},
        {RECORD(", \"kind\": 1"), "kind: is a number, which it cannot be"},
        {RECORD(", \"advertised\": -1"), "advertised: must be a whole number"},
        {RECORD(", \"subgroup_sizes\": [32, 16]"), "powers of two"},
        {RECORD(", \"subgroup_sizes\": [12]"), "powers of two"},
        {RECORD(", \"subgroup_sizes\": [8], \"subgroup_size\": 16"), "16 is not among subgroup_sizes"},
        {RECORD(", \"limits\": {\"max_workgroup_size\": [1, 2]}"), "three numbers"},
        {RECORD(", \"limits\": {\"max_workgroup_bytes\": 1.5}"), "limits.max_workgroup_bytes: must be a whole number"},
        {RECORD(", \"limits\": {\"max_workgroup_invocations\": 4294967296}"), "must be a whole number"},
        {RECORD(", \"limits\": {\"max_speed\": 1}"), "limits.max_speed: there is no such limit"},
        {RECORD(", \"inferred\": [\"weather\"]"), "configurations, subgroup, workgroup and memory"},
        {RECORD(", \"numerics\": \"magic\""), "numerics: 'magic' is no model"},
        {RECORD(", \"notes\": \"\\u0000\""), "a NUL in a string"},
        {RECORD(", \"notes\": \"\\ud800\""), "half of a surrogate pair"},
        {RECORD(", \"notes\": \"\xff\""), "not UTF-8"},
        {RECORD(", \"name\": \"y\""), "two members of one name"},
        {RECORD("") "x", "after the end"},
        {"{\"name\": \"x", "a string without end"},
        {"{\"a\" 1}", "a colon was expected"},
        {"{\"a\": 01}", "leading zero"},
        {"{\"a\": 1e999}", "too large"},
        {"{\"a\": [1 2]}", "a comma or ]"},
    };
    for (size_t i = 0; i < TSR_COUNT_OF(cases); i++)
        expect_fault(cases[i][0], cases[i][1]);
}

static void test_deep(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH + 1);
    memset(text, '[', DEPTH);
    text[DEPTH] = 0;
    expect_fault(text, "nest more than 64 deep");
    free(text);
    expect_fault("{\"devices\": [" RECORD(", \"flexible\": {\"a\": [1, {\"b\": null}]}") ", 1]}", "devices[1].record");
}

/* Every prefix of a good file is refused in order, and every changed byte does no harm. */
static void test_broken(void **state)
{
    (void)state;
    size_t bytes;
    char *text = read_file("tests/profile/range.json", &bytes);
    tsr_profiles *p;
    while (bytes && (text[bytes - 1] == '\n' || text[bytes - 1] == ' '))
        bytes--;
    for (size_t n = 0; n < bytes; n++)
        assert_int_not_equal(tsr_profiles_load(text, n, "cut", &p), TSR_OK);
    for (size_t n = 0; n < bytes; n++) {
        char was = text[n];
        for (int c = 0; c < 256; c += 7) {
            text[n] = (char)c;
            if (tsr_profiles_load(text, bytes, "changed", &p) == TSR_OK) tsr_profiles_free(p);
        }
        text[n] = was;
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),  cmocka_unit_test(test_counts), cmocka_unit_test(test_caps),
        cmocka_unit_test(test_nearest), cmocka_unit_test(test_faults), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
