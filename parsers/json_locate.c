#include "parsers/json_locate.h"

#include <libxml/tree.h>

#include "parsers/html_tree.h"

enum { HOLDER_TEXT_MAX = PAGE_BYTES_MAX };

/* The values collected so far. */
struct collection {
    struct arena *arena;
    struct jnode *array;
    struct jnode **tail;
    struct gt_errinfo *info;
};

static enum gt_err collect(struct collection *all, struct jnode *value)
{
    if (all->array->count == JSON_VALUES_MAX) return gt_fail(all->info, GT_ELIMIT, "JSON: more values than JSON_VALUES_MAX");
    struct gt_str text = gt_str_trim(value->text);
    /* JSON within a JSON text, as attributes and hydration data have it. jq's fromjson would lose digits. */
    if (value->kind == JNODE_STRING && text.len > 1 && (text.ptr[0] == '{' || text.ptr[0] == '[')) {
        size_t at = 0;
        enum gt_err err = jnode_read(text, &at, all->arena, &value, all->info);
        if (err != GT_OK) return err;
    }
    *all->tail = value;
    all->tail = &value->next;
    all->array->count++;
    return GT_OK;
}

/* Guards against JSON being run as a script, and the call that JSONP wraps it in. */
static size_t skip_wrapping(struct gt_str text)
{
    static const struct gt_str GUARDS[] = {{")]}'", 4}, {"while(1);", 9}, {"for(;;);", 8}};
    size_t at = 0;
    jnode_skip_blanks(text, &at);
    for (size_t i = 0; i < sizeof GUARDS / sizeof GUARDS[0]; i++) {
        if (!gt_str_starts(gt_str_slice(text, at, SIZE_MAX), GUARDS[i])) continue;
        at += GUARDS[i].len;
        if (at < text.len && text.ptr[at] == ',') at++;
    }
    jnode_skip_blanks(text, &at);
    size_t end = at;
    while (end < text.len &&
           (text.ptr[end] == '.' || text.ptr[end] == '_' || text.ptr[end] == '$' ||
            (text.ptr[end] >= '0' && text.ptr[end] <= '9') || ((text.ptr[end] | 0x20) >= 'a' && (text.ptr[end] | 0x20) <= 'z')))
        end++;
    bool is_call =
        end > at && end < text.len && text.ptr[end] == '(' && !gt_str_starts(gt_str_slice(text, at, SIZE_MAX), GT_STR("JSON."));
    return is_call ? end + 1 : at;
}

