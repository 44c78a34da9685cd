#include "crawler/shard.h"

#include "tests/unit/table.h"

enum { HOSTS = 20000 };

/* Host `i` of many. */
static struct gt_str host_of(int i, char text[32])
{
    snprintf(text, 32, "gpu%d.example", i);
    return gt_str_from(text);
}

static const struct count_row {
    const char *name;
    uint32_t count;
} counts[] = {{"one crawler", 1}, {"two", 2}, {"three", 3}, {"ten", 10}, {"a hundred", 100}};

/* Every host has one crawler, no crawler much more than its part; with one crawler more, hosts go to that one only, and about as many as it
 * should have. */
static void check_count(void **state)
{
    const struct count_row *row = *state;
    static int of[128];
    int moved = 0, fair = HOSTS / (int)row->count, fair_more = HOSTS / ((int)row->count + 1);
    char text[32];
    memset(of, 0, sizeof of);
    for (int i = 0; i < HOSTS; i++) {
        struct gt_str host = host_of(i, text);
        uint32_t now = shard_of_host(host, row->count), then = shard_of_host(host, row->count + 1), having = 0;
        for (uint32_t index = 1; index <= row->count && i < 500; index++)
            having += shard_has((struct shard){index, row->count}, host);
        assert_int_equal(having, i < 500 ? 1 : 0);
        assert_in_range(now, 1, row->count);
        of[now]++;
        if (then == now) continue;
        assert_int_equal(then, row->count + 1);
        moved++;
    }
    for (uint32_t index = 1; index <= row->count; index++) assert_in_range(of[index], fair / 3, fair * 2);
    assert_in_range(moved, fair_more / 3, fair_more * 2);
}

/* What every version must say: a host that moved without need would be fetched anew and lose its history to a second crawler. */
static const struct fixed_row {
    const char *name, *host;
    uint32_t count, index;
} fixed[] = {
    {"two crawlers", "www.jygpu.com", 2, 2},   {"two crawlers, another host", "www.runpod.io", 2, 1},
    {"three crawlers", "www.jygpu.com", 3, 2}, {"seven crawlers", "www.autodl.com", 7, 4},
    {"a host without a name", "", 7, 2},
};

static void check_fixed(void **state)
{
    const struct fixed_row *row = *state;
    assert_int_equal(shard_of_host(gt_str_from(row->host), row->count), row->index);
}

static const struct text_row {
    const char *name, *text;
    uint32_t index, count; /* 0: refused */
} texts[] = {
    {"one of one", "1/1", 1, 1},
    {"the last", "3/3", 3, 3},
    {"the most", "1024/1024", 1024, 1024},
    {"beyond the last", "4/3", 0, 0},
    {"none", "0/3", 0, 0},
    {"too many", "1/1025", 0, 0},
    {"no stroke", "13", 0, 0},
    {"nothing before", "/3", 0, 0},
    {"nothing behind", "1/", 0, 0},
    {"two strokes", "1/2/3", 0, 0},
    {"a sign", "+1/3", 0, 0},
    {"a blank", "1 /3", 0, 0},
    {"wraps round", "4294967297/4294967298", 0, 0},
    {"empty", "", 0, 0},
};

static void check_text(void **state)
{
    const struct text_row *row = *state;
    struct shard shard = {77, 77};
    assert_int_equal(shard_read(gt_str_from(row->text), &shard), row->index != 0);
    assert_int_equal(shard.index, row->index != 0 ? row->index : 77);
    assert_int_equal(shard.count, row->count != 0 ? row->count : 77);
}

/* A crawler that is told nothing has every host. */
static const struct alone_row {
    const char *name, *host;
} alone[] = {{"a host", "a.example"}, {"another", "b.example"}};

static void check_alone(void **state)
{
    const struct alone_row *row = *state;
    assert_true(shard_has((struct shard){0, 0}, gt_str_from(row->host)));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(counts, check_count) + TABLE_RUN(fixed, check_fixed) + TABLE_RUN(texts, check_text) +
           TABLE_RUN(alone, check_alone);
}
