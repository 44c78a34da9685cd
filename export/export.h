/* Writing an export, and reading one back: what `export` prints and `import --history` takes. */
#ifndef GT_EXPORT_EXPORT_H
#define GT_EXPORT_EXPORT_H

#include <stdio.h>

#include "common/err.h"
#include "store/dump.h"

/* One format. Writes what is wanted of the store to `file`; errors of the file are the caller's to look for (ferror). */
typedef enum gt_err export_fn(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info);

/* A line a thing (docs/schema/export.json). Everything of a store, written so, makes that store again. */
enum gt_err export_jsonl(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info);

/* One table: runs, changes, observations, with the columns of all three. */
enum gt_err export_csv(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info);

/* OpenMetrics 1.0 text with times: list prices per card, availability, runs, changes. */
enum gt_err export_openmetrics(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info);

#endif
