/* bench alerts: what one crawl's alerts cost, with 100,000 series and 50 rules: the hooks of all runs and of the close, without the store's own
 * work, which is measured beside them by the same crawl with no rules. */
#include <ftw.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "alerts/alerts.h"
#include "common/digest.h"
#include "common/strbuf.h"

enum { SITES = 200, OFFERS = 500, RULES = 50, CRAWLS = 7, MOVED_PERCENT = 3, START = 1780000000, STEP_S = 6 * 3600, CONF_MAX = 64 * 1024 };

struct bench {
    struct store *store;
    struct alerts *alerts;
    double hook_s; /* within the hooks */
    struct gt_clock clock;
    struct gt_errinfo info;
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check(struct bench *bench, enum gt_err err)
{
    if (err == GT_OK) return;
    fprintf(stderr, "bench_alerts: %s: %s\n", gt_err_text(err), bench->info.text);
    exit(1);
}

static enum gt_err hook(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary, struct gt_errinfo *info)
{
    struct bench *bench = ctx;
    double begin = cpu_seconds();
    enum gt_err err = alerts_on_run(bench->alerts, txn, run, summary, info);
    bench->hook_s += cpu_seconds() - begin;
    return err;
}

/* Every fifth rule asks for what a class costs, the others for offers, sources and kinds of change. */
static void rules_write(struct strbuf *conf)
{
    static const char *const whens[] = {
        "month_net moves 5% against last-alerted", "month_net drops 5% against previous", "month_net moves 10% against median 7d",
        "new low 90d", "class low moves 5% against last-alerted", "month_net below 900 CNY", "sold out", "promotion begins",
        "source stale 36h", "sold out on 2 platforms",
    };
    static const char *const cards[] = {"", "match = 4090\n", "match = H100\n", "match = A100\n", "match = 5090\n"};
    for (int i = 0; i < RULES; i++)
        strbuf_addf(conf, "[alert r%d]\nwhen = %s\n%s", i, whens[(size_t)i % (sizeof whens / sizeof whens[0])],
                    i % 10 == 8 ? "" : cards[(size_t)i / 10 % (sizeof cards / sizeof cards[0])]);
}

static struct offer offer_of(struct arena *arena, int site, int number, int crawl)
{
    static const struct {
        const char *sku;
        int32_t vram;
    } cards[] = {{"NVIDIA-RTX-4090", 24}, {"NVIDIA-RTX-5090", 32}, {"NVIDIA-A100-80G", 80}, {"NVIDIA-L40S", 48}, {"NVIDIA-A10", 24}};
    struct offer offer = {.stock = -1, .confidence_permille = 1000};
    struct quote *quote = arena_alloc(arena, sizeof *quote);
    int64_t moved = crawl > 0 && (number * 7 + site + crawl * 13) % 100 < MOVED_PERCENT ? crawl : 0;
    int64_t nano = (1000 + number % 97 + moved * 60) * (int64_t)NANO;
    if (quote == NULL) exit(1);
    size_t card = (size_t)number % (sizeof cards / sizeof cards[0]);
    offer.record.currency = currency_from(GT_STR("CNY"));
    *quote = (struct quote){.amount_nano = nano, .currency = offer.record.currency, .period = PERIOD_MONTH, .period_count = 1, .basis = BASIS_CARD,
                            .role = ROLE_LIST, .bound = BOUND_EXACT, .raw = GT_STR("raw"), .where = GT_STR("td[2]")};
    offer.identity.part = GT_STR("page");
    offer.identity.label = arena_printf(arena, "card %d", number);
    snprintf(offer.attributes.sku, sizeof offer.attributes.sku, "%s", cards[card].sku);
    offer.attributes.sku_status = SKU_EXACT;
    offer.attributes.vram_gb = cards[card].vram;
    offer.attributes.cards = 1;
    offer.attributes.delivery = number % 2 != 0 ? DELIVERY_CONTAINER : DELIVERY_VM;
    offer.attributes.tier = TIER_ON_DEMAND;
    offer.record.quotes = quote;
    offer.record.quote_count = 1;
    offer.record.availability = AVAIL_IN_STOCK;
    offer.record.month_list_nano = nano;
    return offer;
}

static void site_run(struct bench *bench, int site, int crawl)
{
    static struct offer offers[OFFERS];
    struct arena *arena = arena_new((size_t)256 << 20);
    struct run_summary summary;
    for (int i = 0; i < OFFERS; i++) offers[i] = offer_of(arena, site, i, crawl);
    struct gt_str name = arena_printf(arena, "site%d", site), body = arena_printf(arena, "%d %d", site, crawl);
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_OK, .url = GT_STR("https://example.com/"), .is_full_fetch = true,
                            .offers = offers, .offer_count = OFFERS, .rows_found = OFFERS};
    struct run_input run = {.site = name, .title = name, .net_rules = {.hours_per_month = 720, .round_month_nano = NANO}, .provenance = PROVENANCE_LIVE,
                            .writer = GT_STR("local"), .start_unix_s = bench->clock.fixed_unix_s, .rule_version = GT_STR("v1"), .parts = &part,
                            .part_count = 1};
    check(bench, digest_sha256(body, part.body_sha256));
    check(bench, store_run_commit(bench->store, &run, hook, bench, arena, &summary, &bench->info));
    arena_free(arena);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

/* One crawl from an opened store to its close. */
static void crawl_run(struct bench *bench, struct conf *conf, const char *folder, int crawl)
{
    struct crawl_input closing = {.start_unix_s = bench->clock.fixed_unix_s, .end_unix_s = bench->clock.fixed_unix_s};
    check(bench, store_open(folder, STORE_WRITE, &bench->store, &bench->info));
    check(bench, alerts_new(conf, bench->store, &bench->clock, &bench->alerts, &bench->info));
    double begin = cpu_seconds();
    for (int site = 0; site < SITES; site++) site_run(bench, site, crawl);
    double runs_s = bench->hook_s;
    check(bench, store_crawl_commit(bench->store, &closing, hook, bench, &bench->info));
    struct mallinfo2 heap = mallinfo2();
    printf("crawl %d: %d series, %d rules: alerts %.0f ms (runs %.0f, close %.0f) of %.0f ms CPU; heap held %zu KiB\n", crawl, SITES * OFFERS, RULES,
           bench->hook_s * 1000, runs_s * 1000, (bench->hook_s - runs_s) * 1000, (cpu_seconds() - begin) * 1000,
           (heap.uordblks + heap.hblkhd) / 1024);
    alerts_free(bench->alerts);
    store_close(bench->store);
}

/* Each crawl is a process of its own, as cron's are. */
int main(void)
{
    char folder[] = "/tmp/gputape-bench-alerts-XXXXXX";
    struct bench bench = {.clock = {.is_fixed = true, .fixed_unix_s = START}};
    struct conf *conf = conf_new();
    struct strbuf text;
    int status = 0;
    if (conf == NULL || mkdtemp(folder) == NULL) return 1;
    strbuf_init(&text, CONF_MAX);
    rules_write(&text);
    check(&bench, conf_read_text(conf, "bench.conf", strbuf_str(&text), &bench.info));
    for (int crawl = 0; crawl < CRAWLS && status == 0; crawl++) {
        pid_t child = fork();
        if (child == 0) {
            crawl_run(&bench, conf, folder, crawl);
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) status = 1;
        bench.clock.fixed_unix_s += STEP_S;
    }
    conf_free(conf);
    strbuf_done(&text);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return status != 0;
}
