/* At which hours of the day a platform's offers are sold out, by what its good runs showed: people queue in the evening. */
#ifndef GT_REPORTS_SOLD_OUT_HOURS_H
#define GT_REPORTS_SOLD_OUT_HOURS_H

#include "reports/run_index.h"

enum { HOURS_A_DAY = 24, SOLD_OUT_WEEKS = 4 /* how far back when nothing is said */ };

/* Sightings of offers by runs that began in one hour. */
struct sold_out_hour {
    int64_t sightings, sold_out;
};

/* A source that shows availability. */
struct sold_out_source {
    struct gt_str site, title;
    struct sold_out_hour hours[HOURS_A_DAY]; /* of the day in the report's zone */
    struct sold_out_hour all;
};

struct sold_out_hours {
    struct sold_out_source *sources; /* by site */
    size_t count;
    int32_t zone_offset_s; /* of the hours */
};

/* Counts the sightings of [since, until): of all offers (NULL) or of those named, ascending. A sighting counts when the page says whether
 * the offer is to be had; of a source that only ever says "sold out", every sighting counts. What is doubted, voided, or not live does
 * not. Sources that never say either are not in the list. GT_OK; GT_ENOMEM; GT_ELIMIT; what the store says. */
enum gt_err sold_out_hours_read(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s, int64_t until_unix_s,
                                int32_t zone_offset_s, struct arena *arena, struct sold_out_hours *ret_hours, struct gt_errinfo *info);

/* Writes the list: for people a line a source with a picture of its day, for programs (and is_long) a line an hour. Nothing for people
 * when it is empty. GT_OK; GT_ENOMEM. */
enum gt_err sold_out_hours_write(struct sink_writer *writer, const struct sold_out_hours *hours, bool is_long, enum gt_lang lang,
                                 struct arena *arena);

#endif
