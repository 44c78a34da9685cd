/* Weekly reports as they were published: the figures that somebody was told, kept in the store beside the history. The first publication of a week
 * stays; what differs from it later is a correction (correction.h).
 *
 * In STORE_REPORTS, of a week "2026-W38":
 *
 *   week:2026-W38   {"published","since","until","how","catalogue","rows","left_out"}: times in UTC seconds
 *   rows:2026-W38   a line of figures a comparison class: [[class, sku, currency, site, title, label, low, hour list, median, sellers, evidence]…],
 *                   amounts in nano-units
 *   archived:…      "1" once the archive has both
 *   reread          when the history was last derived anew, in UTC seconds */
#ifndef GT_REPORTS_PUBLISHED_H
#define GT_REPORTS_PUBLISHED_H

#include "reports/board.h"
#include "reports/period.h"

enum { PUBLISHED_ROWS_MAX = 20000 };

/* The cheapest usable offer of one class and currency, and what was printed beside it. */
struct published_row {
    struct gt_str class, sku, site, site_title, label;
    struct currency currency;
    int64_t low_nano, hour_list_nano, median_nano; /* hour and median 0: none */
    int32_t sellers;
    enum evidence evidence;
};

struct published_rows {
    struct published_row *rows; /* in the board's order */
    size_t count, left_out;     /* beyond PUBLISHED_ROWS_MAX */
};

/* How it reached people. */
enum published_how { PUBLISHED_BY_HAND, PUBLISHED_SENT, PUBLISHED_HOWS };

struct published {
    struct report_period period;
    struct gt_str week; /* "2026-W38" */
    int64_t published_unix_s;
    enum published_how how;
    struct gt_str catalogue; /* the version of the card catalogue then */
    int64_t rows, left_out;  /* counts */
};

/* "by-hand", "sent". */
const char *published_how_word(enum published_how how);

/* True when the input asks for what everybody gets: the default persona, no query, no currency. That alone is published and corrected. */
bool published_is_of(const struct report_input *input);

/* The figures of a board's rows: a row each class that has a usable offer. In the arena. GT_OK; GT_ENOMEM. */
enum gt_err published_rows_of(const struct board_rows *rows, const struct board_view *view, struct arena *arena, struct published_rows *ret_rows);

/* GT_OK when the input's report of the period may be published; GT_EUSAGE: no whole week, not over, not what everybody gets. */
enum gt_err published_check(const struct report_input *input, const struct report_period *period, struct gt_errinfo *info);

/* Keeps the figures of a week, as published at input->now_unix_s, within `txn` (NULL: durable in transactions of its own).
 * *ret_is_new is false when the week was published before: then nothing is written. GT_OK; as published_check;
 * GT_ENOMEM; what the store says. */
enum gt_err published_keep(const struct report_input *input, struct store_txn *txn, const struct report_period *period, enum published_how how,
                           bool *ret_is_new, struct gt_errinfo *info);

/* What was kept of a week, in the arena. GT_ENOENT, without a message, when it was not published; GT_ECORRUPT. */
enum gt_err published_read(struct store *store, struct store_txn *txn, const struct report_period *period, int32_t zone_offset_s, struct arena *arena,
                           struct published *ret_published, struct gt_errinfo *info);

/* The figures of that week. Errors as published_read. */
enum gt_err published_rows_read(struct store *store, struct gt_str week, struct arena *arena, struct published_rows *ret_rows,
                                struct gt_errinfo *info);

/* A published week as it is kept: the texts under its two keys. */
struct published_texts {
    struct gt_str week, head, rows;
};

/* The oldest published week that is not noted as archived, in the arena. GT_ENOENT, without a message, when there is none. */
enum gt_err published_unarchived(struct store *store, struct arena *arena, struct published_texts *ret_texts, struct gt_errinfo *info);

/* Notes that it is. */
enum gt_err published_archived_put(struct store *store, struct gt_str week, struct gt_errinfo *info);

/* Puts back what the archive has of a week, unless the store has that week. GT_ENOENT, with a message, when it is no week's; what the store says. */
enum gt_err published_restore(struct store *store, const struct published_texts *texts, struct gt_errinfo *info);

/* Notes that the history was derived anew at a moment: any published figure may be another since. Errors as the store's. */
enum gt_err published_reread_put(struct store *store, int64_t t_unix_s, struct gt_errinfo *info);

/* When it last was; 0: not since reports are published here. GT_OK; GT_ENOMEM; GT_ECORRUPT; what the store says. */
enum gt_err published_reread_read(struct store *store, struct arena *arena, int64_t *ret_unix_s, struct gt_errinfo *info);

/* All published weeks, the newest first, in the arena. */
enum gt_err published_list(struct store *store, struct arena *arena, struct published **ret_list, size_t *ret_count, struct gt_errinfo *info);

#endif
