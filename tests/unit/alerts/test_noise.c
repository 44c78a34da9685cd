/* Sixty days of four platforms with everything that goes wrong in real histories: what really moved is told, nothing else is. */
#include "tests/unit/alerts/fixture.h"

enum {
    SITES = 4,
    OFFERS = 12,
    DAYS = 60,
    EVENTS_MAX = 4096,
    SEEDS = 6,
    SETTLE_DAYS = 10, /* within which a move is told, failures included */
};

/* How an offer's true price goes. */
enum course { COURSE_STILL, COURSE_STEPS, COURSE_CREEPS, COURSE_FLAPS, COURSES };

/* What goes wrong at a site for a few days. */
enum fault {
    FAULT_NONE,
    FAULT_FAILED,      /* no answer */
    FAULT_DRIFTED,     /* guessed rows with other figures */
    FAULT_TRUNCATED,   /* the first rows only */
    FAULT_SLIP,        /* every price by a factor that a unit or a rate makes */
    FAULT_PARTIAL,     /* one row is missing */
    FAULT_COMPOSITION, /* cheaper rows come for a while */
    FAULT_ODD,         /* one price that no card can cost */
    FAULT_NEIGHBOUR,   /* a row shows its neighbour's price, for one day */
    FAULT_BLANK,       /* a page without rows */
    FAULTS
};

/* The truth: hundredths of a yuan. */
struct world {
    uint64_t random;
    int64_t price[SITES][OFFERS][DAYS];
    enum course course[SITES][OFFERS];
    enum fault fault[SITES][DAYS];
    int factor[SITES][DAYS]; /* of a slip: index into slips */
};

/* A slip multiplies or divides. */
static const struct {
    int64_t num, den;
} slips[] = {{1, 8}, {8, 1}, {24, 1}, {1, 24}, {72, 10}, {10, 72}, {100, 1}, {1, 100}, {1, 4}, {720, 1}};

enum { SLIPS = sizeof slips / sizeof slips[0] };

static uint64_t draw(struct world *world, uint64_t below)
{
    world->random = world->random * 6364136223846793005U + 1442695040888963407U;
    return (world->random >> 33) % below;
}

static void course_make(struct world *world, int site, int offer)
{
    enum course course = (enum course)draw(world, COURSES);
    int64_t price = 110000 + (int64_t)draw(world, 70000), base = price;
    int next = 8 + (int)draw(world, 10);
    world->course[site][offer] = course;
    for (int day = 0; day < DAYS; day++) {
        bool is_step = course == COURSE_STEPS && day == next && day < DAYS - SETTLE_DAYS;
        int64_t percent = 8 + (int64_t)draw(world, 8);
        if (is_step) price = draw(world, 2) != 0 ? price * 100 / (100 + percent) : price * (100 + percent) / 100;
        if (is_step) next = day + SETTLE_DAYS + 2 + (int)draw(world, 8);
        if (course == COURSE_CREEPS && day > 5 && day < DAYS - SETTLE_DAYS) price = price * 995 / 1000;
        if (course == COURSE_FLAPS) price = base + (day % 2 != 0 ? base / 100 : -base / 100) + (int64_t)draw(world, 3) * 100;
        world->price[site][offer][day] = price;
    }
}

/* Each fault lasts one to three days, and leaves good days between, as a page that never works can show nothing. */
static void faults_make(struct world *world, int site)
{
    for (int day = 7; day < DAYS - 4;) {
        enum fault fault = (enum fault)draw(world, FAULTS);
        int days = fault == FAULT_NEIGHBOUR ? 1 : 1 + (int)draw(world, 3), slip = (int)draw(world, SLIPS);
        for (int i = 0; i < days; i++) {
            world->fault[site][day + i] = fault;
            world->factor[site][day + i] = slip;
        }
        day += days + 3 + (int)draw(world, 3);
    }
}

static struct world *world_make(uint64_t seed)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->random = seed * 7919 + 17;
    for (int site = 0; site < SITES; site++) {
        for (int offer = 0; offer < OFFERS; offer++) course_make(world, site, offer);
        faults_make(world, site);
    }
    return world;
}

