/* The note keeps what the store's index and other records know of the page: its id (revisits refer to it), its address and its digest. */
#include "crawler/dropped.h"

#include "common/civil.h"
#include "crawler/warc_fields.h"
#include "net/header.h"

static const char field_time[] = "gputape-dropped";
static const char field_bytes[] = "gputape-dropped-bytes";
static const char field_digest[] = "gputape-dropped-digest";

bool dropped_may_be(const struct warc_entry *entry)
{
    struct gt_str http_head, payload;
    bool is_page = gt_str_is(entry->type, "response") || gt_str_is(entry->type, "resource");
    warc_entry_split(entry, &http_head, &payload);
    return is_page && payload.len > 0 && !dropped_is(entry);
}

bool dropped_is(const struct warc_entry *entry)
{
    return header_find(entry->head, field_time, 0).len > 0;
}

/* Fields that say something about the block: it is another one now. */
static bool is_of_block(struct gt_str name)
{
    static const char *const names[] = {"Content-Length", "WARC-Block-Digest", "WARC-Payload-Digest", "WARC-Truncated"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gt_str_eq_nocase(name, gt_str_from(names[i]))) return true;
    return false;
}

/* WARC-Truncated tells other tools, which know no field of ours, that the block is not what was received. Of an answer's head the status alone
 * stays: it is half of what the note takes, and no record is derived from the rest. */
void dropped_note_add(const struct warc_entry *entry, int64_t dropped_unix_s, struct strbuf *out)
{
    struct gt_str rest = entry->head, name, value, http_head, payload;
    warc_entry_split(entry, &http_head, &payload);
    struct gt_str status = gt_str_trim(gt_str_slice(http_head, 0, gt_str_find(http_head, GT_STR("\n"), 0)));
    strbuf_addf(out, "%.*s\r\n", GT_STR_ARG(entry->version));
    while (header_next(&rest, &name, &value))
        if (!is_of_block(name)) strbuf_addf(out, "%.*s: %.*s\r\n", GT_STR_ARG(name), GT_STR_ARG(value));
    fields_add(out, "WARC-Truncated", GT_STR("unspecified"));
    fields_add_time(out, field_time, dropped_unix_s);
    fields_add_number(out, field_bytes, (int64_t)entry->block.len);
    fields_add(out, field_digest, header_find(entry->head, "WARC-Block-Digest", 0));
    fields_add_number(out, "Content-Length", status.len > 0 ? (int64_t)status.len + 4 : 0);
    strbuf_adds(out, "\r\n");
    if (status.len > 0) strbuf_addf(out, "%.*s\r\n\r\n", GT_STR_ARG(status));
    strbuf_adds(out, "\r\n\r\n");
}

struct gt_str dropped_digest(const struct warc_entry *entry)
{
    return header_find(entry->head, dropped_is(entry) ? field_digest : "WARC-Block-Digest", 0);
}

enum gt_err dropped_fail(const struct warc_entry *entry, struct gt_errinfo *info)
{
    char day[CIVIL_TEXT_MAX];
    return gt_fail(info, GT_ENOENT, "page dropped by retention on %s; its records are kept",
                   civil_date(fields_time(entry->head, field_time, 0), 0, day));
}
