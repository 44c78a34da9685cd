/* The decoders behind decode.h: one function a coding, all with one shape. */
#ifndef GT_NET_DECODE_STREAM_H
#define GT_NET_DECODE_STREAM_H

#include <stdbool.h>

#include "common/err.h"
#include "common/str.h"

/* A growing output with a ceiling. */
struct decoded {
    char *bytes; /* malloc'ed; `cap` of them */
    size_t len, cap;
    size_t bytes_max;
};

/* Makes more room: four times as much, never above bytes_max. GT_ELIMIT when the ceiling is reached, GT_ENOMEM. */
enum gt_err decoded_grow(struct decoded *out);

/* What is kept between bodies. */
struct decoder {
    struct libdeflate_decompressor *inflater;
};

/* Decodes a whole stream behind out->len. GT_OK; GT_EINCOMPLETE; GT_ELIMIT with the first bytes_max bytes in place; GT_ENOMEM. */
typedef enum gt_err decode_fn(struct decoder *decoder, struct gt_str wire, struct decoded *out);

decode_fn decode_gzip;    /* RFC 1952; several members; CRC and length checked */
decode_fn decode_deflate; /* RFC 1950 as RFC 9110 says, or bare RFC 1951 as some servers send */
decode_fn decode_brotli;  /* RFC 7932 */
decode_fn decode_zstd;    /* RFC 8878, window at most 8 MiB (RFC 9659); several frames */

#endif
