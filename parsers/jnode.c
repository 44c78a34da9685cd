#include "parsers/jnode.h"

/* The reader's place in the text. */
struct reader {
    struct gt_str text;
    size_t at;
    struct arena *arena;
    size_t count;
    struct gt_errinfo *info;
};

static enum gt_err read_value(struct reader *reader, int depth, struct jnode **ret_node);

static char peek(const struct reader *reader)
{
    return reader->at < reader->text.len ? reader->text.ptr[reader->at] : 0;
}

static bool take(struct reader *reader, struct gt_str word)
{
    if (!gt_str_starts(gt_str_slice(reader->text, reader->at, SIZE_MAX), word)) return false;
    reader->at += word.len;
    return true;
}

static enum gt_err fail(const struct reader *reader, const char *what)
{
    if (reader->at >= reader->text.len) return gt_fail(reader->info, GT_EFORMAT, "JSON: the text ends in the middle of a value");
    return gt_fail(reader->info, GT_EFORMAT, "JSON: %s at byte %zu", what, reader->at);
}

/* Bytes of the blank at the front: ASCII, no-break space, byte order mark. */
static size_t blank_len(struct gt_str rest)
{
    if (rest.len > 0 && strchr(" \t\n\r\f\v", rest.ptr[0]) != NULL && rest.ptr[0] != 0) return 1;
    if (gt_str_starts(rest, GT_STR("\xC2\xA0"))) return 2;
    return gt_str_starts(rest, GT_STR("\xEF\xBB\xBF")) ? 3 : 0;
}

void jnode_skip_blanks(struct gt_str text, size_t *at)
{
    static const struct gt_str MARKS[] = {{"<![CDATA[", 9}, {"]]>", 3}, {"<!--", 4}, {"-->", 3}};
    for (;;) {
        struct gt_str rest = gt_str_slice(text, *at, SIZE_MAX);
        size_t step = blank_len(rest), close;
        for (size_t i = 0; step == 0 && i < sizeof MARKS / sizeof MARKS[0]; i++) {
            if (gt_str_starts(rest, MARKS[i])) step = MARKS[i].len;
        }
        if (step == 0 && gt_str_starts(rest, GT_STR("/*"))) {
            close = gt_str_find(rest, GT_STR("*/"), 2);
            step = close == SIZE_MAX ? rest.len : close + 2;
        } else if (step == 0 && (gt_str_starts(rest, GT_STR("//")) || gt_str_starts(rest, GT_STR("#")))) {
            close = gt_str_find(rest, GT_STR("\n"), 1);
            step = close == SIZE_MAX ? rest.len : close + 1;
        }
        if (step == 0) return;
        *at += step;
    }
}

static void skip_blanks(struct reader *reader)
{
    jnode_skip_blanks(reader->text, &reader->at);
}

static enum gt_err new_node(struct reader *reader, enum jnode_kind kind, struct jnode **ret_node)
{
    if (++reader->count > JNODE_COUNT_MAX) return gt_fail(reader->info, GT_ELIMIT, "JSON: more values than JNODE_COUNT_MAX");
    struct jnode *node = arena_alloc(reader->arena, sizeof *node);
    if (node == NULL) return gt_fail(reader->info, GT_ELIMIT, "JSON: the page's arena is full");
    node->kind = kind;
    *ret_node = node;
    return GT_OK;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-' ||
           ((unsigned char)c & 0x80) != 0;
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

/* Bare names, too: what a script assigns to a variable is JavaScript, not JSON. */
static enum gt_err read_key(struct reader *reader, struct gt_str *ret_key)
{
    if (is_quote(peek(reader)))
        return jnode_read_string(reader->text, &reader->at, reader->arena, ret_key) ? GT_OK
                                                                                    : fail(reader, "a string is not closed");
    size_t from = reader->at;
    while (is_name_byte(peek(reader))) reader->at++;
    if (reader->at == from) return fail(reader, "a key is missing");
    *ret_key = gt_str_slice(reader->text, from, reader->at - from);
    return GT_OK;
}

/* Reads one member (with its key in objects) and appends it. */
static enum gt_err read_member(struct reader *reader, struct jnode *parent, struct jnode ***tail, int depth)
{
    struct gt_str key = GT_STR("");
    struct jnode *child = NULL;
    enum gt_err err = GT_OK;
    if (parent->kind == JNODE_OBJECT) {
        err = read_key(reader, &key);
        if (err != GT_OK) return err;
        skip_blanks(reader);
        if (!take(reader, GT_STR(":"))) return fail(reader, "a colon is missing");
    }
    skip_blanks(reader);
    /* [1,,2]: JavaScript leaves a hole. */
    err = parent->kind == JNODE_ARRAY && peek(reader) == ',' ? new_node(reader, JNODE_NULL, &child)
                                                             : read_value(reader, depth + 1, &child);
    if (err != GT_OK || child == NULL) return err;
    child->key = key;
    **tail = child;
    *tail = &child->next;
    parent->count++;
    return GT_OK;
}

/* A comma before the end is passed over, as JavaScript does. */
static enum gt_err read_members(struct reader *reader, struct jnode *parent, char close, int depth)
{
    struct jnode **tail = &parent->children;
    if (depth >= JNODE_DEPTH_MAX) return gt_fail(reader->info, GT_ELIMIT, "JSON: nested deeper than JNODE_DEPTH_MAX");
    reader->at++;
    for (;;) {
        skip_blanks(reader);
        if (peek(reader) == close) break;
        enum gt_err err = read_member(reader, parent, &tail, depth);
        if (err != GT_OK) return err;
        skip_blanks(reader);
        if (peek(reader) == close) break;
        if (!take(reader, GT_STR(","))) return fail(reader, "a comma is missing");
    }
    reader->at++;
    return GT_OK;
}

/* A number's literal: digits, sign, point, exponent. What follows must not make it a word. */
static bool take_number(struct reader *reader, struct gt_str *ret_literal)
{
    size_t from = reader->at, digits = 0, at = from;
    const struct gt_str text = reader->text;
    if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+')) at++;
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        bool is_sign_of_exponent = (c == '-' || c == '+') && (text.ptr[at - 1] | 0x20) == 'e' && digits > 0;
        if (c >= '0' && c <= '9') digits++;
        else if (c != '.' && !((c | 0x20) == 'e' && digits > 0) && !is_sign_of_exponent) break;
    }
    if (digits == 0 || (at < text.len && is_name_byte(text.ptr[at]))) return false;
    if (text.ptr[from] == '+') from++;
    *ret_literal = gt_str_slice(text, from, at - from);
    reader->at = at;
    return true;
}

