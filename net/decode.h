/* Undoing HTTP content codings ourselves: libcurl's own decoding takes a cut stream for a whole one and knows no ceiling. */
#ifndef GT_NET_DECODE_H
#define GT_NET_DECODE_H

#include <stdbool.h>

#include "common/err.h"
#include "common/str.h"

enum { DECODE_LAYERS_MAX = 5 };

/* True when `codings` (Content-Encoding fields, comma-joined) names nothing to undo: empty or "identity". */
bool decode_is_identity(struct gt_str codings);

/* What decoding keeps from one body to the next, so that it need not be made anew. Not for use by several threads at once. */
struct decoder;

/* A decoder; NULL when memory is out. Free with decoder_free, which accepts NULL. */
struct decoder *decoder_new(void);
void decoder_free(struct decoder *decoder);

/* Undoes `codings` on `wire`, last one first: gzip, x-gzip, deflate (zlib-wrapped or raw), br, zstd, identity.
 *
 *  decoder     may be NULL: one is made for the call.
 *  wire        borrowed. Empty stands for an empty body under any coding.
 *  bytes_max   no layer may become larger.
 *  ret_bytes   malloc'ed, the caller frees it; set on GT_OK, and on GT_ELIMIT to the first bytes_max bytes of the outermost
 *              layer that
 *              was too large (empty when that was not the last layer), else untouched.
 *
 * GT_OK: every stream ended where the bytes end and its checksum held. GT_EINCOMPLETE: cut, corrupt, or bytes behind the end.
 * GT_ELIMIT. GT_EFORMAT: a coding that is not known, or more than DECODE_LAYERS_MAX. GT_ENOMEM. `info` says which in one
 * sentence. */
enum gt_err decode_body(struct decoder *decoder, struct gt_str codings, struct gt_str wire, size_t bytes_max, char **ret_bytes,
                        size_t *ret_len, struct gt_errinfo *info);

#endif
