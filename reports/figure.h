/* Small reckonings that several reports share, and the words they are shown with. */
#ifndef GT_REPORTS_FIGURE_H
#define GT_REPORTS_FIGURE_H

#include "reports/board.h"

/* The move from `before` to `now` in nano-units of percent: 990 to 1074 is 8.484848484e9. False when `before` is 0 or the
 * result does not fit. */
bool figure_percent(int64_t before_nano, int64_t now_nano, int64_t *ret_percent_nano);

/* "7.8%" without a sign, one decimal: for sentences that say lower or higher. In the arena. */
struct gt_str figure_percent_text(int64_t percent_nano, struct arena *arena);

/* "1.96": shortest exact form. In the arena. */
struct gt_str figure_money_text(int64_t nano, struct arena *arena);

/* "12". In the arena. */
struct gt_str figure_count_text(int64_t count, struct arena *arena);

/* "09-20" in the zone. In the arena. */
struct gt_str figure_day_text(int64_t t_unix_s, int32_t zone_offset_s, struct arena *arena);

/* The first month-day-hour-minute of the sentence "as of": "2026-09-20 20:00". In the arena. */
struct gt_str figure_minute_text(int64_t t_unix_s, int32_t zone_offset_s, struct arena *arena);

/* A price with its bound: "2350" and 起, "about 99". In the arena. */
struct gt_str figure_bound_text(int64_t nano, enum bound bound, enum gt_lang lang, struct arena *arena);

/* A promotion as one cell: "2350起,截止未标". Empty when there is none. */
struct gt_str figure_promotion_text(const struct net_price *net, enum gt_lang lang, int32_t zone_offset_s, struct arena *arena);

/* What stands behind a month that has another reading: "(另解1130)". Empty when there is none. */
struct gt_str figure_alt_text(const struct net_price *net, enum gt_lang lang, struct arena *arena);

/* The evidence of an offer's figure: 标价, 推断, 标价÷8 when a node's price was divided. */
struct gt_str figure_evidence_text(const struct board_entry *entry, enum gt_lang lang, struct arena *arena);

/* The marks in words: "待核·起价". Empty without marks. */
struct gt_str figure_marks_text(const struct board_entry *entry, enum gt_lang lang, struct arena *arena);

/* The cards that a label may mean, for people: "A100-PCIE-40G, A100-SXM4-40G …", without vendors, the first few. In the
 * arena. */
struct gt_str figure_candidates_text(struct gt_str candidates, struct arena *arena);

/* Eight heights of block characters, one for each value, lowest to highest; for text tables. Values of 0 are gaps. In the
 * arena. */
struct gt_str figure_sparkline(const int64_t *values, size_t count, struct arena *arena);

#endif
