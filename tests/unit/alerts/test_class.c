/* Rules that need several sites: class lows, and a network that is down. */
#include "tests/unit/alerts/fixture.h"

struct scenario {
    const char *name;
    const char *rule;
    const char *crawls;   /* "a:100 b:90 | a:100 b:80": sites and pages of each crawl */
    const char *expected; /* "crawl:what" or "crawl:old>new@site" */
};

#define LOW "match = label~main\n"

static const struct scenario scenarios[] = {
    {"a first sight only seeds", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900", ""},
    {"the low falls", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900 | a:1000 b:850", "2:900>850@b"},
    {"a dearer offer moves nothing", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900 | a:800~ b:900", ""},
    {"another site takes the low", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900 | a:850 b:900",
     "2:900>850@a"},
    {"exactly five per cent", LOW "when = class low drops 5% against previous\n", "a:1000 | a:950", "2:1000>950@a"},
    {"a hair less", LOW "when = class low drops 5% against previous\n", "a:1000 | a:950.01", ""},
    {"small steps add up against last-alerted", LOW "when = class low moves 5% against last-alerted\n", "a:1000 | a:970 | a:940",
     "3:1000>940@a"},
    {"but not against previous", LOW "when = class low moves 5% against previous\n", "a:1000 | a:970 | a:940", ""},
    {"the cheapest is delisted: the low rises", LOW "when = class low moves 5% against last-alerted\n",
     "a:1000 b:900 | a:1000 b:-", "2:900>1000@a"},
    {"the cheapest fails: it moves nothing", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900 | a:1000 b:!",
     ""},
    {"the cheapest is sold out: it is to be had no more", LOW "when = class low moves 5% against last-alerted\n",
     "a:1000 b:900 | a:1000 b:so:900", "2:900>1000@a"},
    {"a doubted price is no low", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:900 | a:1000 b:d:500", ""},
    {"dollars are a low of their own", LOW "when = class low moves 5% against last-alerted\n", "a:1000 b:500$ | a:1000 b:450$",
     "2:500>450@b"},
    {"confirmed by a second crawl", LOW "when = class low moves 5% against previous\nfor = 2\n",
     "a:1000 | a:900 | a:=", "3:1000>900@a"},
    {"not confirmed", LOW "when = class low moves 5% against previous\nfor = 2\n", "a:1000 | a:900 | a:1000 | a:=", ""},
    {"falls below", LOW "when = class low below 950 CNY\n", "a:1000 | a:940 | a:930 | a:1000 | a:950",
     "2:1000>940@a 5:1000>950@a"},
    {"below at first sight seeds", LOW "when = class low below 950 CNY\n", "a:900 | a:890", ""},
    {"below at first sight fires when asked to", LOW "when = class low below 950 CNY\ninitial = fire\n", "a:900 | a:890",
     "1:>900@a"},
    {"away from the median", LOW "when = class low moves 10% against median 4d\n", "a:1000 | a:= | a:= | a:800 | a:790",
     "4:1000>800@a"},
    {"a crawl in which every site failed", LOW "when = class low moves 5% against last-alerted\n", "a:1000 | a:!", ""},
    /* ---- the network ---- */
    {"three sites fail, none works: one event", "when = source failed\n", "a:1000 b:900 c:800 | a:! b:! c:!", "2:network-down"},
    {"one works: it is the sites", "when = source failed\n", "a:1000 b:900 c:800 | a:! b:! c:800",
     "2:source-failed 2:source-failed"},
    {"two sites are too few to tell", "when = source failed\n", "a:1000 b:900 | a:! b:!", "2:source-failed 2:source-failed"},
    {"and the sites recover", "when = source failed\n",
     "a:1000 b:900 c:800 | a:! b:! c:! | a:= b:= c:=", "2:network-down 3:source-recovered 3:source-recovered 3:source-recovered"},
};

struct heard {
    char text[FIXTURE_TEXT_MAX];
};

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static enum gt_err hear(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct heard *heard = ctx;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    size_t len = strlen(heard->text);
    int crawl = (int)((t_unix_s - FIXTURE_START) / FIXTURE_DAY_S) + 1;
    bool has_price = json_is_string(json_object_get(event, "new"));
    const char *gap = len > 0 ? " " : "";
    char *out = heard->text + len;
    size_t room = sizeof heard->text - len;
    if (json_is_true(json_object_get(event, "inhibited"))) has_price = false; /* recorded, told by another */
    else if (has_price)
        snprintf(out, room, "%s%d:%s>%s@%s", gap, crawl, string_of(event, "old"), string_of(event, "new"),
                 string_of(event, "site"));
    else snprintf(out, room, "%s%d:%s", gap, crawl, string_of(event, "what"));
    json_decref(event);
    return GT_OK;
}

static void check_scenario(void **state)
{
    const struct scenario *row = *state;
    struct fixture f;
    struct heard heard = {""};
    char conf[1024], crawls[512];
    snprintf(conf, sizeof conf, "[alert r]\n%s", row->rule);
    snprintf(crawls, sizeof crawls, "%s |", row->crawls);
    fixture_open(&f, conf);
    char *rest = NULL;
    for (char *word = strtok_r(crawls, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        bool is_end = strcmp(word, "|") == 0;
        char site[2] = {word[0], '\0'};
        enum gt_err err = is_end ? fixture_crawl_end(&f) : fixture_run(&f, site, word + 2);
        if (err != GT_OK) print_error("%s\n", f.info.text);
        assert_int_equal(err, GT_OK);
        if (is_end) f.clock.fixed_unix_s += f.step_s;
    }
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, hear, &heard, &f.info), GT_OK);
    fixture_close(&f);
    assert_string_equal(heard.text, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(scenarios, check_scenario);
}
