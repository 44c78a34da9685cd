#include "crawler/robots.h"

#include <dirent.h>
#include <stdlib.h>

#include "common/file.h"
#include "tests/unit/table.h"

static const struct row {
    const char *name;
    const char *robots;
    const char *agent;
    const char *url;
    bool is_allowed;
    const char *rule;
} rules[] = {
    {"nothing said", "", "gputape", "https://a.com/x", true, ""},
    {"an HTML error page", "<html>\n<body>Not found: <a href=\"/\">/</a></body>\n", "gputape", "https://a.com/x", true, ""},
    {"global disallow", "User-agent: *\nDisallow: /\n", "gputape", "https://a.com/x", false, "Disallow: /"},
    {"own group wins over *", "User-agent: *\nDisallow: /\nUser-agent: gputape\nAllow: /p\n", "gputape", "https://a.com/x", true,
     ""},
    {"own groups are merged", "user-agent: gputape\nallow: /\nuser-agent: x\nallow: /\nuser-agent: GPUTAPE\ndisallow: /p\n",
     "gputape", "https://a.com/p", false, "disallow: /p"},
    {"two agents, one group", "user-agent: x\nuser-agent: gputape\ndisallow: /p\n", "gputape", "https://a.com/p", false,
     "disallow: /p"},
    {"agent with a version", "user-agent: gputape\ndisallow: /p\n", "gputape/1.0", "https://a.com/p", false, "disallow: /p"},
    {"longer name is another agent", "user-agent: gputapes\ndisallow: /\n", "gputape", "https://a.com/p", true, ""},
    {"longest decides", "user-agent: *\ndisallow: /p\nallow: /p/q\n", "gputape", "https://a.com/p/q", true, "allow: /p/q"},
    {"allow among equals", "user-agent: *\ndisallow: /p\nallow: /p\n", "gputape", "https://a.com/p", true, "allow: /p"},
    {"star in the middle", "user-agent: *\ndisallow: /*/price\n", "gputape", "https://a.com/a/b/price", false,
     "disallow: /*/price"},
    {"star and end", "user-agent: *\ndisallow: /*.json$\n", "gputape", "https://a.com/a.json", false, "disallow: /*.json$"},
    {"end not met", "user-agent: *\ndisallow: /*.json$\n", "gputape", "https://a.com/a.json?x", true, ""},
    {"anchored without a star", "user-agent: *\ndisallow: /p$\n", "gputape", "https://a.com/p/", true, ""},
    {"two stars, the last piece twice", "user-agent: *\ndisallow: /*a*a$\n", "gputape", "https://a.com/aa", false,
     "disallow: /*a*a$"},
    {"piece may not overlap", "user-agent: *\ndisallow: /*aa*a$\n", "gputape", "https://a.com/aa", true, ""},
    {"star alone", "user-agent: *\ndisallow: *\n", "gputape", "https://a.com/x", false, "disallow: *"},
    {"dollar inside is itself", "user-agent: *\ndisallow: /a$b\n", "gputape", "https://a.com/a$b", false, "disallow: /a$b"},
    {"query belongs to the path", "user-agent: *\ndisallow: /*?page=\n", "gputape", "https://a.com/x?page=2", false,
     "disallow: /*?page="},
    {"fragment does not", "user-agent: *\ndisallow: /*top\n", "gputape", "https://a.com/x#top", true, ""},
    {"no path is the root", "user-agent: *\ndisallow: /$\n", "gputape", "https://a.com", false, "disallow: /$"},
    {"query without a path", "user-agent: *\ndisallow: /?q\n", "gputape", "https://a.com?q=1", false, "disallow: /?q"},
    {"address in the query", "user-agent: *\ndisallow: /x\n", "gputape", "https://a.com/x?u=http://b.com/y", false,
     "disallow: /x"},
    {"empty disallow allows", "user-agent: *\ndisallow:\n", "gputape", "https://a.com/x", true, ""},
    {"Chinese path", "user-agent: *\ndisallow: /价格\n", "gputape", "https://a.com/%E4%BB%B7%E6%A0%BC", false, "disallow: /价格"},
    {"lower-case hex in the rule", "user-agent: *\ndisallow: /%e4%bb%b7\n", "gputape", "https://a.com/%E4%BB%B7", false,
     "disallow: /%e4%bb%b7"},
    {"%62 is not b", "user-agent: *\ndisallow: /%62\n", "gputape", "https://a.com/b", true, ""},
    {"byte order mark", "\xEF\xBB\xBFuser-agent: *\ndisallow: /\n", "gputape", "https://a.com/x", false, "disallow: /"},
    {"CR line ends", "user-agent: *\rdisallow: /\r", "gputape", "https://a.com/x", false, "disallow: /"},
    {"comment behind a rule", "user-agent: * # all\ndisallow: /x # secret\n", "gputape", "https://a.com/x", false,
     "disallow: /x"},
    {"colon forgotten", "user-agent gputape\ndisallow /\n", "gputape", "https://a.com/x", false, "disallow /"},
    {"three words without a colon", "user-agent gputape\ndisallow / x\n", "gputape", "https://a.com/x", true, ""},
    {"misspelt", "useragent: *\ndissallow: /\n", "gputape", "https://a.com/x", false, "dissallow: /"},
    {"rule before any group", "disallow: /\nuser-agent: *\nallow: /\n", "gputape", "https://a.com/x", true, "allow: /"},
    {"sitemap between", "user-agent: gputape\nsitemap: https://a.com/s\ndisallow: /\n", "gputape", "https://a.com/x", false,
     "disallow: /"},
    {"index page of an allowed folder", "user-agent: *\ndisallow: /\nallow: /p/index.html\n", "gputape", "https://a.com/p/", true,
     "allow: /p/index.html"},
};

