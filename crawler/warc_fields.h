/* Fields of application/warc-fields, as outcomes and actions are written. */
#ifndef GT_CRAWLER_WARC_FIELDS_H
#define GT_CRAWLER_WARC_FIELDS_H

#include <stdint.h>

#include "common/strbuf.h"

enum { WARC_FIELDS_BYTES_MAX = 8 * 1024 * 1024 }; /* the figures of the largest week that is published are the longest */

/* Adds a field; what would break out of its line becomes a blank. An empty value adds nothing. */
void fields_add(struct strbuf *out, const char *name, struct gt_str value);

/* Adds a number, or a moment (RFC 3339). */
void fields_add_number(struct strbuf *out, const char *name, int64_t number);
void fields_add_time(struct strbuf *out, const char *name, int64_t t_unix_s);

/* Reads them back; `otherwise` where the field is not there or none of its kind. */
int64_t fields_number(struct gt_str fields, const char *name, int64_t otherwise);
int64_t fields_time(struct gt_str fields, const char *name, int64_t otherwise);

#endif
