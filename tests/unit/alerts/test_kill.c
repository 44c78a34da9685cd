/* A crawl killed with SIGKILL at a random moment between an observation and the acknowledgement of its event, and started again: every event
 * reaches every channel, none twice where a receiver drops ids that it has seen, elsewhere at most once more a kill.
 *
 *     test_kill [KILLS [SEED]] */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/unit/alerts/fixture.h"

enum {
    KILLS = 200,
    STEP_S = 3600,
    DELAY_US_MAX = 40000, /* some loops of the crawl */
    RUNS_A_LIFE = 40,
    ROUNDS_MAX = 10000,
    US_PER_S = 1000000,
};

/* The conf of every life: two programs, each writing what it got and a line end. */
static void folder_make(struct fixture *f)
{
    char path[128];
    *f = (struct fixture){.folder = "/tmp/gputape-kill-XXXXXX"};
    assert_non_null(mkdtemp(f->folder));
    snprintf(path, sizeof path, "%s/take", f->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    /* One write of the whole, so that digests of two programs do not mix, and nothing of a digest that did not come whole. */
    fprintf(file, "#!/bin/sh\nall=$(cat)\nprintf '%%s\\n' \"$all\" >>\"$1\"\n");
    assert_int_equal(fchmod(fileno(file), 0755), 0);
    assert_int_equal(fclose(file), 0);
}

/* Opens what stands in the folder, as a new process does. */
static void life_begin(struct fixture *f, const char *folder)
{
    struct store_stat stat;
    char text[1024], store[96];
    *f = (struct fixture){.conf = conf_new(), .arena = arena_new((size_t)1 << 28)};
    snprintf(f->folder, sizeof f->folder, "%s", folder);
    snprintf(store, sizeof store, "%s/store", folder);
    mkdir(store, 0700);
    snprintf(text, sizeof text,
             "[channel a]\ntype = exec\ncommand = %s/take\n %s/a\n[channel b]\ntype = exec\ncommand = %s/take\n %s/b\n"
             "[alert r]\nmatch = label~main\nwhen = month_net moves 5%% against previous\nto = a b\n"
             "[alert l]\nmatch = label~main\nwhen = class low moves 5%% against last-alerted\nto = b\n",
             folder, folder, folder, folder);
    enum gt_err err = conf_read_text(f->conf, "test.conf", gt_str_from(text), &f->info);
    if (err == GT_OK) err = store_open(store, STORE_WRITE, &f->store, &f->info);
    if (err == GT_OK) err = store_stat(f->store, &stat, &f->info);
    f->clock = (struct gt_clock){.is_fixed = true, .fixed_unix_s = FIXTURE_START};
    if (err == GT_OK) err = alerts_new(f->conf, f->store, &f->clock, &f->alerts, &f->info);
    if (err == GT_OK) f->clock.fixed_unix_s += (int64_t)stat.runs * STEP_S;
    if (err != GT_OK) fprintf(stderr, "%s\n", f->info.text);
    if (err != GT_OK) _exit(1);
}

static void life_end(struct fixture *f)
{
    alerts_free(f->alerts);
    store_close(f->store);
    conf_free(f->conf);
    arena_free(f->arena);
}

/* One crawl: a run whose price has moved, the close, the delivery. Where a crawl stopped shows in the store alone. */
static void crawl(struct fixture *f)
{
    const struct log log = {.out = NULL};
    bool is_even = (f->clock.fixed_unix_s - FIXTURE_START) / STEP_S % 2 == 0;
    enum gt_err err = fixture_run(f, "a", is_even ? "1000" : "900");
    if (err == GT_OK) err = fixture_crawl_end(f);
    if (err == GT_OK) err = alerts_deliver(f->alerts, &log, &f->info);
    if (err != GT_OK) fprintf(stderr, "%s\n", f->info.text);
    if (err != GT_OK) _exit(1);
    f->clock.fixed_unix_s += STEP_S;
}

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random = *random * 6364136223846793005U + 1442695040888963407U;
    return (*random >> 33) % below;
}

/* Lets a crawler live for a random time. True when it was killed, not ended. */
static bool live_and_die(const char *folder, int64_t delay_us)
{
    fflush(stdout);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct fixture f;
        life_begin(&f, folder);
        for (int i = 0; i < RUNS_A_LIFE; i++) crawl(&f);
        _exit(0);
    }
    struct timespec pause = {.tv_sec = delay_us / US_PER_S, .tv_nsec = delay_us % US_PER_S * 1000};
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) assert_int_equal(errno, EINTR);
    if (WIFEXITED(status)) assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