static void check_rule(void **state)
{
    const struct row *row = *state;
    struct robots_verdict verdict = robots_match(gt_str_from(row->robots), gt_str_from(row->agent), gt_str_from(row->url));
    assert_int_equal(verdict.is_allowed, row->is_allowed);
    assert_str(verdict.rule, row->rule);
}

static const struct delay_row {
    const char *name;
    const char *robots;
    int64_t ms;
} delays[] = {
    {"ten", "user-agent: *\ncrawl-delay: 10\n", 10000},
    {"half a second", "user-agent: *\nCrawl-Delay: 0.5\n", 500},
    {"a day", "user-agent: *\ncrawl-delay: 86400\n", 86400000},
    {"scientific", "user-agent: *\ncrawl-delay: 1e9\n", (int64_t)INT32_MAX * 1000},
    {"forty digits", "user-agent: *\ncrawl-delay: 1111111111111111111111111111111111111111\n", (int64_t)INT32_MAX * 1000},
    {"many decimals", "user-agent: *\ncrawl-delay: 1.23456\n", 1234},
    {"own group's", "user-agent: *\ncrawl-delay: 9\nallow: /\nuser-agent: gputape\ncrawl-delay: 2\n", 2000},
    {"longest of two", "user-agent: *\ncrawl-delay: 2\ncrawl-delay: 5\n", 5000},
    {"below zero", "user-agent: *\ncrawl-delay: -1\n", -1},
    {"a word", "user-agent: *\ncrawl-delay: abc\n", -1},
    {"another agent's", "user-agent: x\ncrawl-delay: 9\n", -1},
    {"own group without one", "user-agent: *\ncrawl-delay: 9\nallow: /\nuser-agent: gputape\nallow: /\n", -1},
    {"none", "user-agent: *\n", -1},
};

static void check_delay(void **state)
{
    const struct delay_row *row = *state;
    assert_int_equal(robots_match(gt_str_from(row->robots), GT_STR("gputape"), GT_STR("https://a.com/")).crawl_delay_ms, row->ms);
}

static const struct size_row {
    const char *name;
    size_t before; /* bytes of comment before the rule */
    bool is_allowed;
} sizes[] = {
    {"rule ends at the last byte read", ROBOTS_BYTES_MAX - 26, false},
    {"rule begins behind it", ROBOTS_BYTES_MAX, true},
    {"100 KiB in front", 100 * 1024, false},
};

static void check_size(void **state)
{
    const struct size_row *row = *state;
    static const char rule[] = "user-agent: *\ndisallow: /x";
    assert_int_equal(sizeof rule - 1, 26);
    char *text = malloc(row->before + sizeof rule);
    memset(text, '#', row->before);
    text[row->before - 1] = '\n';
    memcpy(text + row->before, rule, sizeof rule);
    struct gt_str robots = {text, row->before + sizeof rule - 1};
    assert_int_equal(robots_match(robots, GT_STR("gputape"), GT_STR("https://a.com/x")).is_allowed, row->is_allowed);
    free(text);
}

static const struct hostile_row {
    const char *name;
    const char *unit;
} hostiles[] = {{"stars", "*"}, {"star a", "*a"}, {"NULs", "%"}, {"percent", "%4"}, {"rules", "\ndisallow: /*a*a*a*a*b"},
                {"CR", "\r"}};

/* Half a megabyte of each against a long path: done at once. */
static void check_hostile(void **state)
{
    const struct hostile_row *row = *state;
    char *text = malloc(ROBOTS_BYTES_MAX + 64), url[4096] = "https://a.com/";
    size_t len = (size_t)sprintf(text, "user-agent: *\ndisallow: /"), unit = strlen(row->unit);
    while (len + unit < ROBOTS_BYTES_MAX) {
        memcpy(text + len, row->unit, unit);
        len += unit;
    }
    memset(url + 14, 'a', sizeof url - 15);
    for (size_t i = 0; strcmp(row->name, "NULs") == 0 && i < len; i++)
        if (text[i] == '%') text[i] = '\0';
    robots_match((struct gt_str){text, len}, GT_STR("gputape"), gt_str_from(url));
    free(text);
}

