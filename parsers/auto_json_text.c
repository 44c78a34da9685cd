/* JSON in a text: the whole of it, an object a line, values in a script. */
#include "parsers/auto_json.h"

enum {
    NAME_MAX_BYTES = 120, /* of the name that a value is assigned to */
    JSON_TRIES_MAX = 200, /* places in a script where a value may begin */
    VALUE_MIN = 30, /* bytes of a value in a script that is worth a look */
};

/* True when a bracket in a script may begin a value: behind a sign or word that values stand behind, not behind the head of a function. */
static bool may_begin(struct gt_str text, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", text.ptr[at - 1]) != NULL) at--;
    return at == 0 || strchr("=:(,;\"'`>{[", text.ptr[at - 1]) != NULL || gt_str_ends(gt_str_slice(text, 0, at), GT_STR("export default"));
}

/* The name that a value is assigned to, as words: it may name the card ("H100_PRICING = [ ... ]"). "" when there is none. */
static struct gt_str name_before(struct auto_page *page, struct gt_str text, size_t at)
{
    static const struct gt_str WORDS[] = {{"export ", 7}, {"const ", 6}, {"let ", 4}, {"var ", 4}, {"window.", 7}};
    while (at > 0 && strchr(" \t\r\n", text.ptr[at - 1]) != NULL) at--;
    if (at == 0 || text.ptr[at - 1] != '=') return GT_STR("");
    size_t end = at - 1, from = end;
    while (from > 0 && strchr("\n;{}", text.ptr[from - 1]) == NULL && end - from < NAME_MAX_BYTES) from--;
    struct gt_str name = gt_str_trim(gt_str_slice(text, from, end - from));
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (gt_str_starts(name, WORDS[i])) name = gt_str_slice(name, WORDS[i].len, SIZE_MAX);
    }
    size_t type = gt_str_find(name, GT_STR(":"), 0); /* TypeScript's */
    return auto_key_words(page, GT_STR(""), gt_str_slice(name, 0, type));
}

/* Values one below the other, an object a line, are a list. NULL when the text is anything else. */
static const struct jnode *read_object_lines(struct auto_page *page, struct gt_str text)
{
    struct jnode *list = arena_alloc(page->arena, sizeof *list), *last = NULL, *node;
    struct gt_errinfo ignored = {0};
    if (list == NULL) auto_fail_full(page);
    else list->kind = JNODE_ARRAY;
    for (size_t at = 0; list != NULL && at < text.len; last = node) {
        bool is_next = at == 0 || text.ptr[at - 1] == '\n';
        if (!is_next || text.ptr[at] != '{' || jnode_read(text, &at, page->arena, &node, &ignored) != GT_OK) return NULL;
        while (at < text.len && strchr(" \t\r\n", text.ptr[at]) != NULL) at++;
        if (last != NULL) last->next = node;
        else list->children = node;
        list->count++;
    }
    return list != NULL && list->count > 1 ? list : NULL;
}

size_t auto_json_read(struct auto_page *page, struct gt_str text)
{
    size_t offers = 0, at = 0;
    const struct jnode *lines = read_object_lines(page, gt_str_trim(text));
    if (lines != NULL) return auto_tree_read(page, lines);
    for (size_t tries = 0; at < text.len && tries < JSON_TRIES_MAX && page->err == GT_OK; tries++) {
        /* The next bracket that may begin a value. */
        while (at < text.len && !((text.ptr[at] == '{' || text.ptr[at] == '[') && may_begin(text, at))) at++;
        size_t from = at;
        if (at == text.len) break;
        struct jnode *node;
        struct gt_errinfo ignored = {0};
        if (jnode_read(text, &at, page->arena, &node, &ignored) != GT_OK) {
            at = from + 1;
            continue;
        }
        if (at - from < VALUE_MIN) continue;
        offers += auto_json_tree_read(page, node, name_before(page, text, from));
    }
    return offers;
}
