/* What a sink sees of the report that it writes. Only sinks include this. */
#ifndef GT_REPORTS_SINK_WRITER_H
#define GT_REPORTS_SINK_WRITER_H

#include "reports/out.h"
#include "reports/sink.h"
#include "store/store.h"

struct sink_writer {
    const struct sink *sink;
    struct report_head head;
    struct out out;
    struct arena *scratch;        /* cleared after every table, value, heading, paragraph and chart */
    const struct column *columns; /* of the open table */
    size_t column_count;
    bool is_out_of_memory; /* sticky */
    void *state;           /* sink->state_bytes, zeroed at the start */
};

/* A cell as people see it: the figure and the note behind it, so that figures can stand under each other. */
struct cell_shown {
    struct gt_str main;
    struct gt_str note;
};

/* Renders a cell for people in the report's language and zone; texts are made printable (control characters and bidi marks
 * become visible escapes). In the scratch arena; on failure is_out_of_memory is set and the texts are empty. */
struct cell_shown cell_show(struct sink_writer *writer, const struct column *column, const struct cell *cell);

/* Renders a cell for programs, as csv and json write it: exact decimals, RFC 3339, "true". Empty for CELL_NONE. In the
 * scratch arena. */
struct gt_str cell_plain(struct sink_writer *writer, const struct cell *cell);

/* `text` with control characters and bidi marks as visible escapes, in the scratch arena. */
struct gt_str sink_printable(struct sink_writer *writer, struct gt_str text);

/* True for an address that may become a link: http or https, printable ASCII without quotes, brackets and blanks. */
bool sink_is_link(struct gt_str address);

#endif
