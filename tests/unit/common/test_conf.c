/* sites.conf: what is taken, what is refused and how it is told. */
#include "tests/unit/table.h"

#include "common/conf.h"

static const struct error_row {
    const char *name, *text, *message; /* NULL: it is taken */
} error_rows[] = {
    {"an empty file", "", NULL},
    {"comments and blanks", "# a\n\n   # b\n[site a]\n", NULL},
    {"a byte order mark", "\xEF\xBB\xBF[site a]\nurl = https://a.example/\n", NULL},
    {"CRLF line ends", "[site a]\r\ncurrency = CNY\r\n", NULL},
    {"no newline at the end", "[site a]\ncurrency = CNY", NULL},
    {"a value with ' ;' and '#'", "[site a]\nrows = //tr[td] ; # not a comment\n", NULL},
    {"a wildcard key", "[site a]\nprice.hour.spot = td[2]\n", NULL},
    {"a key of sites in [defaults]", "[defaults]\ndelay = 5s\n", NULL},
    {"unknown key", "[site a]\nprise = td[1]\n", "t.conf:2: unknown key \"prise\", did you mean \"price\"?"},
    {"unknown key, nothing near", "[site a]\nzzzzzz = 1\n", "t.conf:2: unknown key \"zzzzzz\""},
    {"a stem alone is no wildcard key", "[site a]\nalias. = x\n", "t.conf:2: unknown key \"alias.\", did you mean \"alias.*\"?"},
    {"unknown section", "[sit a]\n", "t.conf:1: unknown kind of section \"sit\", did you mean \"site\"?"},
    {"a section without its name", "[site]\n", "t.conf:1: a section needs a name of letters, digits, '-', '_', '.': \"\""},
    {"a name with a slash", "[site ../x]\n", "t.conf:1: a section needs a name of letters, digits, '-', '_', '.': \"../x\""},
    {"a name where none belongs", "[defaults x]\n", "t.conf:1: this section has no name: \"x\""},
    {"a heading that is not closed", "[site a\n", "t.conf:1: a section heading that is not closed: \"[site a\""},
    {"a key before any section", "url = x\n", "t.conf:1: a key before the first section: \"url\""},
    {"neither key nor section", "[site a]\nhello\n", "t.conf:2: neither a section, a `key = value` nor a comment: \"hello\""},
    {"a key twice", "[site a]\nurl = x\nurl = y\n", "t.conf:3: this key stands twice in its section: \"url\""},
    {"a section twice", "[site a]\n[site a]\n", "t.conf:2: this section stands twice in the file: \"[site a]\""},
    {"an indented first line", "  x\n", "t.conf:1: an indented line continues a value, and there is none above: \"x\""},
    {"a bad duration", "[site a]\nevery = soon\n",
     "t.conf:2: every takes a duration such as 30s, 10m, 6h, 2d (60..31536000 seconds), not \"soon\""},
    {"a duration without unit", "[site a]\nevery = 60\n",
     "t.conf:2: every takes a duration such as 30s, 10m, 6h, 2d (60..31536000 seconds), not \"60\""},
    {"a duration out of range", "[site a]\nevery = 5s\n",
     "t.conf:2: every takes a duration such as 30s, 10m, 6h, 2d (60..31536000 seconds), not \"5s\""},
    {"a bad word", "[site a]\nkind = cloudy\n", "t.conf:2: kind takes one of vertical|cloud|idc|market|serverless|fx, not \"cloudy\""},
    {"a bad number", "[site a]\nhours_per_month = 720.5\n", "t.conf:2: hours_per_month takes a whole number 1..744, not \"720.5\""},
    {"an overlong number", "[site a]\nrows_min = 99999999999999999999\n",
     "t.conf:2: rows_min takes a whole number 0..20000, not \"99999999999999999999\""},
    {"a bad yes", "[site a]\nenabled = true\n", "t.conf:2: enabled takes yes or no, not \"true\""},
    {"a bad date", "[holding a]\nuntil = 2027-02-30\n", "t.conf:2: until takes a date such as 2027-03-31, not \"2027-02-30\""},
    {"not UTF-8", "[site a]\ntitle = \xff\n", "t.conf:2: not UTF-8 text"},
    {"the bad value is told at its own line", "[site a]\nenabled = maybe\n\n# x\n[site b]\n",
     "t.conf:2: enabled takes yes or no, not \"maybe\""},
};