/* What a channel's program has got: digests, in the order in which they came. Those that did not come whole count for nothing. */
static json_t *digests_got(const char *folder, const char *name)
{
    char path[128], *line = NULL;
    size_t cap = 0;
    json_t *digests = json_array();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &cap, file) > 0) {
        json_t *digest = json_loads(line, 0, NULL);
        if (digest != NULL) json_array_append_new(digests, digest);
    }
    free(line);
    if (file != NULL) fclose(file);
    return digests;
}

struct recorded {
    json_t *ids[2]; /* of rule r, of rule l */
};

static enum gt_err hear(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct recorded *recorded = ctx;
    (void)t_unix_s;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    const char *rule = json_string_value(json_object_get(event, "rule"));
    assert_non_null(rule);
    json_array_append(recorded->ids[rule[0] == 'l'], json_object_get(event, "id"));
    json_decref(event);
    return GT_OK;
}

/* Ids of one digest into `seen`; true when one was there already. */
static bool digest_see(json_t *seen, const json_t *digest)
{
    const json_t *event;
    bool is_again = false;
    size_t i;
    json_array_foreach(json_object_get(digest, "events"), i, event)
    {
        const char *id = json_string_value(json_object_get(event, "id"));
        is_again = is_again || json_object_get(seen, id) != NULL;
        json_object_set_new(seen, id, json_true());
    }
    return is_again;
}

/* Every wanted event is in some digest; how many digests told of one again. */
static size_t check_got(const json_t *wanted, const json_t *digests, json_t *seen)
{
    const json_t *item;
    size_t i, again = 0;
    json_array_foreach(digests, i, item)
    {
        again += digest_see(seen, item);
    }
    json_array_foreach(wanted, i, item)
    {
        if (json_object_get(seen, json_string_value(item)) == NULL) fail_msg("the event %s was not delivered", json_string_value(item));
    }
    return again;
}

/* A kill can undo one acknowledgement of one channel, no more. */
static size_t check_channel(const char *folder, const char *name, const struct recorded *recorded, bool has_both, int killed)
{
    json_t *digests = digests_got(folder, name), *seen = json_object();
    size_t again = check_got(recorded->ids[0], digests, seen);
    if (has_both) check_got(recorded->ids[1], NULL, seen);
    size_t known = json_array_size(recorded->ids[0]) + (has_both ? json_array_size(recorded->ids[1]) : 0);
    assert_int_equal(json_object_size(seen), known); /* nothing that was never recorded */
    assert_in_range(again, 0, (size_t)killed);
    json_decref(digests);
    json_decref(seen);
    return again;
}

struct kill_row {
    const char *name;
    int kills;
    uint64_t seed;
};

static void check_kills(void **state)
{
    const struct kill_row *row = *state;
    uint64_t random = row->seed * 7919 + 1;
    struct fixture base, f;
    struct store_stat stat;
    struct recorded recorded = {{json_array(), json_array()}};
    folder_make(&base);
    int killed = 0;
    for (int round = 0; killed < row->kills && round < ROUNDS_MAX; round++)
        killed += live_and_die(base.folder, (int64_t)draw(&random, DELAY_US_MAX) + (int64_t)draw(&random, DELAY_US_MAX));
    assert_int_equal(killed, row->kills);
    life_begin(&f, base.folder);
    crawl(&f);
    f.clock.fixed_unix_s += FIXTURE_DAY_S; /* past what a failed delivery waits for */
    crawl(&f);
    assert_int_equal(store_stat(f.store, &stat, &f.info), GT_OK);
    assert_int_equal(alerts_list(f.alerts, 0, INT64_MAX, hear, &recorded, &f.info), GT_OK);
    /* each run but the first moved the price */
    assert_int_equal(json_array_size(recorded.ids[0]), stat.runs - 1);
    size_t again_a = check_channel(base.folder, "a", &recorded, false, killed), again_b = check_channel(base.folder, "b", &recorded, true, killed);
    printf("# %d kills: %zu runs, %zu events, digests sent again: %zu and %zu\n", killed, (size_t)stat.runs,
           json_array_size(recorded.ids[0]) + json_array_size(recorded.ids[1]), again_a, again_b);
    json_decref(recorded.ids[0]);
    json_decref(recorded.ids[1]);
    life_end(&f);
    nftw(base.folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
    const struct kill_row rows[] = {
        {"killed between observation and acknowledgement", argc > 1 ? atoi(argv[1]) : KILLS, argc > 2 ? strtoull(argv[2], NULL, 10) : 1},
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_kills);
}
