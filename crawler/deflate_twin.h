/* Making a deflate stream again from what it unpacks to: a packed archive keeps plain bytes and, beside them, how the stream was made. */
#ifndef GT_CRAWLER_DEFLATE_TWIN_H
#define GT_CRAWLER_DEFLATE_TWIN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/strbuf.h"

enum deflate_maker { DEFLATE_BY_NOBODY, DEFLATE_BY_LIBDEFLATE, DEFLATE_BY_ZLIB };

/* How a stream (RFC 1951) is made: the library and what it was told. A recipe is good for the library's version on this machine; whoever
 * relies on it compares the result with a digest. */
struct deflate_recipe {
    enum deflate_maker maker;
    uint8_t level, mem_level, window_bits; /* the last two of zlib only */
};

enum { DEFLATE_RECIPE_BYTES = 4 };

/* Looks for a recipe under which `plain` gives exactly `packed`. Tries *recipe first (of the stream before: servers do not change), then
 * what servers and archivers use. False when none does; *recipe is set on success only. */
bool deflate_recipe_find(struct gt_str packed, struct gt_str plain, struct deflate_recipe *recipe);

/* Adds the stream to `out`. GT_OK; GT_ENOMEM, GT_ELIMIT (in out->err, too); GT_ECORRUPT for a recipe that is none. */
enum gt_err deflate_remake(const struct deflate_recipe *recipe, struct gt_str plain, struct strbuf *out);

/* As bytes, and back; false for what is no recipe. */
void deflate_recipe_put(const struct deflate_recipe *recipe, uint8_t ret_bytes[DEFLATE_RECIPE_BYTES]);
bool deflate_recipe_get(const uint8_t bytes[DEFLATE_RECIPE_BYTES], struct deflate_recipe *ret_recipe);

/* The bytes of the gzip header that `member` begins with (RFC 1952, 2.3); 0 when it begins with none. */
size_t gzip_header_len(struct gt_str member);

/* Unpacks the deflate stream at the beginning of `packed` into `out`; *ret_taken: its length. GT_OK; GT_ECORRUPT; GT_EINCOMPLETE; GT_ELIMIT;
 * GT_ENOMEM. */
enum gt_err deflate_unpack(struct gt_str packed, struct strbuf *out, size_t *ret_taken);

#endif
