/* The extractor `text` and the bounds of regular expressions. */
#include <time.h>

#include "parsers/regex.h"
#include "tests/unit/parsers/page.h"

#define RULES "extract = text\nrows = /(?<label>8\\*\\w+) - (?<price_month>\\d+)/\n"

static const struct page_case CASES[] = {
    {"named groups are fields", RULES, "8*910B - 15000/月\n8*H20 - 20000/月", "label=8*910B; price.month=15000\nlabel=8*H20; price.month=20000\n", GT_OK,
     NULL, "text/plain"},
    {"HTML is matched as it is seen", RULES, "<p>8*<b>910B</b>&nbsp;- <!-- -->15000", "label=8*910B; price.month=15000\n", GT_OK, NULL, NULL},
    {"a line a block", "extract = text\nrows = /(?m)^(?<label>\\S+) (?<price>.+)$/", "<ul><li>A100 9元/时<li>H20 7元/时</ul>",
     "label=A100; price=9元/时\nlabel=H20; price=7元/时\n", GT_OK, NULL, NULL},
    {"scripts are matched raw", "extract = text\nrows = /name:\"(?<label>[^\"]+)\",p:(?<price_hour>[\\d.]+)/", "var a={name:\"A<b>\",p:1.5}",
     "label=A<b>; price.hour=1.5\n", GT_OK, NULL, "application/javascript"},
    {"a group that takes no part", "extract = text\nrows = /(?<label>A)(?:(?<price>\\d)|x)/", "A1 Ax", "label=A; price=1\nlabel=A\n", GT_OK, NULL,
     "text/plain"},
    {"two groups of one name", "extract = text\nrows = /(?:A(?<label>\\d)|B(?<label>\\w))/", "A1 Bx", "label=1\nlabel=x\n", GT_OK, NULL, "text/plain"},
    {"literals and renamed groups", "extract = text\nrows = /(?<card>H\\d+)/\nlabel = card\ncards = 8", "H100", "label=H100; cards=8\n", GT_OK, NULL,
     "text/plain"},
    {"min_cards is one word", "extract = text\nrows = /(?<label>A)(?<min_cards>\\d)/", "A8", "label=A; min_cards=8\n", GT_OK, NULL, "text/plain"},
    {"ideographs", "extract = text\nrows = /(?<label>昇腾\\w+)[^¥]*¥(?<price>[\\d.]+)/", "昇腾910B 每小时 ¥4.47", "label=昇腾910B; price=4.47\n", GT_OK, NULL,
     "text/plain"},
    {"empty matches end", "extract = text\nrows = /(?<label>x*)/", "axb", "label=x\n", GT_OK, NULL, "text/plain"},
    {"no match", RULES, "nothing", NULL, GT_ENOROWS, "matches nowhere", "text/plain"},
    {"no rows", "extract = text", "x", NULL, GT_ECONF, "sites.conf:1: extract = text needs", "text/plain"},
    {"a group that is no field", "extract = text\nrows = /(?<lable>x)/", "x", NULL, GT_ECONF, "no field", "text/plain"},
    {"a broken pattern", "extract = text\nrows = /(?<label>x/", "x", NULL, GT_ECONF, "sites.conf:3: rows: regex: missing", "text/plain"},
    {"\\C", "extract = text\nrows = /(?<label>\\C)/", "x", NULL, GT_ECONF, "\\C", "text/plain"},
    {"a pattern that costs too much is no `no match`", "extract = text\nrows = /(?<label>(a+)+)$/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", NULL,
     GT_ELIMIT, "regex", "text/plain"},
};

/* Patterns that are known to run away, on a subject of `count` times `piece` and `end`. Each must end by itself, quickly. */
static const struct bound_case {
    const char *name;
    const char *pattern;
    const char *piece;
    size_t count;
    const char *end;
    enum gt_err err;
    bool is_found;
} BOUNDS[] = {
    {"plus in plus", "(a+)+$", "a", 60, "!", GT_ELIMIT, false},
    {"plus in plus on 1 MB", "(a+)+$", "a", 1000000, "!", GT_ELIMIT, false},
    {"three classes on 4,000 bytes", "[a-z]*[a-z]*[0-9]", "a", 4000, "", GT_ELIMIT, false},
    {"three classes on 1 MB", "[a-z]*[a-z]*[0-9]", "a", 1000000, "", GT_ELIMIT, false},
    {"a possessive class from every start", "[a-z]*[0-9]", "a", 1000000, "", GT_ELIMIT, false},
    {"alternatives that overflow the JIT stack", "([^<]|<b>)*=", "x", 100000, "=", GT_OK, true},
    {"alternatives beyond the heap limit", "([^<]|<b>)*=", "x", 5000000, "=", GT_ELIMIT, false},
    {"dots", ".*.*.*=", "x=", 100000, "x", GT_OK, true},
    {"dots without the sign that they need", ".*.*.*[=]$", "x=", 100000, "x", GT_ELIMIT, false},
    {"a back reference", "(\\w+)\\s\\1$", "ab ", 300000, "!", GT_OK, false},
    {"a limit that the pattern asks for", "(*LIMIT_MATCH=2000000000)(a+)+$", "a", 60, "!", GT_ELIMIT, false},
    {"plain text on 20 MB", "NVIDIA", "abcdefghij", 2000000, "NVIDIA", GT_OK, true},
    {"a price on 20 MB", "¥\\d+\\.\\d\\d/时", "abc 12 de ", 2000000, "¥1.96/时", GT_OK, true},
    {"no price on 20 MB", "¥\\d+\\.\\d\\d/时", "abc 12 de ", 2000000, "", GT_OK, false},
};

