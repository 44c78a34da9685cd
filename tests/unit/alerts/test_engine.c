/* What fires and what does not: a rule, a week of pages, the events expected. */
#include "tests/unit/alerts/fixture.h"

struct scenario {
    const char *name;
    const char *rule;     /* lines of the [alert r] section */
    const char *pages;    /* one word a run, a day apart; see fixture.h */
    const char *expected; /* "run:what" or "run:old>new", runs counted from 1 */
};

#define PREVIOUS "when = month_net moves 5% against previous\n"
#define LAST "when = month_net moves 5% against last-alerted\n"
#define MEDIAN "when = month_net moves 10% against median 4d\n"

static const struct scenario scenarios[] = {
    /* ---- moves against the previous observation ---- */
    {"a first sight only seeds", PREVIOUS, "1000", ""},
    {"an unchanged price says nothing", PREVIOUS, "1000 1000 = 1000", ""},
    {"a cut of a tenth", PREVIOUS, "1000 900", "2:1000>900"},
    {"a rise of a tenth", PREVIOUS, "1000 1100", "2:1000>1100"},
    {"exactly five per cent is reached", PREVIOUS, "1000 950", "2:1000>950"},
    {"a hair less than five per cent is not", PREVIOUS, "1000 950.01", ""},
    {"exactly five per cent up", PREVIOUS, "1000 1050", "2:1000>1050"},
    {"a hair less up", PREVIOUS, "1000 1049.99", ""},
    {"a third of a cent decides at a price that has no exact twentieth", PREVIOUS, "333.33 316.66", "2:333.33>316.66"},
    {"and the other side of it", PREVIOUS, "333.33 316.67", ""},
    {"small steps are never a move against the previous one", PREVIOUS, "1000 970 940 912 885", ""},
    {"there and back: two moves", PREVIOUS, "1000 900 1000", "2:1000>900 3:900>1000"},
    {"drops only", "when = month_net drops 5% against previous\n", "1000 1100 900", "3:1100>900"},
    {"rises only", "when = month_net rises 5% against previous\n", "1000 900 1100", "3:900>1100"},
    {"a fraction of a per cent", "when = month_net moves 0.5% against previous\n", "1000 995 993", "2:1000>995"},
    {"the list price", "when = month_list drops 5% against previous\n", "1000 900", "2:1000>900"},
    {"an offer that has no hourly price moves none", "when = hour_net moves 5% against previous\n", "1000 900", ""},
    /* ---- the floor ---- */
    {"the floor is reached", PREVIOUS "min = 100 CNY\n", "1000 900", "2:1000>900"},
    {"the floor is not reached", PREVIOUS "min = 100.01 CNY\n", "1000 900", ""},
    {"a floor in another currency is not reached", PREVIOUS "min = 1 USD\n", "1000 900", ""},
    {"the floor of the offer's own currency counts", PREVIOUS "min = 1 USD, 50 CNY\n", "1000 900", "2:1000>900"},
    /* ---- what never fires a price rule ---- */
    {"a failed source", PREVIOUS, "1000 ! ! 1000", ""},
    {"a move across a failure is told once, when it is seen", PREVIOUS, "1000 ! 900 =", "3:1000>900"},
    {"another currency", PREVIOUS, "1000 900$", ""},
    {"and back", PREVIOUS, "1000 140$ 1000", ""},
    {"a price that became a bound", PREVIOUS, "1000 900~", ""},
    {"a bound that became a price", PREVIOUS, "900~ 1000", ""},
    {"a drifted page", PREVIOUS, "1000 d:900 1000", ""},
    {"a unit slip: doubted", PREVIOUS, "1000 8000 8000 1000", ""},
    {"a factor of 24: doubted", PREVIOUS, "1000 24000", ""},
    {"other cards in the unit", PREVIOUS, "1000 8c:900", ""},
    {"a label that may mean several cards", PREVIOUS, "am:1000 am:900", ""},
    {"sold out at the same price", PREVIOUS, "1000 so:1000 1000", ""},
    {"gone and back at the same price", PREVIOUS, "1000 - 1000", ""},
    {"gone and back cheaper: against the last one seen", PREVIOUS, "1000 - 900", "3:1000>900"},
    {"another card is asked for", PREVIOUS "match = 5090\n", "1000 900", ""},
    {"another site is asked for", PREVIOUS "match = site=b\n", "1000 900", ""},
    {"the card that is asked for", PREVIOUS "match = 4090 delivery=container site=a\n", "1000 900", "2:1000>900"},
    {"a rule that is not enabled", PREVIOUS "enabled = no\n", "1000 900", ""},
    /* ---- against what was last told ---- */
    {"small steps add up", LAST, "1000 970 940 912 885", "3:1000>940 5:940>885"},
    {"told once, then the new price is the reference", LAST, "1000 900 = 900 870 850", "2:1000>900 6:900>850"},
    {"there and back", LAST, "1000 900 1000", "2:1000>900 3:900>1000"},
    {"wobble around the reference", LAST, "1000 960 1000 960 1000", ""},
    {"another currency is doubted, and what follows it", LAST, "1000 830$ 880$", ""},
    {"a first sight as a bound, then a price", LAST, "900~ 1000 950", "3:1000>950"},
    /* ---- against the median ---- */
    {"too little history has no median", MEDIAN, "1000 800", ""},
    {"leaves the median", MEDIAN, "1000 = = 800", "4:1000>800"},
    {"stays away: not again", MEDIAN, "1000 = = 800 790 780", "4:1000>800"},
    {"comes back and leaves again", MEDIAN, "1000 = = 800 1000 800", "4:1000>800 6:1000>800"},
    {"the median follows the price", MEDIAN, "1000 = = 800 = = = 700", "4:1000>800 8:800>700"},
    {"a day is outweighed by three", MEDIAN, "1000 = = 950 1090", ""},
    {"days without the offer do not count", MEDIAN, "1000 - - - 800", ""},
    /* ---- for: several good runs in a row ---- */
    {"confirmed by the second page", PREVIOUS "for = 2\n", "1000 900 900", "3:1000>900"},
    {"confirmed by a 304", PREVIOUS "for = 2\n", "1000 900 =", "3:1000>900"},
    {"told once", PREVIOUS "for = 2\n", "1000 900 = = 900", "3:1000>900"},
    {"back before it was confirmed", PREVIOUS "for = 2\n", "1000 900 1000 1000", ""},
    {"a failed run confirms nothing and forgets nothing", PREVIOUS "for = 2\n", "1000 900 ! =", "4:1000>900"},
    {"a drifted run confirms nothing", PREVIOUS "for = 2\n", "1000 900 d:900 !", ""},
    {"moves on in the same direction: the last price is told", PREVIOUS "for = 2\n", "1000 900 850", "3:1000>850"},
    {"turns round: begins anew against the first price", PREVIOUS "for = 2\n", "1000 900 1100 1100", "4:1000>1100"},
    {"gone before it was confirmed", PREVIOUS "for = 2\n", "1000 900 - =", ""},
    {"three runs", PREVIOUS "for = 3\n", "1000 900 = =", "4:1000>900"},
    {"two of three", PREVIOUS "for = 3\n", "1000 900 = 1000", ""},
    {"last-alerted waits as well, and remembers what was told", LAST "for = 2\n", "1000 900 = 960 =", "3:1000>900 5:900>960"},
    {"last-alerted forgets what was not confirmed", LAST "for = 2\n", "1000 900 1000 = 960 =", ""},
    {"sold out twice", "when = sold out\nfor = 2\n", "1000 so:1000 =", "3:sold-out"},
    {"sold out for one run", "when = sold out\nfor = 2\n", "1000 so:1000 1000 1000", ""},
    /* ---- thresholds ---- */
    {"falls below", "when = month_net below 950 CNY\n", "1000 940", "2:1000>940"},
    {"reaches it exactly", "when = month_net below 950 CNY\n", "1000 950", "2:1000>950"},
    {"a cent above", "when = month_net below 950 CNY\n", "1000 950.01", ""},
    {"stays below: not again", "when = month_net below 950 CNY\n", "1000 940 930 920", "2:1000>940"},
    {"comes up and falls again", "when = month_net below 950 CNY\n", "1000 940 1000 930", "2:1000>940 4:1000>930"},
    {"below at first sight seeds", "when = month_net below 950 CNY\nmatch = label~main\n", "900 890", ""},
    {"below at first sight fires when asked to", "when = month_net below 950 CNY\ninitial = fire\nmatch = label~main\n",
     "900 890", "1:>900"},
    {"rises above", "when = month_net above 1000 CNY\n", "990 1000", "2:990>1000"},
    {"another currency is never below", "when = month_net below 950 CNY\n", "1000 130$", ""},
    /* ---- kinds of change ---- */
    {"sold out", "when = sold out\n", "1000 so:1000 so:1000 1000 so:1000", "2:sold-out 5:sold-out"},
    {"back in stock", "when = back in stock\n", "1000 so:1000 1000", "3:back-in-stock"},
    {"delisted", "when = delisted\n", "1000 - - 1000 -", "2:delisted 5:delisted"},
    {"a failed source delists nothing", "when = delisted\n", "1000 ! !", ""},
    {"listed again", "when = relisted\n", "1000 - 1000", "3:relisted"},
    {"promotion begins", "when = promotion begins\n", "1000 pr:1000 1000", "2:promotion-began"},
    {"promotion ends", "when = promotion ends\n", "1000 pr:1000 1000", "3:promotion-ended"},
    {"unit changed", "when = unit changed\n", "1000 8c:1000", "2:unit"},
    {"terms changed", "when = terms changed\n", "1000 pr:1000", "2:terms"},
    {"a move is no change of terms", "when = terms changed\n", "1000 900", ""},
    {"doubted", "when = doubted\n", "1000 24000 24000", "2:doubted"},
    {"every offer of a site: an event each", "when = sold out\n", "1000 all:so:1000", "2:sold-out 2:sold-out 2:sold-out 2:sold-out 2:sold-out"},
    {"or one for all", "when = sold out\neach = site\n", "1000 all:so:1000 = all:1000", "2:sold-out"},
    {"of those that are asked for", "when = sold out\neach = site\nmatch = 5090\n", "1000 all:so:1000", ""},
    {"one offer of a site", "when = sold out\neach = site\n", "1000 so:1000", "2:sold-out"},
    {"one for all, not before three days", "when = sold out\neach = site\nrearm = 3d\n", "1000 all:so:1000 1000 all:so:1000 1000 all:so:1000",
     "2:sold-out 6:sold-out"},
    /* ---- the lowest of a window ---- */
    {"higher than in four days", "when = new high 4d\n", "1000 = = 1050", "4:1000>1050"},
    {"as high as in four days: told", "when = new high 4d\n", "1050 1000 = 1050", "4:1050>1050"},
    {"a cent under the high of four days", "when = new high 4d\n", "1050 1000 = 1049.99", ""},
    {"a new low is no high", "when = new high 4d\n", "1000 = = 950", ""},
    {"a high confirmed, which went on a little down", "when = new high 4d\nfor = 2\n", "1000 = = 1050 1040", "5:1000>1040"},
    {"lower than in four days", "when = new low 4d\n", "1000 = = 950", "4:1000>950"},
    {"as low as in four days: told", "when = new low 4d\n", "950 1000 = 950", "4:950>950"},
    {"a cent above the low of four days", "when = new low 4d\n", "950 1000 = 950.01", ""},
    {"the low is older than the window", "when = new low 4d\n", "900 1000 = = = = 950", "7:1000>950"},
    {"too little history has no low", "when = new low 4d\n", "1000 950", ""},
    {"a low that stays is told once", "when = new low 4d\n", "1000 = = 950 = = 950", "4:1000>950"},
    {"a floor: not far enough under the old low", "when = month_net new low 4d\nmin = 3%\n", "1000 = = 975", ""},
    {"a doubted price is no low", "when = new low 4d\n", "1000 = = d:900 1000", ""},
    {"a bound is no low", "when = new low 4d\n", "1000 = = 900~", ""},
    {"confirmed", "when = new low 4d\nfor = 2\n", "1000 = = 950 =", "5:1000>950"},
    {"not confirmed", "when = new low 4d\nfor = 2\n", "1000 = = 950 1000 =", ""},
    /* ---- floors in percent, hysteresis, silence after a message ---- */
    {"three per cent at least", "when = month_net moves 1% against previous\nmin = 3%\n", "1000 980 940", "3:980>940"},
    {"wobble around a threshold", "when = month_net below 950 CNY\nresolve = 1000 CNY\n", "1100 940 960 940 960 945", "2:1100>940"},
    {"resolved, then again", "when = month_net below 950 CNY\nresolve = 1000 CNY\n", "1100 940 1000 940", "2:1100>940 4:1000>940"},
    {"resolved a cent too little", "when = month_net below 950 CNY\nresolve = 1000 CNY\n", "1100 940 999.99 940", "2:1100>940"},
    {"a band at first sight seeds", "when = month_net below 950 CNY\nresolve = 1000 CNY\nmatch = label~main\n", "940 930 1000 940", "4:1000>940"},
    {"a band that was not confirmed may begin again", "when = month_net below 950 CNY\nresolve = 1000 CNY\nfor = 2\n", "1100 940 960 940 =",
     "5:960>940"},
    {"away from the median with a band", MEDIAN "resolve = 3%\n", "1000 = = 890 910 890", "4:1000>890"},
    {"once and never again", "when = month_net below 950 CNY\nrearm = once\n", "1000 940 1000 930", "2:1000>940"},
    {"not before three days", PREVIOUS "rearm = 3d\n", "1000 900 800 700 600", "2:1000>900 5:700>600"},
    {"what rearm kept back is told later", LAST "rearm = 3d\n", "1000 900 800 = 700", "2:1000>900 5:900>700"},
    {"only further down", "when = month_net below 950 CNY\nrearm = extreme 5%\n", "1000 940 1000 930 1000 890", "2:1000>940 6:1000>890"},
    {"rearm of a kind of change", "when = sold out\nrearm = 3d\n", "1000 so:1000 1000 so:1000 1000 so:1000", "2:sold-out 6:sold-out"},
    {"rearm counts from what was confirmed", PREVIOUS "for = 2\nrearm = once\n", "1000 900 = 800 =", "3:1000>900"},
    /* ---- the audit ---- */
    {"a second list price appears beside the first", "when = finding\n", "1000 2l:1000 =", "2:finding"},
    {"that very finding is asked for", "when = finding list-prices-differ\n", "1000 2l:1000 1000 2l:1000", "2:finding 4:finding"},
    {"another one is", "when = finding sale-above-list\n", "1000 2l:1000", ""},
    {"it stands while the price moves", "when = finding\n", "1000 2l:1000 2l:950", "2:finding"},
    {"it is there at first sight", "when = finding\n", "2l:1000 =", ""},
    {"a doubted page finds nothing", "when = finding\n", "1000 d:2l:1000", ""},
    /* ---- drift ---- */
    {"a part drifted: once", "when = drift\n", "1000 d:1000 d:1000", "2:drift"},
    {"and is mended", "when = drift\n", "1000 d:1000 1000", "2:drift 3:source-recovered"},
    {"a failure is no drift", "when = drift\n", "1000 ! !", ""},
    {"drift is told by its own rule only", "when = source failed\n[alert d]\nwhen = drift\n", "1000 d:1000 1000", "2:drift 3:source-recovered"},
    {"a failure by the other", "when = source failed\n[alert d]\nwhen = drift\n", "1000 ! 1000", "2:source-failed 3:source-recovered"},
    {"drift twice in a row", "when = drift\nfor = 2\n", "1000 d:1000 1000 d:1000 d:1001", "5:drift"},
    /* ---- sources ---- */
    {"a source fails: once", "when = source failed\n", "1000 ! ! !", "2:source-failed"},
    {"and recovers: once", "when = source failed\n", "1000 ! ! 1000 =", "2:source-failed 4:source-recovered"},
    {"twice in a row", "when = source failed\nfor = 2\n", "1000 ! 1000 ! ! ! =", "5:source-failed 7:source-recovered"},
    {"recovers without having been told", "when = source failed\nfor = 3\n", "1000 ! ! =", ""},
    {"recovery alone", "when = source recovered\n", "1000 ! ! =", "4:source-recovered"},
    {"a drifted page is a failure of the source", "when = source failed\n", "1000 d:1000", "2:source-failed"},
    {"it fails at first sight", "when = source failed\n", "! 1000", "1:source-failed 2:source-recovered"},
    {"a query about cards passes no source", "when = source failed\nmatch = 4090\n", "1000 !", ""},
    {"a query about sites does", "when = source failed\nmatch = site=a\n", "1000 !", "2:source-failed"},
};

static void check_scenario(void **state)
{
    const struct scenario *row = *state;
    struct fixture f;
    char conf[1024], pages[512];
    snprintf(conf, sizeof conf, "[alert r]\n%s", row->rule);
    snprintf(pages, sizeof pages, "%s", row->pages);
    fixture_open(&f, conf);
    char *rest = NULL;
    for (char *word = strtok_r(pages, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        enum gt_err err = fixture_run(&f, "a", word);
        if (err != GT_OK) print_error("%s\n", f.info.text);
        assert_int_equal(err, GT_OK);
        f.clock.fixed_unix_s += f.step_s;
    }
    fixture_told(&f, false, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(scenarios, check_scenario);
}
