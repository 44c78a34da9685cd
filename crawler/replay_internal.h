/* The state of one replay, shared by the files replay*.c. */
#ifndef GT_CRAWLER_REPLAY_INTERNAL_H
#define GT_CRAWLER_REPLAY_INTERNAL_H

#include "common/digest.h"
#include "crawler/crawl_internal.h"
#include "crawler/replay.h"

enum { REPLAY_UUID_BYTES = 16 };

#define REPLAY_ARENA_MAX ((size_t)2 << 30)

/* ---- replay_index.c: where records are, by id ---- */

struct replay_index {
    struct known_record *items; /* malloc'ed; open addressing, a power of two */
    size_t count, cap;
    struct gt_str *files; /* each name once */
    size_t file_count, file_cap;
    struct arena *arena;
};

/* Notes a record that has an id. False when memory is out, or there are too many. */
bool replay_index_add(struct replay_index *index, const struct archive_record *record);

/* Where it is. False when it is not known. */
bool replay_index_find(const struct replay_index *index, struct gt_str record_id, struct gt_str *ret_file, int64_t *ret_offset);
void replay_index_done(struct replay_index *index);

/* ---- replay_section.c: what a site's section said ---- */

/* One section, read once. */
struct replay_section {
    struct replay_section *next;
    struct gt_str key; /* record id of its text; or the site's name, for today's */
    struct conf *conf; /* owned; NULL for today's */
    struct arena *arena;
    const struct conf_section *section;
    struct site_plan plan;
    struct site_facts facts;
    struct site_rules *rules;
    struct jail *jail; /* where its pages are read; NULL: not open now */
    uint64_t used;
    struct gt_str fault; /* why it cannot be used; empty when it can */
};

struct replay;

/* The section of a site: that of a record, or (empty id, or today wanted) today's. One that cannot be used has a fault. GT_OK; GT_ENOMEM … */
enum gt_err replay_section_get(struct replay *replay, struct gt_str site, struct gt_str record_id,
                               struct replay_section **ret_section, struct gt_errinfo *info);

/* Opens its jail, closing that which was not used longest when there are too many. */
enum gt_err replay_jail_open(struct replay *replay, struct replay_section *section, struct gt_errinfo *info);
void replay_sections_free(struct replay *replay);

/* ---- replay_part.c: from archived bytes to a part ---- */

/* The digest that a part's pages had when they were last read in this replay: an unchanged run after it needs no second reading. */
struct replay_seen {
    struct replay_seen *next;
    struct gt_str site, part;
    uint8_t body_sha256[SHA256_BYTES];
};

/* Where a record is: by the index, else by whom the options name. False when nobody knows. */
bool replay_place_find(const struct replay *replay, struct gt_str record_id, struct arena *arena, struct gt_str *ret_file, int64_t *ret_offset);

/* Finds and reads a record, borrowed until the next one is read. GT_ENOENT when nobody knows where it is; GT_ECORRUPT when another lies
 * there, or its digest does not hold; as archive_read. */
enum gt_err replay_record_get(struct replay *replay, struct gt_str record_id, struct arena *arena, struct archive_record *ret_record,
                              struct gt_errinfo *info);

/* Reads one part by its outcome's fields into `part`, whose site and plan are set. *ret_unread: its bytes could not be had. */
enum gt_err replay_part_read(struct replay *replay, struct replay_section *section, struct gt_str fields, struct part_job *part,
                             bool *ret_unread, struct gt_errinfo *info);

/* ---- the whole ---- */

/* An outcome that waits for those of its stream that began earlier. */
struct replay_deferred {
    char *fields; /* malloc'ed */
    size_t len, order;
    int64_t t_unix_s;
};

struct replay {
    const struct replay_options *options;
    const struct replay_fns *fns;
    struct archive *archive; /* read in order */
    struct archive *lookup;  /* read here and there */
    struct arena *arena;
    struct replay_index index;
    struct replay_section *sections;
    struct replay_seen *seen;
    size_t jail_count;
    uint64_t clock;
    struct warc_place *places; /* malloc'ed; not yet handed over */
    size_t place_count, place_cap;
    bool is_past_committed;
    /* the outcome that is being put together */
    struct strbuf *outcomes; /* malloc'ed; the fields of its parts */
    size_t outcome_count, outcome_wanted;
    struct replay_deferred *deferred; /* malloc'ed: outcomes of other provenance, for the end */
    size_t deferred_count, deferred_cap;
    struct replay_counts counts;
};

#endif
