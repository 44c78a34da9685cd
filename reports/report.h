/* The reports by name: one entry each, registered by a line in reports.def, run by the command line and the server alike. */
#ifndef GT_REPORTS_REPORT_H
#define GT_REPORTS_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "pricing/persona.h"
#include "pricing/query.h"
#include "reports/sink.h"
#include "store/store.h"

enum {
    REPORT_BYTES_MAX = 1 << 30, /* what one report may hold in memory */
    REPORT_HISTORY_DAYS = 90,   /* how far `history` and `changes` look back when nothing is said */
};

/* A site that sites.conf names: lets a report count sources from which nothing ever came. */
struct report_site {
    struct gt_str name, title;
    int64_t every_s; /* how often it is fetched; 0: not known */
    int64_t due_unix_s; /* when it is fetched next; 0: not known */
};

struct advice_need;
struct fx_table;
struct holding;
struct site_extras;

/* What a report is asked. Zero is the default of every field but `store`, `now_unix_s`, `persona`. Borrowed. */
struct report_input {
    struct store *store;
    int64_t now_unix_s;
    struct persona persona;
    const struct query *query;          /* NULL: everything */
    struct gt_str query_text;           /* as typed, for the head */
    int64_t since_unix_s, until_unix_s; /* until is not included; 0 and 0: the report's own period */
    int64_t base_unix_s;                /* `index`: the Monday 00:00 of the week that is 100; 0: each series' own */
    enum gt_lang lang;
    int width;                       /* columns of the terminal; 0: not limited */
    bool has_bom;                    /* csv only */
    struct currency currency;        /* "": any; else only prices printed in it count, the others are counted and named */
    struct currency shown_in;        /* "": none; else amounts are shown in it, too, where a rate is known */
    const struct fx_table *rates;    /* those of sites.conf; NULL: none. Those in the store go before them */
    int32_t zone_offset_s;           /* of days and weeks, seconds east of UTC: CIVIL_SHANGHAI_S for 北京时间 */
    const struct report_site *sites; /* NULL: those that the store knows */
    size_t site_count;
    const struct advice_need *advice; /* `advise` only: what is to be rented; NULL is GT_EUSAGE */
    const struct site_extras *extras; /* `advise`, `transparency`: fees and facts of sites.conf; may be NULL with count 0 */
    size_t extra_count;
    const struct holding *holdings; /* the weekly report only: what is rented today; NULL with count 0: nothing is said of it */
    size_t holding_count;
};

struct report {
    const char *name;    /* as typed: "offers" */
    const char *summary; /* one line of help, English */
    /* Writes the report into `file` through `sink`. GT_OK; what the store says (GT_ENOENT, GT_ECORRUPT …); GT_ENOMEM,
     * GT_ELIMIT; GT_EUSAGE for a period that ends before it begins; GT_ENOSPC, GT_EIO of the file. */
    enum gt_err (*run)(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info);
};

#define REPORT(id) extern const struct report report_##id;
#include "reports/reports.def"
#undef REPORT

/* The report of a name, or NULL. */
const struct report *report_find(struct gt_str name);

/* All reports, closed by NULL, in the order of reports.def. */
const struct report *const *report_list(void);

#endif
