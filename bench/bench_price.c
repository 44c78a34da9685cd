/* bench price: phrases to readings, per 40 bytes; and what the longest texts cost that are read or refused. Medians of CPU time. The phrases
 * are those of the unit tests, so it runs from the checkout's root. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pricing/price_text.h"
#include "tests/unit/pricing/price_table.h"

enum { ROUNDS = 9, PASSES = 20, ARENA_BYTES_MAX = 64 << 20, PHRASE_BYTES = 40, PHRASE_BYTES_MIN = 30, PHRASE_BYTES_MAX = 50, MEGABYTE = 1 << 20 };

static const char *const tables[] = {"tests/unit/pricing/price_phrases_own.tsv", "tests/unit/pricing/price_phrases_blind.tsv"};

/* Shapes that repeat to the limit: each makes another stage work hardest. */
static const char *const shapes[] = {"1,", "8折",       "1-",           "(",        "\xFF", "¥1.96/时,", "每",
                                     "<a", "1元上调至", "会员 ¥29/月 ", "$1/hr - ", "a-1"};

struct bench {
    struct gt_str *phrases;
    size_t count, bytes;
    struct arena *arena;
    size_t items; /* so that no reading is left out as unused */
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_price: %s\n", what);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void phrases_load(struct bench *bench)
{
    bench->phrases = calloc(2 * TABLE_LINES_MAX, sizeof *bench->phrases);
    if (bench->phrases == NULL) fail("out of memory");
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        struct table table; /* kept to the end: the phrases point into it */
        if (!table_load(tables[k], &table)) fail("run from the root of the checkout");
        for (size_t i = 0; i < table.count; i++) {
            struct gt_str phrase = gt_str_from(table.lines[i].name);
            if (phrase.len < PHRASE_BYTES_MIN || phrase.len > PHRASE_BYTES_MAX) continue;
            bench->phrases[bench->count++] = phrase;
            bench->bytes += phrase.len;
        }
        free(table.lines);
    }
}

static void read_one(struct bench *bench, struct gt_str text)
{
    struct price_context context = {.currency = {"CNY"}};
    struct price_reading reading = {0};
    arena_clear(bench->arena);
    price_text_read(text, &context, bench->arena, &reading);
    bench->items += reading.item_count;
}

/* Microseconds for 40 bytes of phrase. */
static double phrases_run(struct bench *bench)
{
    double took[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double began = cpu_seconds();
        for (int pass = 0; pass < PASSES; pass++)
            for (size_t i = 0; i < bench->count; i++) read_one(bench, bench->phrases[i]);
        took[round] = cpu_seconds() - began;
    }
    qsort(took, ROUNDS, sizeof took[0], by_value);
    return took[ROUNDS / 2] * 1e6 * PHRASE_BYTES / (double)(bench->bytes * PASSES);
}

/* Milliseconds of the slowest shape of `len` bytes. */
static double shapes_run(struct bench *bench, size_t len)
{
    double worst = 0;
    char *bytes = malloc(len);
    if (bytes == NULL) fail("out of memory");
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        size_t unit = strlen(shapes[k]);
        for (size_t i = 0; i < len; i++) bytes[i] = shapes[k][i % unit];
        double began = cpu_seconds();
        read_one(bench, (struct gt_str){bytes, len});
        double took = (cpu_seconds() - began) * 1e3;
        if (took > worst) worst = took;
    }
    free(bytes);
    return worst;
}

int main(void)
{
    struct bench bench = {.arena = arena_new(ARENA_BYTES_MAX)};
    if (bench.arena == NULL) fail("out of memory");
    phrases_load(&bench);
    printf("%zu phrases of %.1f bytes: %.2f us for %d bytes\n", bench.count, (double)bench.bytes / (double)bench.count,
           phrases_run(&bench), PHRASE_BYTES);
    printf("slowest of %zu shapes: %.1f ms at the limit of %d KiB, %.3f ms of a megabyte\n", sizeof shapes / sizeof shapes[0],
           shapes_run(&bench, PRICE_TEXT_MAX), PRICE_TEXT_MAX / 1024, shapes_run(&bench, MEGABYTE));
    free(bench.phrases);
    arena_free(bench.arena);
    return bench.items > 0 ? 0 : 1;
}
