#include "cli/serve_page.h"

#include "crawler/archive.h"
#include "crawler/warc_payload.h"
#include "net/header.h"
#include "parsers/charset.h"
#include "store/pages.h"

/* A page that did not change is kept once; later records refer to it by its id. The store knows where that is; of pages from before it did, the
 * archive is searched. */
static enum gt_err revisit_follow(struct archive *archive, struct store *store, struct arena *arena, struct archive_record *record,
                                  struct gt_errinfo *info)
{
    struct page_place place;
    struct gt_str id = header_find(record->entry.head, "WARC-Refers-To", 0);
    if (!gt_str_is(record->entry.type, "revisit")) return GT_OK;
    if (gt_str_starts(id, GT_STR("<"))) id = gt_str_slice(id, 1, id.len - 2);
    id = arena_dup(arena, id);
    if (id.len == 0) return gt_fail(info, GT_ECORRUPT, "a record of the archive does not say what it refers to");
    enum gt_err err = store_page_get(store, id, arena, &place, info);
    if (err == GT_ENOENT) return archive_find(archive, id, record, info);
    return err == GT_OK ? archive_read(archive, place.file, place.offset, record, info) : err;
}

/* Found, followed, checked, decoded: a page whose digest does not hold is not shown as what was fetched. */
enum gt_err serve_page_read(const char *folder, struct store *store, struct gt_str warc_file, int64_t offset, size_t bytes_max,
                            struct arena *arena, struct gt_str *ret_text, struct gt_errinfo *info)
{
    struct archive *archive = NULL;
    struct archive_record record;
    struct warc_answer answer;
    struct charset_text text;
    enum gt_err err = archive_open(folder, &archive, info);
    if (err == GT_OK) err = archive_read(archive, warc_file, offset, &record, info);
    if (err == GT_OK) err = revisit_follow(archive, store, arena, &record, info);
    if (err == GT_OK && !warc_entry_check(&record.entry)) err = gt_fail(info, GT_ECORRUPT, "the digest of the archived page does not hold");
    if (err == GT_OK) err = warc_answer_read(&record.entry, arena, &answer, info);
    if (err == GT_OK)
        err = charset_decode(gt_str_slice(answer.body, 0, bytes_max), header_find(answer.head, "Content-Type", 0), (struct gt_str){NULL, 0}, arena,
                             &text, info);
    if (err == GT_OK) *ret_text = arena_dup(arena, gt_str_cut(text.text, bytes_max));
    if (err == GT_OK && ret_text->ptr == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    archive_close(archive);
    return err;
}