/* One day of one site, faults and all. */
static void day_run(struct fixture *f, struct world *world, int site, int day)
{
    struct offer offers[OFFERS + 3];
    size_t count = 0;
    enum fault fault = world->fault[site][day];
    char name[2] = {(char)('a' + site), '\0'};
    int victim = (site + day) % OFFERS;
    for (int i = 0; i < OFFERS; i++) {
        int64_t cents = world->price[site][i][day];
        if (fault == FAULT_TRUNCATED && i >= OFFERS / 4) break;
        if (fault == FAULT_PARTIAL && i == victim) continue;
        if (fault == FAULT_SLIP) cents = cents * slips[world->factor[site][day]].num / slips[world->factor[site][day]].den;
        if (fault == FAULT_DRIFTED) cents = cents * 8 / 10;
        if (fault == FAULT_ODD && i == victim) cents = 6;
        /* not right after a step: what goes on in the step's direction confirms it, at the neighbour's price; nobody can tell that apart */
        bool is_settled = day > 1 && cents == world->price[site][i][day - 1] && cents == world->price[site][i][day - 2];
        if (fault == FAULT_NEIGHBOUR && i == victim && is_settled) cents = world->price[site][(i + 1) % OFFERS][day];
        offers[count++] = fixture_offer(f, arena_printf(f->arena, "4090 %s%d", name, i).ptr, cents * (int64_t)(NANO / 100), BOUND_EXACT, "CNY");
    }
    for (int i = 0; fault == FAULT_COMPOSITION && i < 3; i++)
        offers[count++] = fixture_offer(f, arena_printf(f->arena, "4090 guest %d", i).ptr, (700 + i) * (int64_t)NANO, BOUND_EXACT, "CNY");
    if (fault == FAULT_BLANK || fault == FAULT_FAILED) count = 0;
    struct run_part part = {.name = GT_STR("page"),
                            .status = fault == FAULT_FAILED ? STATUS_FAILED : fault == FAULT_DRIFTED ? STATUS_DRIFTED : STATUS_OK,
                            .url = GT_STR("https://example.com/prices"),
                            .is_full_fetch = fault != FAULT_FAILED,
                            .offers = offers,
                            .offer_count = count,
                            .rows_found = (int32_t)count};
    if (fault == FAULT_BLANK) part.status = STATUS_DRIFTED; /* as the crawler tells a page without rows */
    assert_int_equal(digest_sha256(arena_printf(f->arena, "%s %d", name, day), part.body_sha256), GT_OK);
    assert_int_equal(fixture_commit(f, name, &part, NANO / 100), GT_OK);
}

struct told {
    int site, offer, day;
    int64_t old, new;
};

struct tolds {
    struct told items[EVENTS_MAX];
    size_t count, others;
};

static int64_t cents_of(const json_t *event, const char *key)
{
    int64_t nano = 0;
    const char *text = json_string_value(json_object_get(event, key));
    assert_true(text != NULL && money_parse(gt_str_from(text), &nano) == GT_OK);
    return nano / (NANO / 100);
}

static enum gt_err hear(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct tolds *tolds = ctx;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    const char *label = json_string_value(json_object_get(event, "label"));
    struct told told = {.day = (int)((t_unix_s - FIXTURE_START) / FIXTURE_DAY_S)};
    char site = '\0';
    if (label == NULL || sscanf(label, "4090 %c%d", &site, &told.offer) != 2) {
        tolds->others++; /* of the index, or of what was never there before */
    } else {
        told.site = site - 'a';
        told.old = cents_of(event, "old");
        told.new = cents_of(event, "new");
        assert_in_range(tolds->count, 0, EVENTS_MAX - 1);
        tolds->items[tolds->count++] = told;
    }
    json_decref(event);
    return GT_OK;
}

/* Within two per cent of each other. */
static bool is_near(int64_t a, int64_t b)
{
    int64_t apart = a > b ? a - b : b - a;
    return apart * 100 <= b * 2;
}

/* No event but of a true move: the price told stood about then, and the offer is one whose price moves. */
static void check_precision(const struct world *world, const struct tolds *tolds)
{
    for (size_t i = 0; i < tolds->count; i++) {
        const struct told *told = &tolds->items[i];
        enum course course = world->course[told->site][told->offer];
        bool was = false;
        for (int day = told->day; day >= 0 && day > told->day - SETTLE_DAYS; day--)
            was = was || is_near(told->new, world->price[told->site][told->offer][day]);
        if (!was || course == COURSE_FLAPS || course == COURSE_STILL)
            fail_msg("site %d offer %d day %d course %d: %lld > %lld is no true move", told->site, told->offer, told->day, (int)course,
                     (long long)told->old, (long long)told->new);
    }
}