/* Words that stand for values. */
static bool take_word(struct reader *reader, enum jnode_kind *ret_kind)
{
    static const struct {
        struct gt_str word;
        enum jnode_kind kind;
    } WORDS[] = {
        {{"null", 4}, JNODE_NULL},      {{"true", 4}, JNODE_TRUE},   {{"false", 5}, JNODE_FALSE},
        {{"undefined", 9}, JNODE_NULL}, {{"NaN", 3}, JNODE_NULL},    {{"!0", 2}, JNODE_TRUE},
        {{"!1", 2}, JNODE_FALSE},       {{"void 0", 6}, JNODE_NULL}, {{"Infinity", 8}, JNODE_NULL},
        {{"-Infinity", 9}, JNODE_NULL},
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t before = reader->at;
        if (!take(reader, WORDS[i].word)) continue;
        *ret_kind = WORDS[i].kind;
        if (!is_name_byte(peek(reader))) return true;
        reader->at = before;
    }
    return false;
}

/* JSON.parse("…"): the text within is JSON of its own. Its strings point into the arena copy. */
static enum gt_err read_parsed(struct reader *reader, int depth, struct jnode **ret_node)
{
    struct reader inner = {.arena = reader->arena, .count = reader->count, .info = reader->info};
    skip_blanks(reader);
    if (!is_quote(peek(reader)) || !jnode_read_string(reader->text, &reader->at, reader->arena, &inner.text))
        return fail(reader, "JSON.parse without a text");
    skip_blanks(reader);
    if (!take(reader, GT_STR(")"))) return fail(reader, "a bracket is missing");
    enum gt_err err = depth >= JNODE_DEPTH_MAX ? gt_fail(reader->info, GT_ELIMIT, "JSON: nested deeper than JNODE_DEPTH_MAX")
                                               : read_value(&inner, depth + 1, ret_node);
    reader->count = inner.count;
    return err;
}

static enum gt_err read_value(struct reader *reader, int depth, struct jnode **ret_node)
{
    skip_blanks(reader);
    char c = peek(reader);
    struct jnode *node = NULL;
    enum jnode_kind kind = c == '{' ? JNODE_OBJECT : c == '[' ? JNODE_ARRAY : JNODE_STRING;
    if (take(reader, GT_STR("JSON.parse("))) return read_parsed(reader, depth, ret_node);
    struct gt_str literal = GT_STR("");
    if (kind == JNODE_STRING && !is_quote(c)) {
        if (take_number(reader, &literal)) kind = JNODE_NUMBER;
        else if (!take_word(reader, &kind)) return fail(reader, "no value");
    }
    enum gt_err err = new_node(reader, kind, &node);
    if (err != GT_OK || node == NULL) return err;
    node->text = literal;
    if (kind == JNODE_STRING && !jnode_read_string(reader->text, &reader->at, reader->arena, &node->text))
        return fail(reader, "a string is not closed");
    if (kind == JNODE_OBJECT || kind == JNODE_ARRAY) err = read_members(reader, node, kind == JNODE_OBJECT ? '}' : ']', depth);
    *ret_node = node;
    return err;
}

enum gt_err jnode_read(struct gt_str text, size_t *at, struct arena *arena, struct jnode **ret_node, struct gt_errinfo *info)
{
    struct reader reader = {.text = text, .at = *at, .arena = arena, .info = info};
    struct jnode *node = NULL;
    enum gt_err err = read_value(&reader, 0, &node);
    if (err != GT_OK) return err;
    *at = reader.at;
    *ret_node = node;
    return GT_OK;
}

const struct jnode *jnode_get(const struct jnode *node, const char *key)
{
    const struct jnode *found = NULL;
    if (node == NULL || node->kind != JNODE_OBJECT) return NULL;
    for (const struct jnode *child = node->children; child != NULL; child = child->next) {
        if (gt_str_is(child->key, key)) found = child;
    }
    return found;
}

/* libjq 1.6 holds numbers as doubles, which are exact for whole numbers of 15 digits and no further. */
bool jnode_needs_text(struct gt_str number)
{
    size_t digits = 0;
    for (size_t i = 0; i < number.len; i++) {
        char c = number.ptr[i];
        if (c == '.' || (c | 0x20) == 'e') return true;
        digits += c >= '0' && c <= '9';
    }
    return digits > 15;
}
