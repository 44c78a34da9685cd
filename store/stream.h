/* Streams and what their sites say of themselves, as bytes. */
#ifndef GT_STORE_STREAM_H
#define GT_STORE_STREAM_H

#include "store/codec.h"
#include "store/store.h"

/* One series of runs that is never mixed with another: (site, part, provenance, writer). */
struct stream {
    struct gt_str site, part, writer;
    enum provenance provenance;
};

/* What holds for all offers of a part and changes rarely: kept once, each run says when another version began. */
struct facts {
    struct gt_str title, url, rule_version;
    enum site_kind kind;
    enum market market;
    struct net_rules net_rules;
    bool is_sample;
};

/* A stream as the bytes that its id stands for. Decoders: GT_OK; GT_ECORRUPT; GT_ENOMEM. */
void enc_stream(struct strbuf *buf, const struct stream *stream);
enum gt_err dec_stream(struct gt_str bytes, struct arena *arena, struct stream *ret_stream);

/* By site, then part. */
int stream_part_cmp(const struct stream *a, const struct stream *b);

/* Facts as the bytes that their id stands for. */
void enc_facts(struct strbuf *buf, const struct facts *facts);
enum gt_err dec_facts(struct gt_str bytes, struct arena *arena, struct facts *ret_facts);

/* The page behind one run of a part: where its bytes lie in the archive. */
struct run_page {
    uint8_t sha256[32];
    uint32_t warc_file; /* id of its text */
    int64_t warc_offset;
    struct gt_str record_id;
};

/* A page; ids of the form "urn:uuid:…" take 16 bytes. */
void enc_page(struct strbuf *buf, const struct run_page *page);
enum gt_err dec_page(struct gt_str bytes, struct arena *arena, struct run_page *ret_page);

#endif
