/* One way out for every report: text, md, html, csv, json, xlsx behind one interface. A report describes values, headings, tables
 * and charts; a sink writes them. Adding a format: a file sink_NAME.c with `const struct sink sink_NAME` at its foot, and a
 * line in sinks.def. */
#ifndef GT_REPORTS_SINK_H
#define GT_REPORTS_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"
#include "reports/labels.h"

enum {
    SINK_COLUMNS_MAX = 64,
    SINK_CHART_LINES_MAX = 8,         /* more cannot be told apart by eye */
    SINK_TABLE_BYTES_MAX = 512 << 20, /* what one table may hold in memory */
};

enum cell_kind {
    CELL_NONE, /* not known or does not apply: "—", null */
    CELL_TEXT,
    CELL_LIST,      /* text: names joined by blanks; an array in json, also an empty one */
    CELL_MONEY,     /* number = nano-units; people see at most the column's decimals, programs the exact amount */
    CELL_PERCENT,   /* number = nano-units of percent: 7.8 % = 7.8e9; people see one decimal and the sign, programs two */
    CELL_COUNT,     /* number */
    CELL_BOOL,      /* number: 0 or 1 */
    CELL_TIME,      /* number = UTC seconds; people see date and minute in the report's zone, programs RFC 3339 UTC */
    CELL_DAY,       /* as CELL_TIME, people see the date */
    CELL_DAY_SHORT, /* as CELL_TIME, people see month and day */
    CELL_AGE,       /* number = seconds; people see "5h", "3d", programs the seconds */
};

/* Texts are borrowed until table_end (sink_value: until it returns). */
struct cell {
    enum cell_kind kind;
    int64_t number;
    struct gt_str text; /* for CELL_TEXT; for others a note behind the number ("(另解1130)"), shown to people only */
    struct gt_str link; /* html and md; only http and https become links */
    bool is_marked;     /* html sets it apart: doubted, stale, not comparable */
    bool is_sentence;   /* CELL_TEXT: one of label_sentence; people see it in the report's language, programs as it is stored */
};

struct column {
    const char *key;     /* csv and json name */
    struct gt_str title; /* shown */
    bool is_right;       /* numbers stand under each other */
    bool is_extra;       /* text leaves it out where the window is too narrow */
    bool is_wrapped;     /* text may break it over several lines */
    int decimals;        /* CELL_MONEY in text, md, html: at most so many, rounded; 0: exact, shortest form */
};

/* One step of a chart line: the value held from one moment to another. */
struct chart_step {
    int64_t from_unix_s, to_unix_s;
    int64_t value_nano;
    bool is_sold_out; /* printed, and not to be had: drawn thin and dotted */
};
struct chart_line {
    struct gt_str name;
    const struct chart_step *steps; /* in order of time */
    size_t count;
};
struct chart {
    struct gt_str caption;
    struct gt_str unit; /* beside the value axis: "CNY/卡·月" */
    const struct chart_line *lines;
    size_t count; /* beyond SINK_CHART_LINES_MAX none are drawn, and the chart says so */
    size_t more;  /* that would have lines, too, and were not read: it says so of them as well */
};

/* What the frame of a report says. Borrowed until sink_close. */
struct report_head {
    struct gt_str title;
    struct gt_str terms; /* on what terms its figures hold; text puts it on the title's line */
    struct gt_str subtitle;
    enum gt_lang lang;
    int32_t zone_offset_s;
    int64_t now_unix_s; /* the moment of the report */
    bool is_sample; /* every sink then prints SAMPLE / 示例数据 at the top and bottom */
    int width;      /* columns of the terminal; 0: not limited */
    bool has_bom;   /* csv --bom */
};

/* A report being written: made by sink_open, one for each report. */
struct sink_writer;

/* The contract of a format: begin, then any order of value, heading, paragraph, table_begin row* table_end, chart, then end. What lies between
 * begin and end may be NULL: the format leaves it out (headings and sentences those for programs, values those for people).
 * No call reports an error: failures of the FILE and of memory are sticky in the writer and come out of sink_close. */
