/* The archive read as history: runs as the crawls handed them over, decided anew from the archived bytes. What commits them is told by
 * callbacks, as with a crawl. Sends nothing, asks nobody. */
#ifndef GT_CRAWLER_REPLAY_H
#define GT_CRAWLER_REPLAY_H

#include "crawler/archive.h"
#include "crawler/archive_action.h"
#include "crawler/crawl.h"

enum {
    REPLAY_JAILS_MAX = 24,
    REPLAY_RECORDS_MAX = 64 * 1024 * 1024,
    REPLAY_DEFERRED_MAX = 1 << 22,
    REPLAY_PLACES_BATCH = 16384 /* of records before `committed`, which no run takes */
};

/* Live runs in the archive's order, and behind them those of other provenance, each stream in order of time. */
enum replay_streams { REPLAY_ALL, REPLAY_LIVE, REPLAY_OTHERS };

/* What is read, and how. Borrowed. */
struct replay_options {
    const char *folder; /* the archive's */
    struct conf *conf;  /* today's: for sites whose section is not in the archive, and for `with_today` */
    bool with_today;    /* read pages by today's sections instead of those in force then */
    enum replay_streams streams;
    struct gt_str site;            /* only this one; empty: all */
    int64_t since_unix_s;          /* runs that began earlier are passed over; INT64_MIN: none */
    struct archive_mark begin;     /* records before it are not looked at, unless a run leads there */
    struct archive_mark committed; /* outcomes before it are not handed over: the store has them … */
    uint32_t early_actions;        /* … but for actions of these kinds, bits 1 << ACTION_… */
    /* where an older record is, for runs that lead before `begin`; NULL: nobody knows */
    enum gt_err (*place)(void *ctx, struct gt_str record_id, struct arena *arena, struct gt_str *ret_file, int64_t *ret_offset);
    void *place_ctx;
};

/* One run. */
struct replayed_run {
    struct crawled_site site;
    enum provenance provenance;
    struct gt_str writer;
    size_t unread; /* parts whose pages could not be had: they are handed over as failed, with the reason */
};

/* Who takes what was found, in the archive's order. Each returns other than GT_OK to end the replay. NULL ones are passed over. */
struct replay_fns {
    void *ctx;
    enum gt_err (*run)(void *ctx, const struct replayed_run *run, struct arena *arena, struct gt_errinfo *info);
    enum gt_err (*action)(void *ctx, const struct archive_action *action, struct gt_errinfo *info);
    enum gt_err (*crawl)(void *ctx, int64_t start_unix_s, int64_t end_unix_s, const struct crawl_result *result,
                         struct gt_errinfo *info);
    /* places of records that no run took with it; also called at the end */
    enum gt_err (*places)(void *ctx, const struct warc_place *places, size_t count, struct gt_errinfo *info);
    void (*damage)(void *ctx, struct gt_str sentence);
};

struct replay_counts {
    size_t runs, actions, crawls, damaged, unread;
};

/* Replays. A run whose outcome is not complete in the archive was never acknowledged, and is left out. GT_OK also with damaged records, which
 * are counted and told; GT_EACCES, GT_EIO, GT_ENOMEM, GT_ELIMIT; whatever a callback returned. */
enum gt_err replay_run(const struct replay_options *options, const struct replay_fns *fns, struct replay_counts *ret_counts,
                       struct gt_errinfo *info);

#endif
