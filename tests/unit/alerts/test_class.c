/* Rules that need several sites: class lows, and a network that is down. */
#include "tests/unit/alerts/fixture.h"

struct scenario {
    const char *name;
    const char *rule;
    const char *crawls;   /* "a:100 b:90 | a:100 b:80": sites and pages of each crawl */
    const char *expected; /* "crawl:what" or "crawl:old>new@site" */
};

#define LOW "match = label~main\n"
#define HOLDING "[holding h]\nmatch = label~main\nmonth = 1000 CNY\n"
#define SAME "a:= b:= c:= | "
#define SAME2 "a:= b:= | "

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
    {"a new low of the class", LOW "when = class low new low 4d\n", "a:1000 | a:= | a:= | a:950", "4:1000>950@a"},
    {"another site sets it", LOW "when = class low new low 4d\n", "a:1000 b:990 | a:= b:= | a:= b:= | a:950 b:990", "4:990>950@a"},
    {"not lower than within the window", LOW "when = class low new low 4d\n", "a:900 | a:1000 | a:= | a:950", ""},
    {"as low as within it", LOW "when = class low new low 4d\n", "a:900 | a:1000 | a:= | a:900", "4:900>900@a"},
    {"a low that stays is told once", LOW "when = class low new low 4d\n", "a:1000 | a:= | a:= | a:950 | a:= | a:=", "4:1000>950@a"},
    {"a new high of the class", LOW "when = class low new high 4d\n", "a:1000 | a:= | a:= | a:1050 | a:= | a:1040", "4:1000>1050@a"},
    {"not higher than within the window", LOW "when = class low new high 4d\n", "a:1100 | a:1000 | a:= | a:1050", ""},
    {"a new low confirmed", LOW "when = class low new low 4d\nfor = 2\n", "a:1000 | a:= | a:= | a:950 | a:=", "5:950>950@a"},
    {"the floor of a class", LOW "when = class low moves 5% against last-alerted\nmin = 50 CNY, 7 USD\n", "a:500 | a:460 | a:450", "3:500>450@a"},
    {"a band around a threshold", LOW "when = class low below 950 CNY\nresolve = 1000 CNY\n",
     "a:1100 | a:940 | a:960 | a:940 | a:1000 | a:940", "2:1100>940@a 6:1000>940@a"},
    {"rearm keeps a class back", LOW "when = class low moves 5% against last-alerted\nrearm = 3d\n", "a:1000 | a:900 | a:800 | a:= | a:=",
     "2:1000>900@a 5:900>800@a"},
    /* ---- marketplaces: five offers at 900, 907, 914, 921 and the word's ---- */
    {"a marketplace's cheapest offer is one seller's mood", "when = class low moves 5% against previous\n", "m:1000 | m:700", ""},
    {"elsewhere it is the low", "when = class low moves 5% against previous\n", "a:1000 | a:700", "2:900>700@a"},
    {"its lower quartile is compared", "when = class low moves 0.5% against previous\n", "m:1000 | m:700", "2:907>900@m"},
    {"another site undercuts the quartile, not the cheapest", "when = class low moves 1% against previous\n",
     "m:700 b:1000 | m:= b:800", "2:900>800@b"},
    /* ---- how many offers a site has ---- */
    {"one of five goes", "when = offers drops 20% against previous\n", "a:1000 b:1000 | a:- b:1000", "2:offers-moved"},
    {"a fifth is less than a quarter", "when = offers drops 25% against previous\n", "a:1000 | a:-", ""},
    {"it comes back", "when = offers rises 20% against last-alerted\n", "a:- | a:1000 | a:=", "2:offers-moved"},
    {"confirmed by a second crawl", "when = offers drops 20% against previous\nfor = 2\n", "a:1000 | a:- | a:1000 | a:- | a:=", "5:offers-moved"},
    {"a site that fails has lost none", "when = offers moves 1% against previous\n", "a:1000 | a:! | a:=", ""},
    {"those that the rule asks for", "match = label~filler\nwhen = offers moves 1% against previous\n", "a:1000 | a:-", ""},
    {"away from what was usual", "when = offers drops 20% against median 3d\n", "a:1000 | a:= | a:= | a:- | a:=", "4:offers-moved"},
    /* ---- over several sites ---- */
    {"sold out on two of three", LOW "when = sold out on 2 platforms\n", "a:1000 b:900 c:800 | a:so:1000 b:= c:= | a:= b:so:900 c:=",
     "3:sold-out-on"},
    {"on one of three", LOW "when = sold out on 2 platforms\n", "a:1000 b:900 c:800 | a:so:1000 b:= c:=", ""},
    {"while it lasts: once", LOW "when = sold out on 2 platforms\n", "a:1000 b:900 | a:so:1000 b:so:900 | a:= b:= | a:so:999 b:=", "2:sold-out-on"},
    {"back and sold out again", LOW "when = sold out on 2 platforms\n", "a:1000 b:900 | a:so:1000 b:so:900 | a:1000 b:= | a:so:1000 b:=",
     "2:sold-out-on 4:sold-out-on"},
    {"sold out at first sight seeds", LOW "when = sold out on 2 platforms\n", "a:so:1000 b:so:900 | a:= b:=", ""},
    {"another offer of the card is to be had there", "when = sold out on 2 platforms\n", "a:1000 b:900 | a:so:1000 b:so:900", ""},
    {"delisted is not sold out", LOW "when = sold out on 2 platforms\n", "a:1000 b:900 | a:so:1000 b:-", ""},
    {"sold out in two crawls running", LOW "when = sold out on 2 platforms\nfor = 2\n", "a:1000 b:900 | a:so:1000 b:so:900 | a:1000 b:= | a:so:1000 b:= | a:= b:=",
     "5:sold-out-on"},
    {"a promotion with three days left", LOW "when = promotion ends within 3d\n", "a:u5:1000 | a:= | a:= | a:= | a:=", "3:promotion-ending"},
    {"seen late: told at once", LOW "when = promotion ends within 3d\n", "a:1000 | a:= | a:= | a:u5:1000 | a:=", "4:promotion-ending"},
    {"seen after its end", LOW "when = promotion ends within 3d\n", "a:1000 | a:= | a:= | a:= | a:= | a:u5:1000", ""},
    {"two sites, an event each", LOW "when = promotion ends within 3d\n", "a:u5:1000 b:u5:900 | a:= b:= | a:= b:=", "3:promotion-ending 3:promotion-ending"},
    {"a promotion without a last day", LOW "when = promotion ends within 3d\n", "a:pr:1000 | a:=", ""},
    /* ---- staleness ---- */
    {"a day without a good run is not 36 hours", "when = source stale 36h\n", "a:1000 b:1 | a:! b:=", ""},
    {"two days are: once", "when = source stale 36h\n", "a:1000 b:1 | a:! b:= | a:! b:= | a:! b:=", "3:source-stale"},
    {"and recovers", "when = source stale 36h\n", "a:1000 b:1 | a:! b:= | a:! b:= | a:= b:=", "3:source-stale 4:source-recovered"},
    {"not crawled at all is stale, too", "when = source stale 36h\n", "a:1000 b:1 | b:= | b:=", "3:source-stale"},
    {"two at once: one event", "when = source stale 36h\n", "a:1000 b:1 | a:! b:! | a:! b:!", "3:source-stale"},
    {"drifted is not good", "when = source stale 36h\n", "a:1000 | a:d:1000 | a:d:1001", "3:source-stale"},
    {"never good", "when = source stale 36h\n", "a:! | a:! | a:!", "3:source-stale"},
    {"another site is asked for", "when = source stale 36h\nmatch = site=b\n", "a:1000 b:1 | a:! b:= | a:! b:=", ""},
    /* ---- what is rented ---- */
    {"eight per cent under it", "when = market 8% under holding\n" HOLDING, "a:1000 | a:920", "2:1000>920@a"},
    {"a cent less", "when = market 8% under holding\n" HOLDING, "a:1000 | a:920.01", ""},
    {"for two days", "when = market 8% under holding for 2d\n" HOLDING, "a:1000 | a:920 | a:= | a:= | a:=", "4:1000>920@a"},
    {"not for two days", "when = market 8% under holding for 2d\n" HOLDING, "a:1000 | a:920 | a:= | a:1000 | a:920", ""},
    {"another seller goes on being cheaper", "when = market 8% under holding for 2d\n" HOLDING, "a:1000 b:1000 | a:920 b:= | a:1000 b:910 | a:= b:=",
     "4:1000>910@b"},
    {"again after it was over", "when = market 8% under holding\n" HOLDING, "a:920 | a:1000 | a:900", "1:1000>920@a 3:1000>900@a"},
    {"a band keeps it quiet", "when = market 8% under holding\nresolve = 4%\n" HOLDING, "a:920 | a:950 | a:910", "1:1000>920@a"},
    {"dollars are not compared", "when = market 8% under holding\n" HOLDING, "a:100$", ""},
    {"the contract is over", "when = market 8% under holding\n" HOLDING "until = 2026-05-01\n", "a:900", ""},
    {"no holding", "when = market 8% under holding\n", "a:900", ""},
    {"sold out is no market", "when = market 8% under holding\n" HOLDING, "a:so:900", ""},
    /* ---- the index: a day a crawl, the first on a Friday in Shanghai, so that the fourth and the eleventh are Mondays ---- */
    {"three platforms drop 5 % within a week", LOW "when = index drops 3% a week\n", "a:1000 b:900 c:800 | " SAME SAME SAME SAME
     "a:950 b:855 c:760 | " SAME SAME SAME SAME SAME SAME, "11:index-moved"},
    {"of the class, too", LOW "when = class index drops 3% a week\n", "a:1000 b:900 c:800 | " SAME SAME SAME SAME
     "a:950 b:855 c:760 | " SAME SAME SAME SAME SAME SAME, "11:index-moved"},
    {"two platforms are no market", LOW "when = index drops 3% a week\n", "a:1000 b:900 | " SAME2 SAME2 SAME2 SAME2
     "a:950 b:855 | " SAME2 SAME2 SAME2 SAME2 SAME2 SAME2, ""},
    {"they rise", LOW "when = index drops 3% a week\n", "a:1000 b:900 c:800 | " SAME SAME SAME SAME
     "a:1050 b:945 c:840 | " SAME SAME SAME SAME SAME SAME, ""},
    {"one of three drops 5 %", LOW "when = index drops 3% a week\n", "a:1000 b:900 c:800 | " SAME SAME SAME SAME
     "a:950 b:= c:= | " SAME SAME SAME SAME SAME SAME, ""},
    {"a cheaper platform joins: the index stays", LOW "when = index moves 1% a week\n", "a:1000 b:900 c:800 | " SAME SAME SAME SAME
     "a:= b:= c:= e:500 | " SAME SAME SAME SAME SAME SAME, ""},
    /* ---- the network ---- */
    {"three sites fail, none works: one event", "when = source failed\n", "a:1000 b:900 c:800 | a:! b:! c:!", "2:network-down"},
    {"one works: it is the sites", "when = source failed\n", "a:1000 b:900 c:800 | a:! b:! c:800",
     "2:source-failed 2:source-failed"},
    {"two sites are too few to tell", "when = source failed\n", "a:1000 b:900 | a:! b:!", "2:source-failed 2:source-failed"},
    {"and the sites recover", "when = source failed\n",
     "a:1000 b:900 c:800 | a:! b:! c:! | a:= b:= c:=", "2:network-down 3:source-recovered 3:source-recovered 3:source-recovered"},
};

static void check_scenario(void **state)
{
    const struct scenario *row = *state;
    struct fixture f;
    char conf[1024], crawls[2048];
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
    fixture_told(&f, true, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(scenarios, check_scenario);
}
