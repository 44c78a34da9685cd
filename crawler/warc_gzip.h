/* One gzip member a record, each stating its own length in an extra field (RFC 1952, 2.3.1.1), so that a file is walked without
 * unpacking. */
#ifndef GT_CRAWLER_WARC_GZIP_H
#define GT_CRAWLER_WARC_GZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum { GZIP_HEAD_BYTES = 24, GZIP_TAIL_BYTES = 8 };

/* What packs: tables of some 300 KiB, which are worth keeping from one record to the next. NULL when memory is out. */
struct libdeflate_compressor *gzip_packer_new(void);

/* NULL is accepted. */
void gzip_packer_free(struct libdeflate_compressor *packer);

/* Packs `plain` into one member; what the packer packed before makes no difference. *ret_member is malloc'ed. GT_OK, GT_ENOMEM, GT_ELIMIT
 * (4 GiB). */
enum gt_err gzip_member_make(struct libdeflate_compressor *packer, struct gt_str plain, char **ret_member, size_t *ret_len);

/* Reads the lengths off a member's first GZIP_HEAD_BYTES. False when it is not one of ours. */
bool gzip_head_read(const char head[GZIP_HEAD_BYTES], uint32_t *ret_member_len, uint32_t *ret_plain_len);

/* The `plain_len` bytes of a whole member whose checksum holds, malloc'ed; NULL when it is none, or memory is out. */
char *gzip_member_unpack(struct gt_str member, uint32_t plain_len);

#endif
