/* A report's charts as a picture: sinks that write them down as commands for gnuplot, and the drawing. All else of the report is left out. */
#ifndef GT_REPORTS_PICTURE_H
#define GT_REPORTS_PICTURE_H

#include "reports/sink.h"

enum {
    PICTURE_BYTES_MAX = 2 << 20, /* what WeCom takes */
    PICTURE_FILE_BYTES_MAX = 64 << 20,
};

/* Debian's gnuplot-nox. */
#define PICTURE_PROGRAM "/usr/bin/gnuplot"

/* Write the charts of a report as one page of commands for gnuplot; nothing for a report without charts. Scraped words stand in single quotes only,
 * where gnuplot reads nothing into them. The first: a PNG of the first few charts, for a message; the others: a file of its kind, for print. */
extern const struct sink picture_sink, picture_sink_png, picture_sink_svg;

/* Draws what `sink`, one of those, has written, by `program` (a whole path). On success *ret_picture is malloc'ed, of at most PICTURE_BYTES_MAX
 * bytes, a file PICTURE_FILE_BYTES_MAX. GT_ENOENT … (no such program), GT_EIO, GT_ETIMEOUT, GT_EFORMAT (no picture came), GT_ELIMIT, GT_ENOMEM,
 * with `why`. */
enum gt_err picture_draw(const char *program, const struct sink *sink, struct gt_str commands, struct gt_str *ret_picture,
                         struct gt_errinfo *why);

#endif
