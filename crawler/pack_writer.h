/* A pack in the making: what packing files and thinning a pack have in common. Inside crawler/pack_*.c only. */
#ifndef GT_CRAWLER_PACK_WRITER_H
#define GT_CRAWLER_PACK_WRITER_H

#include "crawler/pack_codec.h"
#include "crawler/pack_fold.h"
#include "crawler/pack_sources.h"

struct pack_writer {
    struct arena *arena;
    struct pack_sources sources;
    const char *path;
    int fd;
    int64_t size;
    struct ZSTD_CCtx_s *packer;
    struct strbuf plain, member; /* the present frame; the present member */
    struct strbuf key;           /* the plain bytes of the address's first frame */
    uint32_t key_frame;          /* 1 + its number; 0: none */
    struct fold_hints hints;
    struct gt_str makers;        /* pack_makers */
    struct pack_history history; /* of what was dropped */
    struct pack_frame *frames;
    size_t frame_count, frame_cap;
    struct pack_block *blocks;
    size_t block_count, block_cap;
    struct pack_made made;
    size_t compared; /* records, with their sources */
    struct gt_errinfo *info;
};

/* Makes the file, which must not exist. In every case pack_writer_close ends it, with how it went: after a failure no file is left. */
enum gt_err pack_writer_open(struct pack_writer *writer, const char *path, struct gt_errinfo *info);
void pack_writer_close(struct pack_writer *writer, enum gt_err err);

/* Ends the present frame, whose bytes are in `plain`; nothing when there are none. `is_key`: those that follow are packed against it, unless
 * it is so large that each would cost too much to read. */
enum gt_err pack_frame_end(struct pack_writer *writer, bool is_key);

/* Index, directory and tail, synced: writer->sources say where each record lies. */
enum gt_err pack_writer_finish(struct pack_writer *writer);

/* 1 + the frame against which a frame is packed; 0: it stands alone. */
uint32_t pack_frame_key(const struct pack *pack, uint32_t frame);

#endif
