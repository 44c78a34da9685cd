/* What the operator did, as a record of the archive: it is written and synced before the store does it, and done again by a rebuild. */
#ifndef GT_CRAWLER_ARCHIVE_ACTION_H
#define GT_CRAWLER_ARCHIVE_ACTION_H

#include "common/conf.h"
#include "crawler/warc.h"
#include "pricing/offer.h"

enum archive_action_kind { ACTION_VOID, ACTION_RELEASE, ACTION_SILENCE, ACTION_IMPORT, ACTION_PUBLISH, ACTION_DROP, ACTION_KINDS };

/* One action. Texts are borrowed; empty or 0 where they do not belong to the kind. */
struct archive_action {
    enum archive_action_kind kind;
    int64_t t_unix_s;
    struct gt_str reason;            /* void, release */
    struct gt_str site;              /* of the offer; import: the site, where one was named */
    struct offer_identity identity;  /* void, release: printed words, for numbers may differ in a rebuilt store */
    int64_t run_start_unix_s;        /* void: the run that began the span */
    struct gt_str rule;              /* silence: whose events are held back */
    int64_t until_unix_s;            /* silence; 0 ends it. drop: the first month whose pages all stay */
    struct gt_str file, file_sha256; /* import: what was read. drop: where the history begins that stands for the pages … */
    int64_t offset, records;         /* … drop: and in how many records it lies (archive_history.h) */
    int64_t pages, bytes;            /* drop: how many pages, and how long their blocks were */
    struct gt_str week, head, rows;  /* publish: which week, and what was told of it, as the store keeps it */
};

/* The word of a kind: "void". */
const char *archive_action_word(enum archive_action_kind kind);

/* Writes an action with a writer that is open, without syncing. Errors as warc_write. */
enum gt_err archive_action_write(struct warc_writer *writer, const struct archive_action *action, struct warc_place *ret_place,
                                 struct gt_errinfo *info);

/* Opens the archive in `folder`, writes one action, syncs, closes. The caller holds the run lock. Errors as warc_writer_open and warc_write. */
enum gt_err archive_action_put(const char *folder, const struct gt_clock *clock, const struct archive_action *action,
                               struct gt_errinfo *info);

/* Writes a site's section, under the defaults that it is read with: alone it would say something else next year. GT_ENOMEM; errors as warc_write. */
enum gt_err archive_section_write(struct warc_writer *writer, struct conf *conf, const struct conf_section *section,
                                  int64_t t_unix_s, struct arena *arena, struct warc_place *ret_place, struct gt_errinfo *info);

/* Reads the fields of a metadata record. False when they are no action. */
bool archive_action_read(struct gt_str fields, struct archive_action *ret_action);

#endif