static const struct token_row {
    const char *name;
    const char *user_agent;
    const char *token;
} tokens[] = {
    {"with version", "gputape/1.0 (+https://x)", "gputape"},
    {"bare", "gputape", "gputape"},
    {"comment first", "(x)", ""},
    {"blank first word", "Mozilla compatible", "Mozilla"},
};

static void check_token(void **state)
{
    const struct token_row *row = *state;
    assert_str(robots_agent_token(gt_str_from(row->user_agent)), row->token);
}

/* ---- the expectations of google/robotstxt-spec-test: text protocol buffers, of which we read what we need ---- */

/* Reads the strings that follow `at` ("a" "b" …), unescaped, one after the other. Returns the place behind. */
static const char *read_strings(const char *at, char *out, size_t cap, size_t *ret_len)
{
    size_t len = 0;
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (*at != '"') break;
        for (at++; *at != '"' && *at != '\0' && len + 1 < cap; at++) {
            if (*at != '\\') {
                out[len++] = *at;
                continue;
            }
            at++;
            if (*at == 'x') {
                out[len++] = (char)strtol((char[]){at[1], at[2], '\0'}, NULL, 16);
                at += 2;
            } else if (*at >= '0' && *at <= '7') {
                out[len++] = (char)strtol((char[]){at[0], at[1], at[2], '\0'}, NULL, 8);
                at += 2;
            } else {
                out[len++] = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : *at;
            }
        }
        at++;
    }
    out[len] = '\0';
    *ret_len = len;
    return at;
}

struct suite_case {
    char name[4200];
    char *robots;
    size_t robots_len;
    char url[4096], agent[256];
    bool is_allowed;
};

static void check_suite(void **state)
{
    const struct suite_case *row = *state;
    struct robots_verdict verdict =
        robots_match((struct gt_str){row->robots, row->robots_len}, gt_str_from(row->agent), gt_str_from(row->url));
    assert_int_equal(verdict.is_allowed, row->is_allowed);
}

enum { CASES_MAX = 1000, ROBOTS_TEXT_MAX = 1 << 20 };

static size_t read_suite_file(const char *path, const char *file, struct suite_case *cases, struct CMUnitTest *tests,
                              size_t count)
{
    char *text = NULL, *robots = malloc(ROBOTS_TEXT_MAX);
    size_t len = 0, robots_len = 0, ignored;
    assert_int_equal(file_read(path, 8 << 20, &text, &len, NULL), GT_OK);
    for (const char *at = text; *at != '\0' && count < CASES_MAX;) {
        struct suite_case *row = &cases[count];
        if (strncmp(at, "robotstxt:", 10) == 0) {
            at = read_strings(at + 10, robots, ROBOTS_TEXT_MAX, &robots_len);
        } else if (strncmp(at, "testurl:", 8) == 0) {
            at = read_strings(at + 8, row->url, sizeof row->url, &ignored);
        } else if (strncmp(at, "useragent:", 10) == 0) {
            at = read_strings(at + 10, row->agent, sizeof row->agent, &ignored);
        } else if (strncmp(at, "expected_outcome:", 17) == 0) {
            at += 17 + strspn(at + 17, " ");
            row->is_allowed = strncmp(at, "ALLOWED", 7) == 0;
            row->robots = malloc(robots_len + 1);
            memcpy(row->robots, robots, robots_len);
            row->robots_len = robots_len;
            snprintf(row->name, sizeof row->name, "%s %zu %.100s", file, count, row->url);
            tests[count++] = (struct CMUnitTest){.name = row->name, .test_func = check_suite, .initial_state = row};
        } else if (strncmp(at, "additional_explanation:", 23) == 0) {
            char skipped[8192];
            at = read_strings(at + 23, skipped, sizeof skipped, &ignored);
        } else {
            at += strcspn(at, "\n") > 0 && (*at == ' ' || *at == '\t')
                      ? 1
                      : (size_t)(strchr(at, '\n') != NULL ? strchr(at, '\n') - at + 1 : 1);
        }
    }
    free(robots);
    free(text);
    return count;
}

static int run_suite(void)
{
    static const char folder[] = "../shared/data/robots";
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0) {
        printf("# skipped: no suite data (%s)\n", folder);
        return 0;
    }
    struct suite_case *cases = calloc(CASES_MAX, sizeof *cases);
    struct CMUnitTest *tests = calloc(CASES_MAX, sizeof *tests);
    size_t count = 0;
    for (int i = 0; i < n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (strstr(entries[i]->d_name, ".textproto") != NULL)
            count = read_suite_file(path, entries[i]->d_name, cases, tests, count);
        free(entries[i]);
    }
    free(entries);
    int failures = _cmocka_run_group_tests("robots suite", tests, count, NULL, NULL);
    printf("# robots suite: %zu expectations\n", count);
    for (size_t i = 0; i < count; i++) free(cases[i].robots);
    free(cases);
    free(tests);
    return failures + (count == 0);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rules, check_rule) + TABLE_RUN(delays, check_delay) + TABLE_RUN(sizes, check_size) +
           TABLE_RUN(hostiles, check_hostile) + TABLE_RUN(tokens, check_token) + run_suite();
}
