#include "crawler/site_plan.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crawler/lock.h"
#include "crawler/validators.h"
#include "tests/unit/table.h"

/* A section is read, or refused with file and line. */
static const struct row {
    const char *name;
    const char *conf;
    const char *fault; /* a part of the message; NULL: it is read */
    size_t parts, headers;
    const char *name_of_last, *user_agent;
} plans[] = {
    {"one bare address", "[site s]\nurl = https://a.com/x\n", NULL, 1, 0, "main", NULL},
    {"named parts", "[site s]\nurl = east https://a.com/e\n  west\thttps://a.com/w\n", NULL, 2, 0, "west", NULL},
    {"two bare addresses", "[site s]\nurl = https://a.com/x\n  https://a.com/y?z=1\n", NULL, 2, 0, "a.com/y?z=1", NULL},
    {"blank lines between", "[site s]\nurl = a https://a.com/x\n  \n  b https://a.com/y\n", NULL, 2, 0, "b", NULL},
    {"headers", "[site s]\nurl = https://a.com/\nheader = Accept: text/plain\n  X-A: b\n", NULL, 1, 2, "main", NULL},
    {"contact replaces the address", "[site s]\nurl = https://a.com/\ncontact = me@b.com\n", NULL, 1, 0, "main",
     "gputape/" GPUTAPE_VERSION " (+me@b.com)"},
    {"own user agent with a contact", "[site s]\nurl = https://a.com/\nuser_agent = bot/2 (mail me@b.com)\n", NULL, 1, 0, "main",
     "bot/2 (mail me@b.com)"},
    {"no address", "[site s]\ntitle = X\n", "test.conf:1: site s has no url", 0, 0, NULL, NULL},
    {"an address of another kind", "[site s]\nurl = ftp://a.com/\n", "test.conf:2: url: only http and https", 0, 0, NULL, NULL},
    {"a password in the address", "[site s]\nurl = https://a:b@a.com/\n", "test.conf:2: url: ", 0, 0, NULL, NULL},
    {"no address behind the name", "[site s]\nurl = east\n", "test.conf:2: url: ", 0, 0, NULL, NULL},
    {"one name twice", "[site s]\nurl = a https://a.com/x\n  a https://a.com/y\n", "two parts of one name", 0, 0, NULL, NULL},
    {"header without a colon", "[site s]\nurl = https://a.com/\nheader = Accept\n",
     "test.conf:3: header: a header without a colon", 0, 0, NULL, NULL},
    {"header with a blank in its name", "[site s]\nurl = https://a.com/\nheader = A B: c\n", "not the name of a header", 0, 0,
     NULL, NULL},
    {"Host of one's own", "[site s]\nurl = https://a.com/\nheader = Host: b.com\n", "sets itself", 0, 0, NULL, NULL},
    {"validators of one's own", "[site s]\nurl = https://a.com/\nheader = if-none-match: x\n", "sets itself", 0, 0, NULL, NULL},
    {"header file that is not there", "[site s]\nurl = https://a.com/\nheader_file = /nonexistent/token\n", "/nonexistent/token",
     0, 0, NULL, NULL},
    {"nobody to be reached", "[site s]\nurl = https://a.com/\nuser_agent = bot/2\n",
     "test.conf:3: user_agent: no address or mail", 0, 0, NULL, NULL},
    {"no product", "[site s]\nurl = https://a.com/\nuser_agent = (http://b.com)\n", "no product name", 0, 0, NULL, NULL},
};

static void check_plan(void **state)
{
    const struct row *row = *state;
    struct conf *conf = conf_new();
    struct arena *arena = arena_new(1 << 20);
    struct gt_errinfo info = {0};
    struct site_plan plan;
    assert_int_equal(conf_read_text(conf, "test.conf", gt_str_from(row->conf), &info), GT_OK);
    enum gt_err err = site_plan_read(conf, conf_find(conf, "site", GT_STR("s")), arena, &plan, &info);
    if (row->fault != NULL) {
        assert_int_not_equal(err, GT_OK);
        if (strstr(info.text, row->fault) == NULL) print_error("# %s\n", info.text);
        assert_non_null(strstr(info.text, row->fault));
    } else {
        assert_int_equal(err, GT_OK);
        assert_int_equal(plan.part_count, row->parts);
        assert_int_equal(plan.header_count, row->headers);
        assert_str(plan.parts[plan.part_count - 1].name, row->name_of_last);
        if (row->user_agent != NULL) assert_str(plan.user_agent, row->user_agent);
        assert_int_equal(strlen(plan.rule_version), RULE_VERSION_MAX - 1);
    }
    arena_free(arena);
    conf_free(conf);
}

/* Two sections: the same rules or not. */
static const struct version_row {
    const char *name;
    const char *a, *b;
    bool is_same;
} versions[] = {
    {"the same", "[site s]\nurl = https://a.com/\nrows = //tr\n", "[site s]\nurl = https://a.com/\nrows = //tr\n", true},
    {"another order of keys", "[site s]\nurl = https://a.com/\nrows = //tr\n", "[site s]\nrows = //tr\nurl = https://a.com/\n",
     true},
    {"a comment more", "[site s]\nurl = https://a.com/\n", "# x\n[site s]\nurl = https://a.com/\n", true},
    {"another rule", "[site s]\nurl = https://a.com/\nrows = //tr\n", "[site s]\nurl = https://a.com/\nrows = //tr[td]\n", false},
    {"a default more", "[site s]\nurl = https://a.com/\n", "[defaults]\ncurrency = CNY\n[site s]\nurl = https://a.com/\n", false},
};

