/* The golden JSON files against docs/schema: types, words, patterns, required names, and no name that the schema does not
 * know. */
#include <jansson.h>
#include <regex.h>
#include <stdbool.h>

#include "tests/unit/table.h"

enum { PATH_MAX_BYTES = 256 };

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    case JSON_STRING: return "string";
    case JSON_INTEGER: return "integer";
    case JSON_REAL: return "number";
    case JSON_NULL: return "null";
    default: return "boolean";
    }
}

/* True when the type is `types`, or one of them. */
static bool has_type(const json_t *value, const json_t *types)
{
    size_t i;
    json_t *type;
    if (types == NULL) return true;
    if (json_is_string(types)) return strcmp(json_string_value(types), type_name(value)) == 0;
    json_array_foreach(types, i, type) if (strcmp(json_string_value(type), type_name(value)) == 0) return true;
    return false;
}

static bool is_among(const json_t *value, const json_t *words)
{
    size_t i;
    json_t *word;
    json_array_foreach(words, i, word) if (json_equal(word, value)) return true;
    return false;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool is_match = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return is_match;
}

static size_t check_value(const json_t *value, const json_t *schema, const char *path);

static size_t complain(const char *path, const char *what)
{
    print_error("%s: %s\n", path, what);
    return 1;
}

static size_t check_object(const json_t *value, const json_t *schema, const char *path)
{
    const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    size_t faults = 0, i;
    const char *key;
    json_t *member, *name;
    json_array_foreach(required, i, name) if (json_object_get(value, json_string_value(name)) == NULL)
        faults += complain(json_string_value(name), "is required and not there");
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        char below[PATH_MAX_BYTES];
        snprintf(below, sizeof below, "%.200s.%.50s", path, key);
        const json_t *known = json_object_get(properties, key);
        faults += known == NULL ? complain(below, "the schema does not know it") : check_value(member, known, below);
    }
    return faults;
}

static size_t check_value(const json_t *value, const json_t *schema, const char *path)
{
    const json_t *words = json_object_get(schema, "enum"), *only = json_object_get(schema, "const");
    const json_t *pattern = json_object_get(schema, "pattern"), *items = json_object_get(schema, "items");
    size_t faults = 0, i;
    json_t *item;
    if (!has_type(value, json_object_get(schema, "type"))) return complain(path, type_name(value));
    if (words != NULL && !is_among(value, words)) faults += complain(path, "is none of the words");
    if (only != NULL && !json_equal(only, value)) faults += complain(path, "is not the constant");
    if (pattern != NULL && json_is_string(value) && !matches(json_string_value(value), json_string_value(pattern)))
        faults += complain(path, json_string_value(value));
    if (json_is_object(value)) faults += check_object(value, schema, path);
    json_array_foreach(value, i, item) faults += check_value(item, items, path);
    return faults;
}

struct row {
    const char *name, *json, *schema;
    const char *table; /* must have rows */
};

static const struct row files[] = {
    {"board of the market", "offers-market.json", "offers.json", "offers"},
    {"board of JYGPU", "offers-jygpu.json", "offers.json", "offers"},
    {"index", "index-market.json", "index.json", "points"},
    {"history", "history-market.json", "history.json", "spans"},
    {"changes", "changes-market.json", "changes.json", "changes"},
    {"breakeven", "breakeven-jygpu.json", "breakeven.json", "breakeven"},
    {"advise", "advise-jygpu.json", "advise.json", "offers"},
    {"audit", "audit-jygpu.json", "audit.json", "findings"},
    {"transparency", "transparency-market.json", "transparency.json", "aspects"},
    {"health", "health-market.json", "health.json", "sources"},
    {"corrections of the market", "corrections-market-zh.json", "report.json", "corrections"},
    {"published weeks", "published-market.json", "published.json", "published"},
    {"figures of a published week", "published-market.json", "published.json", "rows"},
    {"weekly report of JYGPU", "weekly-jygpu-zh.json", "report.json", "classes"},
    {"weekly report of the market, sample data", "weekly-market-zh.json", "report.json", "moves"},
};

static json_t *load(const char *folder, const char *name)
{
    char path[PATH_MAX_BYTES];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL) print_error("%s: %s\n", path, error.text);
    assert_non_null(json);
    return json;
}

static void check_file(void **state)
{
    const struct row *row = *state;
    json_t *json = load("tests/unit/reports/golden", row->json), *schema = load("docs/schema", row->schema);
    size_t faults = check_value(json, schema, "");
    assert_true(json_array_size(json_object_get(json, row->table)) > 0);
    json_decref(json);
    json_decref(schema);
    assert_int_equal(faults, 0);
}

/* The checker itself says no. */
struct bad_row {
    const char *name, *json;
};

static const struct bad_row bad[] = {
    {"an amount as a number", "{\"amount\":1.5}"},
    {"an amount with a zero at its end", "{\"amount\":\"1.50\"}"},
    {"an amount with an exponent", "{\"amount\":\"1e3\"}"},
    {"a word that is none", "{\"amount\":\"1\",\"bound\":\"roughly\"}"},
    {"a required name is missing", "{\"bound\":\"exact\"}"},
    {"a name that the schema does not know", "{\"amount\":\"1\",\"price\":\"2\"}"},
    {"an array for an object", "[]"},
};

static void check_bad(void **state)
{
    const struct bad_row *row = *state;
    const char *text = "{\"type\":\"object\",\"required\":[\"amount\"],\"properties\":{\"bound\":{\"enum\":[\"exact\",\"from\"]},"
                       "\"amount\":{\"type\":[\"string\",\"null\"],\"pattern\":\"^-?(0|[1-9][0-9]*)(\\\\.[0-9]*[1-9])?$\"}}}";
    json_error_t error;
    json_t *schema = json_loads(text, 0, &error), *json = json_loads(row->json, 0, &error);
    assert_true(schema != NULL && json != NULL);
    assert_true(check_value(json, schema, "") > 0);
    json_decref(schema);
    json_decref(json);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(files, check_file) + TABLE_RUN(bad, check_bad);
}