static void check_bound(void **state)
{
    const struct bound_case *row = *state;
    struct regex *regex = NULL;
    struct gt_errinfo info = {0};
    struct strbuf subject;
    bool is_found;
    strbuf_init(&subject, 32 << 20);
    for (size_t i = 0; i < row->count; i++) strbuf_adds(&subject, row->piece);
    strbuf_adds(&subject, row->end);
    const struct conf_value origin = {.name = GT_STR("rows"), .file = "x", .line = 1};
    assert_int_equal(regex_new(&origin, gt_str_from(row->pattern), &regex, &info), GT_OK);
    clock_t begin = clock();
    enum gt_err err = regex_search(regex, strbuf_str(&subject), &is_found, &info);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (err != row->err || seconds > 1) print_error("%s: %s %.3f s\n", gt_err_name(err), info.text, seconds);
    printf("# %s: %.0f ms\n", row->name, seconds * 1000);
    assert_int_equal(err, row->err);
    assert_int_equal(is_found, row->is_found);
    assert_true(seconds < 2); /* far above what it takes, far below what it took unbounded */
    regex_free(regex);
    strbuf_done(&subject);
}

/* Patterns that are refused when they are compiled. */
static const struct refused_case {
    const char *name;
    const char *pattern;
    size_t count; /* the pattern, so often */
} REFUSED[] = {
    {"64 KB of pattern", "abcdefgh", 8192},
    {"a thousand brackets", "(", 1000},
    {"a lookbehind of any length", "(?<=a+)b", 1},
    {"\\C in a class of its own", "a\\Cb", 1},
    {"nothing to repeat", "*", 1},
};

static void check_refused(void **state)
{
    const struct refused_case *row = *state;
    struct regex *regex = NULL;
    struct gt_errinfo info = {0};
    struct strbuf pattern;
    strbuf_init(&pattern, 1 << 20);
    for (size_t i = 0; i < row->count; i++) strbuf_adds(&pattern, row->pattern);
    const struct conf_value origin = {.name = GT_STR("rows"), .file = "x", .line = 7};
    assert_int_equal(regex_new(&origin, strbuf_str(&pattern), &regex, &info), GT_ECONF);
    assert_non_null(strstr(info.text, "x:7: rows: regex:"));
    strbuf_done(&pattern);
}

/* The JIT and the interpreter find the same, on subjects made from a fixed seed. */
static const struct twin_case {
    const char *name; /* the pattern */
} TWINS[] = {
    {"(a|b)*c"}, {"(?<x>[a-c]+)(?<y>¥\\d*)?"}, {"(a+b?)+c$"}, {"[^<]*<b"}, {"(?:a|ab)(?:c|bcd)(d*)"}, {"\\b\\w+\\b"}, {"(?<=a)b.?"},
    {"(\\w)\\1"}, {"价.*?元"}, {"([^<]|<b)*=?$"},
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Every match of a pattern, as text. */
static void print_matches(const char *pattern, struct gt_str subject, struct strbuf *out)
{
    const struct conf_value origin = {.name = GT_STR("rows"), .file = "x", .line = 1};
    struct regex *regex = NULL;
    struct regex_run *run = NULL;
    struct gt_str group;
    bool is_found = true;
    assert_int_equal(regex_new(&origin, gt_str_from(pattern), &regex, NULL), GT_OK);
    assert_int_equal(regex_run_begin(regex, subject, &run, NULL), GT_OK);
    while (regex_run_next(run, &is_found, NULL) == GT_OK && is_found) {
        for (int i = 0; i < 3; i++) {
            if (!regex_run_group(run, i, &group)) group = GT_STR("");
            strbuf_addf(out, "[%.*s]", GT_STR_ARG(group));
        }
    }
    regex_run_end(run);
    regex_free(regex);
}

static void check_twin(void **state)
{
    enum { SUBJECTS = 1000, PIECES_MAX = 24 };
    static const char *const PIECES[] = {"a", "b", "c", "d", "<", "b", " ", "¥", "1", "2", "价", "元", "=", "\n"};
    const struct twin_case *row = *state;
    char interpreted[64];
    uint32_t seed = 1;
    snprintf(interpreted, sizeof interpreted, "(*NO_JIT)%s", row->name);
    for (int i = 0; i < SUBJECTS; i++) {
        struct strbuf subject, first, second;
        strbuf_init(&subject, 1 << 12);
        strbuf_init(&first, 1 << 16);
        strbuf_init(&second, 1 << 16);
        for (uint32_t left = next_random(&seed) % PIECES_MAX; left > 0; left--)
            strbuf_adds(&subject, PIECES[next_random(&seed) % (sizeof PIECES / sizeof PIECES[0])]);
        print_matches(row->name, strbuf_str(&subject), &first);
        print_matches(interpreted, strbuf_str(&subject), &second);
        assert_true(gt_str_eq(strbuf_str(&first), strbuf_str(&second)));
        strbuf_done(&subject);
        strbuf_done(&first);
        strbuf_done(&second);
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page) + TABLE_RUN(BOUNDS, check_bound) + TABLE_RUN(REFUSED, check_refused) +
           TABLE_RUN(TWINS, check_twin);
}