/* What was last told of an offer up to a day; its first price when nothing was. */
static int64_t last_told(const struct world *world, const struct tolds *tolds, int site, int offer, int until_day)
{
    int64_t last = world->price[site][offer][0];
    for (size_t i = 0; i < tolds->count; i++) {
        const struct told *told = &tolds->items[i];
        if (told->site == site && told->offer == offer && told->day <= until_day) last = told->new;
    }
    return last;
}

/* Every step is told within the days that failures may take; returns how many there were. */
static size_t check_steps(const struct world *world, const struct tolds *tolds)
{
    size_t steps = 0;
    for (int site = 0; site < SITES; site++)
        for (int offer = 0; offer < OFFERS; offer++)
            for (int day = 1; day < DAYS - SETTLE_DAYS; day++) {
                const int64_t *price = world->price[site][offer];
                if (world->course[site][offer] != COURSE_STEPS || price[day] == price[day - 1]) continue;
                steps++;
                if (!is_near(last_told(world, tolds, site, offer, day + SETTLE_DAYS), price[day]))
                    fail_msg("site %d offer %d: the step of day %d to %lld was not told", site, offer, day, (long long)price[day]);
            }
    return steps;
}

/* In the end nobody believes a price that is 5 % (and what confirmation takes) away from the true one. */
static size_t check_creeps(const struct world *world, const struct tolds *tolds)
{
    size_t creeps = 0;
    for (int site = 0; site < SITES; site++)
        for (int offer = 0; offer < OFFERS; offer++) {
            int64_t truth = world->price[site][offer][DAYS - 1], told = last_told(world, tolds, site, offer, DAYS);
            int64_t apart = truth > told ? truth - told : told - truth;
            creeps += world->course[site][offer] == COURSE_CREEPS;
            if (apart * 100 >= told * 6) fail_msg("site %d offer %d: told %lld, true %lld", site, offer, (long long)told, (long long)truth);
        }
    return creeps;
}

struct history {
    const char *name;
    uint64_t seed;
    size_t *steps, *creeps; /* what was found, added up */
};

static void check_history(void **state)
{
    const struct history *row = *state;
    struct world *world = world_make(row->seed);
    struct tolds *tolds = calloc(1, sizeof *tolds);
    struct fixture f;
    assert_non_null(tolds);
    fixture_open(&f, "[alert moves]\nwhen = month_net moves 5% against last-alerted\nmin = 50 CNY, 7 USD\nfor = 2\n"
                     "[alert index]\nwhen = index rises 12% a week\n");
    for (int day = 0; day < DAYS; day++) {
        for (int site = 0; site < SITES; site++) day_run(&f, world, site, day);
        assert_int_equal(fixture_crawl_end(&f), GT_OK);
        f.clock.fixed_unix_s += FIXTURE_DAY_S;
    }
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, hear, tolds, &f.info), GT_OK);
    check_precision(world, tolds);
    size_t steps = check_steps(world, tolds), creeps = check_creeps(world, tolds);
    printf("#   seed %llu: %zu steps and %zu creeping prices found, %zu events\n", (unsigned long long)row->seed, steps, creeps, tolds->count);
    assert_true(steps > 0 && creeps > 0);
    *row->steps += steps;
    *row->creeps += creeps;
    assert_int_equal(tolds->others, 0); /* neither guests nor the index, which composition does not move */
    fixture_close(&f);
    free(tolds);
    free(world);
}

/* test_noise [HISTORIES [SEED]] */
int main(int argc, char **argv)
{
    enum { HISTORIES_MAX = 1000 };
    static const char name[] = "everything that goes wrong";
    size_t steps = 0, creeps = 0, count = argc > 1 ? strtoul(argv[1], NULL, 10) : SEEDS;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (count > HISTORIES_MAX) count = HISTORIES_MAX;
    struct history *histories = calloc(count + 1, sizeof *histories);
    if (histories == NULL) return 1;
    for (size_t i = 0; i < count; i++) histories[i] = (struct history){name, seed + i, &steps, &creeps};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    int failures = table_run("histories", histories, count, sizeof *histories, check_history);
    if (failures == 0) printf("# %zu histories: %zu steps and %zu creeping prices, all of them found, nothing else told\n", count, steps, creeps);
    free(histories);
    return failures;
}
