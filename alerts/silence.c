#include "alerts/silence.h"

#include "common/civil.h"

#define RULE_PREFIX "z\x1F"
#define QUERY_PREFIX "y\x1F"

/* An end of 0 takes the silence away. */
static enum gt_err put(const struct outbox *outbox, const char *prefix, struct gt_str what, int64_t until_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    struct gt_str key = arena_printf(outbox->arena, "%s%.*s", prefix, GT_STR_ARG(what)), value = {NULL, 0};
    if (key.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    if (until_unix_s > 0) value = gt_str_from(civil_rfc3339(until_unix_s, text));
    return outbox_value_put(outbox, STORE_ALERT_STATE, key, value);
}

enum gt_err silence_set(const struct outbox *outbox, struct gt_str rule, int64_t until_unix_s)
{
    return put(outbox, RULE_PREFIX, rule, until_unix_s);
}

enum gt_err silence_query_set(const struct outbox *outbox, struct gt_str query, int64_t until_unix_s)
{
    if (query.len > SILENCE_QUERY_BYTES_MAX) return gt_fail(outbox->info, GT_ELIMIT, "a query of more than %d bytes", SILENCE_QUERY_BYTES_MAX);
    return put(outbox, QUERY_PREFIX, query, until_unix_s);
}

/* What one walk over the silences looks for. */
struct search {
    const struct outbox *outbox;
    const struct query_subject *subject;
    int64_t t_unix_s;
    bool is_on;
    bool is_query;
    enum gt_err (*fn)(void *ctx, struct gt_str what, bool is_query, int64_t until_unix_s);
    void *ctx;
};

static bool is_running(struct gt_str value, int64_t t_unix_s, int64_t *ret_until)
{
    return civil_parse(value, ret_until) && t_unix_s < *ret_until;
}

/* A query that a later program does not understand any more silences nothing. */
static enum gt_err try_query(void *ctx, struct gt_str key, struct gt_str value)
{
    struct search *search = ctx;
    const struct query *query;
    struct gt_errinfo why = {0};
    int64_t until;
    struct gt_str text = gt_str_slice(key, sizeof QUERY_PREFIX - 1, key.len);
    if (search->is_on || !is_running(value, search->t_unix_s, &until)) return GT_OK;
    text = arena_dup(search->outbox->arena, text);
    if (text.ptr == NULL) return GT_ENOMEM;
    if (query_read(text, search->outbox->arena, &query, &why) == GT_OK) search->is_on = query_matches(query, search->subject);
    return GT_OK;
}

/* The rule's own silence is one look-up; queries are walked only where it has none, and only for events about an offer. */
enum gt_err silence_is_on(const struct outbox *outbox, struct gt_str rule, const struct query_subject *subject, int64_t t_unix_s,
                          bool *ret_is_on)
{
    struct gt_str key = arena_printf(outbox->arena, RULE_PREFIX "%.*s", GT_STR_ARG(rule)), value;
    struct search search = {.outbox = outbox, .subject = subject, .t_unix_s = t_unix_s};
    int64_t until;
    *ret_is_on = false;
    if (key.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_get(outbox, STORE_ALERT_STATE, key, &value);
    if (err == GT_OK) *ret_is_on = is_running(value, t_unix_s, &until);
    if ((err != GT_OK && err != GT_ENOENT) || *ret_is_on || subject == NULL) return err == GT_ENOENT ? GT_OK : err;
    err = outbox_value_each(outbox, STORE_ALERT_STATE, GT_STR(QUERY_PREFIX), try_query, &search);
    *ret_is_on = search.is_on;
    return err;
}

/* Both prefixes have one length, so one offset serves both walks. */
static enum gt_err hand_on(void *ctx, struct gt_str key, struct gt_str value)
{
    const struct search *search = ctx;
    int64_t until;
    if (!is_running(value, search->t_unix_s, &until)) return GT_OK;
    return search->fn(search->ctx, gt_str_slice(key, sizeof RULE_PREFIX - 1, key.len), search->is_query, until);
}

enum gt_err silence_each(const struct outbox *outbox, int64_t t_unix_s,
                         enum gt_err (*fn)(void *ctx, struct gt_str what, bool is_query, int64_t until_unix_s), void *ctx)
{
    struct search search = {.outbox = outbox, .t_unix_s = t_unix_s, .fn = fn, .ctx = ctx};
    enum gt_err err = outbox_value_each(outbox, STORE_ALERT_STATE, GT_STR(RULE_PREFIX), hand_on, &search);
    search.is_query = true;
    return err == GT_OK ? outbox_value_each(outbox, STORE_ALERT_STATE, GT_STR(QUERY_PREFIX), hand_on, &search) : err;
}
