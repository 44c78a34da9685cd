/* The weekly report's charts as a picture: a sink that writes them down as commands for gnuplot, and the drawing. Internal to alerts/. */
#ifndef GT_ALERTS_PICTURE_H
#define GT_ALERTS_PICTURE_H

#include "reports/sink.h"

enum { PICTURE_BYTES_MAX = 2 << 20 /* what WeCom takes */ };

/* Writes the charts of a report, the first few, as one page of commands for gnuplot; nothing for a report without charts. All else of the report is
 * left out. Scraped words stand in single quotes only, where gnuplot reads nothing into them. */
extern const struct sink picture_sink;

/* Draws the commands by `program` (a whole path). On success *ret_png is malloc'ed, a PNG of at most PICTURE_BYTES_MAX bytes. GT_ENOENT … (no such
 * program), GT_EIO, GT_ETIMEOUT, GT_EFORMAT (no PNG came), GT_ELIMIT, GT_ENOMEM, with `why`. */
enum gt_err picture_draw(const char *program, struct gt_str commands, struct gt_str *ret_png, struct gt_errinfo *why);

#endif
