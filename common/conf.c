/* The configuration in memory: sections sorted by kind and name, values sorted by name, so that the order in a file changes nothing. */
#include <stdlib.h>

#include "common/conf_internal.h"
#include "common/strbuf.h"

enum { CONF_ARENA_MAX = 64 * 1024 * 1024, CONF_PRINT_MAX = 1024 * 1024 };

struct conf *conf_new(void)
{
    struct conf *conf = calloc(1, sizeof *conf);
    if (conf == NULL) return NULL;
    conf->arena = arena_new(CONF_ARENA_MAX);
    if (conf->arena == NULL) {
        free(conf);
        return NULL;
    }
    return conf;
}

void conf_free(struct conf *conf)
{
    if (conf == NULL) return;
    arena_free(conf->arena);
    free(conf);
}

static int section_order(const struct conf_section *section, struct gt_str kind, struct gt_str name)
{
    int order = gt_str_cmp(section->kind, kind);
    return order != 0 ? order : gt_str_cmp(section->name, name);
}

/* The place of the first section that is not before (kind, name). */
static size_t section_place(const struct conf *conf, struct gt_str kind, struct gt_str name)
{
    size_t low = 0, high = conf->section_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (section_order(conf->sections[middle], kind, name) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

const struct conf_section *conf_find(const struct conf *conf, const char *kind, struct gt_str name)
{
    size_t place = section_place(conf, gt_str_from(kind), name);
    if (place == conf->section_count || section_order(conf->sections[place], gt_str_from(kind), name) != 0) return NULL;
    return conf->sections[place];
}

/* Grows an array by one and opens a gap at `place`. */
static bool array_open(struct arena *arena, void **items, size_t count, size_t *cap, size_t bytes, size_t place)
{
    if (!arena_grow(arena, items, count, cap, bytes)) return false;
    char *at = (char *)*items + place * bytes;
    memmove(at + bytes, at, (count - place) * bytes);
    return true;
}

/* Kept sorted: sections are looked up far more often than they are made. */
struct conf_section *conf_section_make(struct conf *conf, struct gt_str kind, struct gt_str name)
{
    size_t place = section_place(conf, kind, name);
    if (place < conf->section_count && section_order(conf->sections[place], kind, name) == 0) return conf->sections[place];
    if (conf->section_count == CONF_SECTIONS_MAX) return NULL;
    struct conf_section *section = arena_alloc(conf->arena, sizeof *section);
    void *items = conf->sections;
    if (section == NULL || !array_open(conf->arena, &items, conf->section_count, &conf->section_cap, sizeof(struct conf_section *), place))
        return NULL;
    *section = (struct conf_section){.conf = conf, .kind = arena_dup(conf->arena, kind), .name = arena_dup(conf->arena, name)};
    conf->sections = items;
    conf->sections[place] = section;
    conf->section_count++;
    return section;
}

static size_t value_place(const struct conf_section *section, struct gt_str name)
{
    size_t place = 0;
    while (place < section->value_count && gt_str_cmp(section->values[place].name, name) < 0) place++;
    return place;
}

struct conf_value *conf_section_own(const struct conf_section *section, struct gt_str name)
{
    size_t place = value_place(section, name);
    if (place == section->value_count || !gt_str_eq(section->values[place].name, name)) return NULL;
    return &section->values[place];
}

/* The last one said counts: a file laid over another changes it key by key. */
bool conf_section_set(struct conf_section *section, const struct conf_value *value)
{
    struct conf_value *own = conf_section_own(section, value->name);
    if (own == NULL) {
        size_t place = value_place(section, value->name);
        void *items = section->values;
        if (section->value_count == CONF_KEYS_MAX ||
            !array_open(section->conf->arena, &items, section->value_count, &section->value_cap, sizeof *own, place))
            return false;
        section->values = items;
        section->value_count++;
        own = &section->values[place];
    }
    *own = *value;
    return true;
}

const struct conf_section *const *conf_sections(struct conf *conf, const char *kind)
{
    size_t first = section_place(conf, gt_str_from(kind), (struct gt_str){NULL, 0}), count = 0;
    while (first + count < conf->section_count && gt_str_is(conf->sections[first + count]->kind, kind)) count++;
    const struct conf_section **found = arena_array(conf->arena, count + 1, sizeof(struct conf_section *));
    if (found == NULL) return NULL;
    for (size_t i = 0; i < count; i++) found[i] = conf->sections[first + i];
    return found;
}

/* A default of the table, as a value that lives in the conf. */
static const struct conf_value *table_value(const struct conf_section *section, const struct conf_key *key)
{
    struct conf_value *value = arena_alloc(section->conf->arena, sizeof *value);
    if (value == NULL) return NULL;
    *value = (struct conf_value){gt_str_from(key->name), gt_str_from(key->fallback), "built-in", 0};
    return value;
}

/* Its own, else [defaults] for a site, else what the table of keys says: in this order and in this one place. */
const struct conf_value *conf_get(const struct conf_section *section, const char *key)
{
    struct gt_str name = gt_str_from(key);
    const struct conf_value *own = conf_section_own(section, name);
    if (own != NULL) return own;
    const struct conf_section *defaults = conf_find(section->conf, "defaults", (struct gt_str){NULL, 0});
    if (defaults != NULL && gt_str_is(section->kind, "site")) own = conf_section_own(defaults, name);
    if (own != NULL) return own;
    const struct conf_key *row = conf_key_find(section->kind, name);
    return row != NULL && row->fallback != NULL ? table_value(section, row) : NULL;
}

const struct conf_value *conf_at(const struct conf_section *section, size_t index)
{
    return index < section->value_count ? &section->values[index] : NULL;
}

struct gt_str conf_section_name(const struct conf_section *section)
{
    return section->name;
}

const char *conf_section_kind(const struct conf_section *section)
{
    return section->kind.ptr;
}

const char *conf_section_file(const struct conf_section *section)
{
    return section->file;
}

int conf_section_line(const struct conf_section *section)
{
    return section->line;
}

enum gt_err conf_fail(const struct conf_value *value, struct gt_errinfo *info, const char *message)
{
    return gt_fail(info, GT_ECONF, "%s:%d: %.*s: %s", value->file, value->line, GT_STR_ARG(value->name), message);
}

/* As a file that reads back: the section is archived with each crawl, and a rebuild reads that text again. A blank continues a value. */
struct gt_str conf_section_print(const struct conf_section *section, struct arena *arena)
{
    struct strbuf text;
    strbuf_init(&text, CONF_PRINT_MAX);
    strbuf_addf(&text, section->name.len > 0 ? "[%.*s %.*s]\n" : "[%.*s%.*s]\n", GT_STR_ARG(section->kind), GT_STR_ARG(section->name));
    for (size_t i = 0; i < section->value_count; i++) {
        strbuf_addf(&text, "%.*s = ", GT_STR_ARG(section->values[i].name));
        struct gt_str rest = section->values[i].text;
        for (size_t at = 0; at < rest.len; at++) {
            strbuf_addc(&text, rest.ptr[at]);
            if (rest.ptr[at] == '\n') strbuf_addc(&text, ' ');
        }
        strbuf_addc(&text, '\n');
    }
    struct gt_str printed = text.err == GT_OK ? arena_dup(arena, strbuf_str(&text)) : (struct gt_str){NULL, 0};
    strbuf_done(&text);
    return printed;
}
