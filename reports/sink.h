/* One way out for every report: text, md, html, csv, json behind one interface. A report describes sections, tables, cells; a sink writes them. */
#ifndef GT_REPORTS_SINK_H
#define GT_REPORTS_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum cell_kind {
    CELL_TEXT,
    CELL_MONEY,   /* number = nano-units; shown with the column's decimals */
    CELL_PERCENT, /* number = nano-units of percent: 7.8 % = 7.8e9 */
    CELL_COUNT,   /* number */
    CELL_TIME,    /* number = UTC seconds; shown as a date in the report's zone, RFC 3339 in json and csv */
    CELL_NONE,    /* not known or does not apply: "—", null */
};

struct cell {
    enum cell_kind kind;
    int64_t number;
    struct gt_str text;  /* for CELL_TEXT; for others a note behind the number ("(另解1130)") */
    struct gt_str link;  /* html and md */
};

struct column {
    const char *key;     /* csv and json name */
    struct gt_str title; /* shown */
    bool is_right;       /* aligned right */
    int decimals;        /* CELL_MONEY in text, md, html: -1 shortest */
};

/* A point of a chart line (html only; others leave charts out). */
struct chart_point { int64_t t_unix_s; int64_t value_nano; };
struct chart_line { struct gt_str name; const struct chart_point *points; size_t count; };

/* What the frame of a report says. */
struct report_head {
    struct gt_str title;
    struct gt_str subtitle;
    const char *lang;        /* "zh" or "en" */
    int32_t zone_offset_s;
    struct gt_str zone_name; /* 北京时间 */
    bool is_sample;          /* every sink then prints SAMPLE / 示例数据 at the top and bottom */
    int width;               /* columns of the terminal; 0: not limited */
    bool has_bom;            /* csv --bom */
};

/* The contract: begin … (heading | paragraph | table_begin row* table_end | chart | json_value)* … end. Errors are sticky in the FILE and the buffers; `end` reports them. */
struct sink {
    const char *name;      /* "text" */
    const char *extension; /* ".txt" */
    enum gt_err (*begin)(void *state, FILE *out, const struct report_head *head);
    void (*heading)(void *state, int level, struct gt_str text);
    void (*paragraph)(void *state, struct gt_str text);
    void (*table_begin)(void *state, const char *key, struct gt_str caption, const struct column *columns, size_t count);
    void (*row)(void *state, const struct cell *cells);
    void (*table_end)(void *state);
    void (*chart)(void *state, struct gt_str caption, const struct chart_line *lines, size_t count);
    enum gt_err (*end)(void *state, struct gt_errinfo *info);
    size_t state_bytes;    /* zeroed memory that the caller provides as `state` */
};

#define SINK(id) extern const struct sink sink_##id;
#include "reports/sinks.def"
#undef SINK

/* The sink of a name, or NULL. */
const struct sink *sink_find(struct gt_str name);

#endif
