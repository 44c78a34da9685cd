/* Literals of scripts as JSON: keys without quotes, single quotes, commas before a closing bracket, comments, `!0`, and names of
 * other values (`Gpu.H100` is "H100"). What a script computes is no literal and is left alone. */
#include "common/strbuf.h"
#include "parsers/auto.h"

enum { LITERAL_DEPTH_MAX = 64 };

/* A literal while it is rewritten. */
struct literal {
    struct gt_str text;
    size_t at;
    struct strbuf out;
    char closing[LITERAL_DEPTH_MAX]; /* brackets that are open, by what closes them */
    size_t depth;
};

static char peek(const struct literal *literal)
{
    return literal->at < literal->text.len ? literal->text.ptr[literal->at] : '\0';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           ((unsigned char)c & 0x80) != 0;
}

/* Moves past one comment; false when there is none. */
static bool skip_comment(struct literal *literal)
{
    struct gt_str rest = gt_str_slice(literal->text, literal->at, SIZE_MAX);
    bool is_line = gt_str_starts(rest, GT_STR("//"));
    if (!is_line && !gt_str_starts(rest, GT_STR("/*"))) return false;
    size_t end = gt_str_find(rest, is_line ? GT_STR("\n") : GT_STR("*/"), 2);
    literal->at = end == SIZE_MAX ? literal->text.len : literal->at + end + (is_line ? 1 : 2);
    return true;
}

static void skip_blanks(struct literal *literal)
{
    do {
        while (literal->at < literal->text.len && strchr(" \t\r\n", peek(literal)) != NULL) literal->at++;
    } while (skip_comment(literal));
}

/* A quoted text; false when it does not end or has something computed in it. */
static bool copy_string(struct literal *literal)
{
    char quote = literal->text.ptr[literal->at++];
    strbuf_addc(&literal->out, '"');
    while (literal->at < literal->text.len && peek(literal) != quote) {
        char c = literal->text.ptr[literal->at++];
        if (quote == '`' && c == '$' && peek(literal) == '{') return false;
        if (c == '\n' && quote != '`') return false;
        if (c == '\\' && literal->at < literal->text.len) {
            char escaped = literal->text.ptr[literal->at++];
            if (strchr("\"\\/bfnrtu", escaped) == NULL) strbuf_addc(&literal->out, escaped);
            else strbuf_addf(&literal->out, "\\%c", escaped);
        } else if (c == '"') {
            strbuf_adds(&literal->out, "\\\"");
        } else {
            strbuf_addc(&literal->out, (unsigned char)c < ' ' ? ' ' : c);
        }
    }
    literal->at++;
    strbuf_addc(&literal->out, '"');
    return literal->at <= literal->text.len;
}

/* The last of dotted names, with what is called or indexed left out. */
static struct gt_str read_name(struct literal *literal)
{
    size_t from = literal->at;
    while (is_name_char(peek(literal)) || peek(literal) == '.') {
        if (literal->text.ptr[literal->at++] == '.') from = literal->at;
    }
    return gt_str_slice(literal->text, from, literal->at - from);
}

/* A name: a key, one of the constants, or another value's name as its text. False for what is called or computed. */
static bool copy_name(struct literal *literal)
{
    static const char *const CONSTANTS[][2] = {{"true", "true"},   {"false", "false"}, {"null", "null"}, {"True", "true"},
                                               {"False", "false"}, {"None", "null"},   {"NaN", "null"},  {"undefined", "null"}};
    struct gt_str name = read_name(literal);
    skip_blanks(literal);
    for (size_t i = 0; peek(literal) != ':' && i < sizeof CONSTANTS / sizeof CONSTANTS[0]; i++) {
        if (!gt_str_is(name, CONSTANTS[i][0])) continue;
        strbuf_adds(&literal->out, CONSTANTS[i][1]);
        return true;
    }
    strbuf_addf(&literal->out, "\"%.*s\"", GT_STR_ARG(name));
    return name.len > 0 && strchr(":,}])", peek(literal)) != NULL;
}

static bool copy_number(struct literal *literal)
{
    if (peek(literal) == '.') strbuf_addc(&literal->out, '0');
    size_t digits = 0;
    while (strchr("+-.eE_0123456789", peek(literal)) != NULL && peek(literal) != '\0') {
        char c = literal->text.ptr[literal->at++];
        digits += c >= '0' && c <= '9';
        if (c != '_' && c != '+') strbuf_addc(&literal->out, c);
    }
    if (literal->out.len > 0 && literal->out.ptr[literal->out.len - 1] == '.') strbuf_addc(&literal->out, '0');
    skip_blanks(literal);
    bool is_key = peek(literal) == ':';
    return digits > 0 && !is_key && strchr(",}])", peek(literal)) != NULL;
}

/* A bracket opens or closes. "(1, 2)" is a list. */
static bool copy_bracket(struct literal *literal)
{
    char c = literal->text.ptr[literal->at++];
    bool opens = c == '{' || c == '[' || c == '(';
    if (opens) {
        if (literal->depth == LITERAL_DEPTH_MAX) return false;
        literal->closing[literal->depth++] = c == '{' ? '}' : c == '[' ? ']' : ')';
    } else if (literal->closing[--literal->depth] != c) {
        return false;
    }
    /* A comma before the closing bracket. */
    if (!opens && literal->out.ptr[literal->out.len - 1] == ',') literal->out.len--;
    strbuf_addc(&literal->out, c == '(' ? '[' : c == ')' ? ']' : c);
    return true;
}

/* One piece of the literal. */
static bool copy_piece(struct literal *literal)
{
    char c = peek(literal);
    if (strchr("{}[]()", c) != NULL) return copy_bracket(literal);
    if (c == '"' || c == '\'' || c == '`') return copy_string(literal);
    if (c == ',' || c == ':') {
        strbuf_addc(&literal->out, c);
        literal->at++;
        return true;
    }
    if (c == '!') { /* what minifiers make of true and false */
        char digit = literal->at + 1 < literal->text.len ? literal->text.ptr[literal->at + 1] : '\0';
        literal->at += 2;
        strbuf_adds(&literal->out, digit == '0' ? "true" : "false");
        return digit == '0' || digit == '1';
    }
    if ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+') return copy_number(literal);
    return is_name_char(c) && copy_name(literal);
}

struct gt_str auto_literal_read(struct auto_page *page, struct gt_str text, size_t *at)
{
    struct literal literal = {.text = text, .at = *at};
    bool is_copied = true;
    struct gt_str json = {"", 0};
    strbuf_init(&literal.out, PAGE_BYTES_MAX);
    do {
        skip_blanks(&literal);
        is_copied = literal.at < text.len && copy_piece(&literal);
    } while (is_copied && literal.depth > 0);
    if (is_copied) json = arena_dup(page->arena, strbuf_str(&literal.out));
    *at = literal.at;
    strbuf_done(&literal.out);
    return json.ptr != NULL ? json : GT_STR("");
}