struct sink {
    const char *name;       /* "text" */
    const char *extension;  /* ".txt" */
    const char *media_type; /* "text/plain; charset=utf-8" */
    bool is_data;           /* for programs: reports then give values and flat tables, without headings and sentences */
    size_t state_bytes;     /* zeroed memory of its own, in writer->state */
    void (*begin)(struct sink_writer *writer);
    void (*value)(struct sink_writer *writer, const char *key, const struct cell *cell);
    void (*heading)(struct sink_writer *writer, int level, struct gt_str text);
    void (*paragraph)(struct sink_writer *writer, struct gt_str text);
    void (*table_begin)(struct sink_writer *writer, const char *key, struct gt_str caption);
    void (*row)(struct sink_writer *writer, const struct cell *cells);
    void (*table_end)(struct sink_writer *writer);
    void (*chart)(struct sink_writer *writer, const struct chart *chart);
    void (*end)(struct sink_writer *writer);
};

#define SINK(id) extern const struct sink sink_##id;
#include "reports/sinks.def"
#undef SINK

/* The sink of a name, or NULL. */
const struct sink *sink_find(struct gt_str name);

/* All sinks, closed by NULL, in the order of sinks.def. */
const struct sink *const *sink_list(void);

/* Begins a report on `file` (borrowed). The writer is freed by sink_close. GT_OK; GT_ENOMEM. */
enum gt_err sink_open(const struct sink *sink, FILE *file, const struct report_head *head, struct sink_writer **ret_writer,
                      struct gt_errinfo *info);

/* One named value of the whole report (`now`, `persona`): a member in json, a line in csv; people do not see it. */
void sink_value(struct sink_writer *writer, const char *key, struct cell cell);

/* A heading: level 1 the report's parts, 2 below. */
void sink_heading(struct sink_writer *writer, int level, struct gt_str text);

/* A paragraph of running text. */
void sink_paragraph(struct sink_writer *writer, struct gt_str text);

/* A table: at most SINK_COLUMNS_MAX columns (further ones are left out). `columns` is borrowed until sink_table_end; each row
 * has as many cells. */
void sink_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption, const struct column *columns,
                      size_t count);
void sink_row(struct sink_writer *writer, const struct cell *cells);
void sink_table_end(struct sink_writer *writer);

/* A chart; formats without a `chart` do not draw it. */
void sink_chart(struct sink_writer *writer, const struct chart *chart);

/* True when the format is for programs; when it draws charts. */
bool sink_is_data(const struct sink_writer *writer);
bool sink_has_charts(const struct sink_writer *writer);

/* True when the format shows headings: else a chart has to name its own class. */
bool sink_has_headings(const struct sink_writer *writer);

/* Ends the report, frees the writer (NULL is accepted), and reports the first failure since sink_open: GT_OK; GT_ENOSPC,
 * GT_EIO … of the FILE; GT_ENOMEM. What was written by then is not a whole report. */
enum gt_err sink_close(struct sink_writer *writer, struct gt_errinfo *info);

/* ---- making cells ---- */

/* "—". */
struct cell cell_none(void);
/* Text; an empty one is CELL_NONE. */
struct cell cell_text(struct gt_str text);
/* Nothing to say, as opposed to not known: blank for people. */
struct cell cell_blank(void);
/* Text; an empty one is cell_blank: for marks and remarks. */
struct cell cell_remark(struct gt_str text);
/* The same text as a sentence of label_sentence. */
struct cell cell_sentence(struct cell cell);
/* Names joined by blanks; an empty list too. */
struct cell cell_list(struct gt_str names);
/* Text of a NUL-closed string; NULL and "" are CELL_NONE. */
struct cell cell_words(const char *text);
/* A number of the kind. */
struct cell cell_number(enum cell_kind kind, int64_t number);
/* An amount; 0 is CELL_NONE (prices of 0 do not exist here). */
struct cell cell_money(int64_t nano);
/* A time (kind CELL_TIME, CELL_DAY …); 0 is CELL_NONE. */
struct cell cell_moment(enum cell_kind kind, int64_t t_unix_s);
/* A count; 0 is CELL_NONE. */
struct cell cell_count_known(int64_t count);

#endif