static void check_error(void **state)
{
    const struct error_row *row = *state;
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    enum gt_err err = conf_read_text(conf, "t.conf", gt_str_from(row->text), &info);
    if (row->message == NULL) {
        assert_string_equal(info.text, "");
        assert_int_equal(err, GT_OK);
    } else {
        assert_string_equal(info.text, row->message);
        assert_int_equal(err, GT_ECONF);
        assert_null(conf_sections(conf, "site")[0]);
    }
    conf_free(conf);
}

static void layers_override_key_by_key(void **state)
{
    (void)state;
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    assert_int_equal(conf_read_text(conf, "shipped", GT_STR("[defaults]\ndelay = 9s\n[site b]\nurl = u\nevery = 6h\n[site a]\n"), &info), GT_OK);
    assert_int_equal(conf_read_text(conf, "user", GT_STR("[site b]\nevery = 1h\n"), &info), GT_OK);
    const struct conf_section *const *sites = conf_sections(conf, "site");
    assert_str(conf_section_name(sites[0]), "a");
    assert_str(conf_section_name(sites[1]), "b");
    assert_null(sites[2]);
    assert_str(conf_text(sites[1], "url"), "u");
    assert_int_equal(conf_duration_ms(sites[1], "every", 0), 3600000);
    assert_int_equal(conf_duration_ms(sites[1], "delay", 0), 9000);
    assert_int_equal(conf_duration_ms(sites[1], "timeout", 0), 30000);
    assert_int_equal(conf_int(sites[0], "rows_min", -7), -7);
    assert_string_equal(conf_get(sites[1], "every")->file, "user");
    assert_int_equal(conf_get(sites[1], "every")->line, 2);
    conf_free(conf);
}

static void values_are_verbatim_and_continue(void **state)
{
    (void)state;
    struct conf *conf = conf_new();
    struct arena *arena = arena_new(1 << 20);
    struct gt_errinfo info = {0};
    struct gt_str text = GT_STR("[site a]\nrows =\n   .a[] |\n   # jq\n   {x: \"=;#\"}\nurl = one\n  two\n");
    assert_int_equal(conf_read_text(conf, "t", text, &info), GT_OK);
    const struct conf_section *site = conf_find(conf, "site", GT_STR("a"));
    assert_str(conf_text(site, "rows"), ".a[] |\n{x: \"=;#\"}");
    assert_str(conf_text(site, "url"), "one\ntwo");
    struct conf *again = conf_new();
    assert_int_equal(conf_read_text(again, "printed", conf_section_print(site, arena), &info), GT_OK);
    assert_str(conf_text(conf_find(again, "site", GT_STR("a")), "rows"), ".a[] |\n{x: \"=;#\"}");
    arena_free(arena);
    conf_free(again);
    conf_free(conf);
}

static void missing_file_is_named(void **state)
{
    (void)state;
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    assert_int_equal(conf_read_file(conf, "/nonexistent/sites.conf", &info), GT_ENOENT);
    assert_string_equal(info.text, "cannot open /nonexistent/sites.conf: No such file or directory");
    conf_free(conf);
}

static const struct unit_row {
    const char *name, *text;
    bool is_size, is_ok;
    int64_t value;
} unit_rows[] = {
    {"milliseconds", "500ms", false, true, 500},  {"weeks", "2w", false, true, 1209600000},   {"a bare zero", "0", false, true, 0},
    {"a bare number", "5", false, false, 0},      {"a fraction", "1.5h", false, false, 0},    {"a blank", "6 h", false, false, 0},
    {"negative", "-1s", false, false, 0},         {"overflow", "999999999999999999w", false, false, 0},
    {"bytes", "4096", true, true, 4096},          {"kibibytes", "64k", true, true, 65536},    {"mebibytes", "8M", true, true, 8388608},
    {"no number", "M", true, false, 0},           {"a strange unit", "8X", true, false, 0},
};

static void check_unit(void **state)
{
    const struct unit_row *row = *state;
    int64_t value = 0;
    struct gt_str text = gt_str_from(row->text);
    assert_int_equal(row->is_size ? conf_parse_size(text, &value) : conf_parse_duration(text, &value), row->is_ok);
    if (row->is_ok) assert_int_equal(value, row->value);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest alone[] = {cmocka_unit_test(layers_override_key_by_key), cmocka_unit_test(values_are_verbatim_and_continue),
                                       cmocka_unit_test(missing_file_is_named)};
    return TABLE_RUN(error_rows, check_error) + TABLE_RUN(unit_rows, check_unit) + cmocka_run_group_tests(alone, NULL, NULL);
}