/* A text that is JSON from end to end: one value, or one a line. */
static enum gt_err read_whole(struct collection *all, struct gt_str text)
{
    size_t at = skip_wrapping(text);
    if (at < text.len && text.ptr[at] == '<')
        return gt_fail(all->info, GT_EFORMAT, "the page is markup, not JSON: `json_in` or `json_var` say where the JSON is");
    for (;;) {
        struct jnode *value;
        enum gt_err err = jnode_read(text, &at, all->arena, &value, all->info);
        if (err == GT_OK) err = collect(all, value);
        if (err != GT_OK) return err;
        jnode_skip_blanks(text, &at);
        while (at < text.len && (text.ptr[at] == ';' || text.ptr[at] == ')')) {
            at++;
            jnode_skip_blanks(text, &at);
        }
        if (at >= text.len) return GT_OK;
    }
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Moves *at behind the sign that gives the variable its value: `=` or `:`, or `(` of a call; false when none follows. */
static bool pass_assignment(struct gt_str text, size_t *at)
{
    if (*at < text.len && is_name_byte(text.ptr[*at])) return false;
    if (*at < text.len && (text.ptr[*at] == '"' || text.ptr[*at] == '\'')) (*at)++; /* a quoted key */
    if (gt_str_starts(gt_str_slice(text, *at, SIZE_MAX), GT_STR("]"))) (*at)++;     /* window["name"] */
    jnode_skip_blanks(text, at);
    if (*at + 1 >= text.len || strchr("=:(", text.ptr[*at]) == NULL || text.ptr[*at + 1] == '=') return false;
    (*at)++;
    return true;
}

/* The values given to a variable in a script: of an assignment the first that can be read, of calls all. */
static enum gt_err read_variable(struct collection *all, struct gt_str text, struct gt_str name)
{
    size_t found = gt_str_find(text, name, 0), tries = 0;
    for (; found != SIZE_MAX && tries < JSON_TRIES_MAX; found = gt_str_find(text, name, found + name.len)) {
        size_t at = found + name.len;
        if ((found > 0 && is_name_byte(text.ptr[found - 1])) || !pass_assignment(text, &at)) continue;
        bool is_call = text.ptr[at - 1] == '(';
        struct jnode *value;
        struct gt_errinfo reason = {0};
        enum gt_err err = jnode_read(text, &at, all->arena, &value, &reason);
        if (err == GT_ELIMIT) return gt_fail(all->info, err, "%s", reason.text);
        tries++;
        if (err != GT_OK) continue;
        err = collect(all, value);
        if (err != GT_OK || !is_call) return err;
    }
    return GT_OK;
}

static enum gt_err read_text(struct collection *all, const struct json_place *place, struct gt_str text)
{
    return place->variable.len > 0 ? read_variable(all, text, place->variable) : read_whole(all, text);
}

/* The raw text of an element's own text or of an attribute, white space and all. */
static struct gt_str holder_text(const xmlNode *node, struct arena *arena)
{
    struct strbuf text;
    strbuf_init(&text, HOLDER_TEXT_MAX);
    for (const xmlNode *part = node->children; part != NULL; part = html_next(part, node, true)) {
        if ((part->type == XML_TEXT_NODE || part->type == XML_CDATA_SECTION_NODE) && part->content != NULL)
            strbuf_adds(&text, (const char *)part->content);
    }
    struct gt_str copy = arena_dup(arena, strbuf_str(&text));
    strbuf_done(&text);
    return copy;
}

static enum gt_err read_holders(struct collection *all, const struct json_place *place, struct _xmlDoc *doc)
{
    struct xpath_run *run = NULL;
    struct xpath_result holders = {0};
    if (xpath_run_begin(doc, &run) != GT_OK) return gt_fail(all->info, GT_ENOMEM, "no memory for an XPath");
    enum gt_err err = xpath_evaluate(run, place->in, NULL, &holders, all->info);
    for (size_t i = 0; i < holders.count && err == GT_OK; i++) {
        struct gt_str text = holder_text(holders.nodes[i], all->arena);
        err = text.ptr == NULL ? gt_fail(all->info, GT_ELIMIT, "the page's arena is full") : read_text(all, place, text);
    }
    if (err == GT_OK && holders.is_text) err = read_text(all, place, arena_dup(all->arena, holders.text));
    xpath_result_done(&holders);
    xpath_run_end(run);
    return err;
}

/* Nothing found is an error of form, not an empty list: the page is another one than the rules know. */
enum gt_err json_locate(const struct json_place *place, struct gt_str page_text, struct arena *arena, struct jnode **ret_values,
                        struct gt_errinfo *info)
{
    struct _xmlDoc *doc = NULL;
    struct collection all = {.arena = arena, .array = arena_alloc(arena, sizeof *all.array), .info = info};
    if (all.array == NULL) return gt_fail(info, GT_ELIMIT, "the page's arena is full");
    all.array->kind = JNODE_ARRAY;
    all.tail = &all.array->children;
    enum gt_err err;
    if (place->in == NULL) {
        err = read_text(&all, place, page_text);
    } else {
        err = html_tree_parse(page_text, arena, &doc, info);
        if (err == GT_OK) err = read_holders(&all, place, doc);
        html_tree_free(doc);
    }
    if (err == GT_OK && all.array->count == 0)
        err =
            gt_fail(info, GT_EFORMAT, "the page holds no JSON where `%s` says", place->variable.len > 0 ? "json_var" : "json_in");
    if (err == GT_OK) *ret_values = all.array;
    return err;
}
