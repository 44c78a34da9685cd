/* Takes simple XPaths apart. Whatever is not understood to its last byte is left to libxml2. */
#include "parsers/xpath_simple.h"

#include <stdlib.h>

/* The place in the expression. */
struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *cursor)
{
    while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL) cursor->at++;
}

/* Takes a sign or word, with blanks around it. */
static bool take(struct cursor *cursor, const char *word)
{
    size_t len = strlen(word);
    skip_blanks(cursor);
    if ((size_t)(cursor->end - cursor->at) < len || memcmp(cursor->at, word, len) != 0) return false;
    cursor->at += len;
    skip_blanks(cursor);
    return true;
}

static bool is_name_byte(char c, bool is_first)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return is_letter || (!is_first && ((c >= '0' && c <= '9') || c == '-'));
}

/* A name that is no function, axis or operator: what follows it decides. */
static bool take_name(struct cursor *cursor, char name[XPATH_WORD_MAX])
{
    size_t len = 0;
    skip_blanks(cursor);
    while (cursor->at + len < cursor->end && is_name_byte(cursor->at[len], len == 0)) len++;
    if (len == 0 || len >= XPATH_WORD_MAX) return false;
    memcpy(name, cursor->at, len);
    name[len] = '\0';
    cursor->at += len;
    skip_blanks(cursor);
    return cursor->at == cursor->end || strchr("(:", *cursor->at) == NULL;
}

static bool take_literal(struct cursor *cursor, char value[XPATH_WORD_MAX])
{
    skip_blanks(cursor);
    if (cursor->at >= cursor->end || (*cursor->at != '\'' && *cursor->at != '"')) return false;
    const char *from = cursor->at + 1;
    const char *close = memchr(from, *cursor->at, (size_t)(cursor->end - from));
    if (close == NULL || close == from || close - from >= XPATH_WORD_MAX) return false;
    memcpy(value, from, (size_t)(close - from));
    value[close - from] = '\0';
    cursor->at = close + 1;
    skip_blanks(cursor);
    return true;
}

/* contains(…) behind its bracket. */
static bool read_contains(struct cursor *cursor, struct xpath_test *test)
{
    struct cursor before = *cursor;
    test->kind = XPATH_CONTAINS;
    if (take(cursor, "@"))
        return take_name(cursor, test->name) && take(cursor, ",") && take_literal(cursor, test->value) && take(cursor, ")");
    *cursor = before;
    char blank[XPATH_WORD_MAX];
    test->kind = XPATH_HAS_WORD;
    if (!take(cursor, "concat") || !take(cursor, "(") || !take_literal(cursor, blank) || strcmp(blank, " ") != 0 ||
        !take(cursor, ",") || !take(cursor, "normalize-space") || !take(cursor, "(") || !take(cursor, "@") ||
        !take_name(cursor, test->name) || !take(cursor, ")") || !take(cursor, ",") || !take_literal(cursor, blank) ||
        strcmp(blank, " ") != 0 || !take(cursor, ")") || !take(cursor, ",") || !take_literal(cursor, test->value) ||
        !take(cursor, ")"))
        return false;
    /* ' word ' with a blank at both ends and none within is a word; anything else is a substring. */
    size_t len = strlen(test->value);
    if (len < 3 || test->value[0] != ' ' || test->value[len - 1] != ' ') return false;
    memmove(test->value, test->value + 1, len - 2);
    test->value[len - 2] = '\0';
    return strpbrk(test->value, " \t\r\n") == NULL;
}

static bool read_position(struct cursor *cursor, struct xpath_test *test)
{
    test->kind = XPATH_POSITION;
    test->position = 0;
    size_t digits = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++, digits++)
        test->position = test->position * 10 + (*cursor->at - '0');
    return digits > 0 && digits < 6;
}

/* The inside of [ ]. */
static bool read_test(struct cursor *cursor, struct xpath_test *test)
{
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') return read_position(cursor, test);
    if (take(cursor, "@")) {
        test->kind = XPATH_HAS;
        if (!take_name(cursor, test->name)) return false;
        if (!take(cursor, "=")) return true;
        test->kind = XPATH_EQUALS;
        return take_literal(cursor, test->value);
    }
    struct cursor before = *cursor;
    if (take(cursor, "contains") && take(cursor, "(")) return read_contains(cursor, test);
    *cursor = before;
    test->kind = XPATH_HAS_CHILD;
    return take_name(cursor, test->name);
}

static bool read_step(struct cursor *cursor, struct xpath_step *step)
{
    *step = (struct xpath_step){.test_count = 0};
    if (take(cursor, "*")) memcpy(step->name, "*", 2);
    else if (!take_name(cursor, step->name)) return false;
    while (take(cursor, "[")) {
        if (step->test_count == XPATH_TESTS_MAX || !read_test(cursor, &step->tests[step->test_count++]) || !take(cursor, "]"))
            return false;
    }
    return true;
}

static bool has_position(const struct xpath_simple *simple)
{
    for (size_t i = 0; i < simple->step_count; i++) {
        for (size_t j = 0; j < simple->steps[i].test_count; j++) {
            if (simple->steps[i].tests[j].kind == XPATH_POSITION) return true;
        }
    }
    return false;
}

/* Steps up to the end, the last of which may be an attribute. */
static bool read_steps(struct cursor *cursor, struct xpath_simple *simple)
{
    for (;;) {
        if (take(cursor, "@")) return take_name(cursor, simple->attribute) && cursor->at == cursor->end;
        if (simple->step_count == XPATH_STEPS_MAX || !read_step(cursor, &simple->steps[simple->step_count++])) return false;
        if (cursor->at == cursor->end) return true;
        if (take(cursor, "//") || !take(cursor, "/")) return false;
    }
}

bool xpath_simple_read(struct gt_str text, struct xpath_simple *ret_simple)
{
    struct cursor cursor = {text.ptr, text.ptr + text.len};
    struct xpath_step steps[XPATH_STEPS_MAX];
    struct xpath_simple simple = {.steps = steps};
    if (take(&cursor, ".")) {
        if (!take(&cursor, "/")) return false;
        simple.is_deep = take(&cursor, "/");
    } else if (take(&cursor, "/")) {
        simple.is_absolute = true;
        simple.is_deep = take(&cursor, "/");
    }
    if (!read_steps(&cursor, &simple)) return false;
    /* `//@a` also means the attributes of the node itself, and a position below `//` counts anew in each parent. */
    if (simple.is_deep && (simple.step_count == 0 || has_position(&simple))) return false;
    simple.steps = calloc(simple.step_count > 0 ? simple.step_count : 1, sizeof *steps);
    if (simple.steps == NULL) return false;
    memcpy(simple.steps, steps, simple.step_count * sizeof *steps);
    *ret_simple = simple;
    return true;
}