static void version_of(const char *text, char ret_version[RULE_VERSION_MAX])
{
    struct conf *conf = conf_new();
    struct arena *arena = arena_new(1 << 20);
    struct site_plan plan;
    assert_int_equal(conf_read_text(conf, "test.conf", gt_str_from(text), NULL), GT_OK);
    assert_int_equal(site_plan_read(conf, conf_find(conf, "site", GT_STR("s")), arena, &plan, NULL), GT_OK);
    memcpy(ret_version, plan.rule_version, RULE_VERSION_MAX);
    arena_free(arena);
    conf_free(conf);
}

static void check_version(void **state)
{
    const struct version_row *row = *state;
    char a[RULE_VERSION_MAX], b[RULE_VERSION_MAX];
    version_of(row->a, a);
    version_of(row->b, b);
    assert_int_equal(strcmp(a, b) == 0, row->is_same);
}

/* ---- validators: what is written is read again; what is not ours is nothing ---- */

static const struct value_row {
    const char *name;
    const char *value;
    bool is_read;
    size_t pages;
} values[] = {
    {"one page", "validators 1\nrule r\nfull 5\npage https://a.com/\netag \"x\"\ndate 7\n", true, 1},
    {"two pages", "validators 1\nrule r\nfull 5\npage https://a.com/\npage https://a.com/2\nfinal https://b.com/\n", true, 2},
    {"a word of later days", "validators 1\nrule r\nfull 5\npage https://a.com/\ncolour red\n", true, 1},
    {"etag with blanks", "validators 1\nrule r\nfull 5\npage https://a.com/\netag W/\"a b c\"\n", true, 1},
    {"another version", "validators 2\nrule r\nfull 5\npage https://a.com/\n", false, 0},
    {"no page", "validators 1\nrule r\nfull 5\n", false, 0},
    {"a digest cut short", "validators 1\nrule r\nfull 5\npage https://a.com/\nbody 00ff\n", false, 0},
    {"a time that is none", "validators 1\nrule r\nfull soon\npage https://a.com/\n", false, 0},
    {"empty", "", false, 0},
    {"something else", "\x01\x02\x03", false, 0},
};

static void check_value(void **state)
{
    const struct value_row *row = *state;
    struct known_part *known = calloc(1, sizeof *known), *again = calloc(1, sizeof *again);
    struct arena *arena = arena_new(1 << 20);
    assert_int_equal(validators_parse(gt_str_from(row->value), known), row->is_read);
    if (row->is_read) {
        assert_int_equal(known->page_count, row->pages);
        struct gt_str printed = validators_print(known, arena);
        assert_true(validators_parse(printed, again));
        assert_int_equal(again->page_count, known->page_count);
        assert_true(gt_str_eq(again->pages[0].etag, known->pages[0].etag));
        assert_true(gt_str_eq(again->pages[row->pages - 1].final_url, known->pages[row->pages - 1].final_url));
        assert_non_null(validators_find(known, GT_STR("https://a.com/")));
        assert_null(validators_find(known, GT_STR("https://a.com/other")));
    }
    arena_free(arena);
    free(known);
    free(again);
}

/* A text that would break out of its line is not written at all. */
static void check_line_break(void **state)
{
    (void)state;
    struct known_part *known = calloc(1, sizeof *known);
    struct arena *arena = arena_new(1 << 20);
    known->page_count = 1;
    known->pages[0] = (struct known_page){.url = GT_STR("https://a.com/"), .etag = GT_STR("x\nrule evil")};
    assert_null(validators_print(known, arena).ptr);
    arena_free(arena);
    free(known);
}

/* ---- the lock ---- */

static const struct lock_row {
    const char *name;
    bool is_held;   /* by a child */
    bool is_killed; /* the child, before we try */
    enum gt_err err;
} locks[] = {
    {"free", false, false, GT_OK},
    {"held by another", true, false, GT_ELOCKED},
    {"the holder was killed", true, true, GT_OK},
};

static void check_lock(void **state)
{
    const struct lock_row *row = *state;
    char folder[64] = "/tmp/gputape-lock-XXXXXX", path[80], pid_text[32];
    int ready[2];
    struct run_lock *lock = NULL;
    struct gt_errinfo info = {0};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(pipe(ready), 0);
    pid_t child = row->is_held ? fork() : -1;
    if (child == 0) {
        char byte = run_lock_take(folder, &lock, NULL) == GT_OK ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(1);
    }
    char byte = 'y';
    if (row->is_held) assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    if (row->is_killed) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    assert_int_equal(run_lock_take(folder, &lock, &info), row->err);
    snprintf(pid_text, sizeof pid_text, "(pid %ld)", (long)child);
    if (row->err == GT_ELOCKED) assert_non_null(strstr(info.text, pid_text));
    run_lock_free(lock);
    if (row->is_held && !row->is_killed) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    snprintf(path, sizeof path, "%s/lock", folder);
    assert_int_equal(access(path, F_OK), 0); /* never deleted */
    unlink(path);
    rmdir(folder);
    close(ready[0]);
    close(ready[1]);
}

static const struct single {
    const char *name;
} line_breaks[] = {{"line break in an entity tag"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(plans, check_plan) + TABLE_RUN(versions, check_version) + TABLE_RUN(values, check_value) +
           TABLE_RUN(line_breaks, check_line_break) + TABLE_RUN(locks, check_lock);
}
