/* A part out of the archive. The outcome says what became of it then; where there were rows, the archived bytes are read again by the very
 * code that read them at the crawl. */
#include "common/digest.h"
#include "crawler/replay_internal.h"
#include "crawler/warc_fields.h"
#include "crawler/warc_payload.h"
#include "net/header.h"

/* One answer of the archive, as the client would have given it. */
struct replayed_answer {
    struct http_response response;
    struct gt_str record_id;
    int64_t record_unix_s;
};

/* An archived answer, its texts in the arena. */
static enum gt_err answer_get(struct replay *replay, struct gt_str record_id, struct arena *arena,
                              struct replayed_answer *ret_answer, struct gt_errinfo *info)
{
    struct archive_record record;
    struct warc_answer answer;
    struct gt_str http_head, wire;
    enum gt_err err = replay_record_get(replay, record_id, arena, &record, info);
    if (err == GT_OK) err = warc_answer_read(&record.entry, arena, &answer, info);
    if (err != GT_OK) return err;
    warc_entry_split(&record.entry, &http_head, &wire);
    struct http_response *response = &ret_answer->response;
    bool is_borrowed = answer.body.ptr == wire.ptr;
    if (gt_str_is(record.entry.type, "resource")) {
        /* a page that a browser rendered: no answer of a server, so it has no head but its type */
        answer.status = 200;
        answer.head = arena_printf(arena, "HTTP/1.1 200 OK\r\nContent-Type: %.*s\r\n\r\n",
                                   GT_STR_ARG(header_find(record.entry.head, "Content-Type", 0)));
    }
    *ret_answer = (struct replayed_answer){.record_id = arena_dup(arena, record.entry.record_id),
                                           .record_unix_s = fields_time(record.entry.head, "WARC-Date", 0)};
    response->status = answer.status;
    response->url = arena_dup(arena, record.entry.target_uri);
    response->head = arena_dup(arena, answer.head);
    response->wire = arena_dup(arena, wire);
    response->body = is_borrowed ? response->wire : answer.body;
    response->is_length_known = true; /* it was judged then whether it is whole */
    if (answer.is_truncated) response->err = GT_EINCOMPLETE;
    bool has_memory = response->url.ptr != NULL && response->head.ptr != NULL && response->wire.ptr != NULL;
    return has_memory ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
}

/* Reads one page of the part: "RECORD-ID ADDRESS". */
static enum gt_err page_read(struct replay *replay, struct replay_section *section, struct part_job *part, struct gt_str text,
                             struct gt_errinfo *info)
{
    struct arena *arena = part->site->arena;
    struct gt_str record_id, rest = text;
    struct replayed_answer answer;
    struct page_job *page = arena_alloc(arena, sizeof *page);
    if (page == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    if (!gt_str_split(&rest, ' ', &record_id)) return gt_fail(info, GT_EFORMAT, "an outcome names a page without an address");
    *page = (struct page_job){.part = part, .is_done = true, .is_followed = part->page_count > 0};
    enum gt_err err = url_parse(gt_str_trim(rest), arena, &page->url, info);
    if (err == GT_OK) err = answer_get(replay, record_id, arena, &answer, info);
    if (err == GT_OK) err = replay_jail_open(replay, section, info);
    if (err != GT_OK) return err;
    page->hop = page->url;
    page->http_code = answer.response.status;
    page_remember(page, &answer.response);
    page->seen.final_url = answer.response.url;
    page->seen.record_id = answer.record_id;
    page->seen.record_unix_s = answer.record_unix_s;
    struct page_case judged = {.response = &answer.response,
                               .rules = section->rules,
                               .charset = conf_text(section->section, "charset"),
                               .is_followed = page->is_followed};
    jail_page_judge(section->jail, &judged, arena, &page->verdict);
    part->pages[part->page_count++] = page;
    return GT_OK;
}

/* All pages of the part, and what they amount to. */
static enum gt_err pages_read(struct replay *replay, struct replay_section *section, struct gt_str fields, struct part_job *part,
                              struct gt_errinfo *info)
{
    struct gt_str text;
    for (size_t i = 0; (text = header_find(fields, "gputape-page", i)).len > 0; i++) {
        if (part->page_count == VALIDATOR_PAGES_MAX)
            return gt_fail(info, GT_ELIMIT, "an outcome with more than %d pages", VALIDATOR_PAGES_MAX);
        enum gt_err err = page_read(replay, section, part, text, info);
        if (err != GT_OK) return err;
    }
    if (part->page_count == 0) return gt_fail(info, GT_EFORMAT, "an outcome without a page");
    part_result_fill(part);
    return GT_OK;
}

/* What the outcome says, without the offers. */
static void outcome_read(struct gt_str fields, struct crawled_part *ret_part)
{
    int status = (int)STATUS_FAILED;
    word_find(VOCABULARY_STATUS, header_find(fields, "gputape-status", 0), &status);
    *ret_part = (struct crawled_part){.name = header_find(fields, "gputape-part", 0),
                                      .status = (enum part_status)status,
                                      .http_code = (int32_t)fields_number(fields, "gputape-http-code", 0),
                                      .body_bytes = fields_number(fields, "gputape-body-bytes", 0),
                                      .reason = header_find(fields, "gputape-reason", 0),
                                      .is_full_fetch = gt_str_is(header_find(fields, "gputape-full-fetch", 0), "yes"),
                                      .rows_found = (int32_t)fields_number(fields, "gputape-rows-found", 0),
                                      .rows_refused = (int32_t)fields_number(fields, "gputape-rows-refused", 0)};
    /* a part without bytes has no digest */
    digest_hex_read(header_find(fields, "gputape-body-sha256", 0), ret_part->body_sha256, sizeof ret_part->body_sha256);
    ret_part->url = header_find(fields, "WARC-Target-URI", 0);
    ret_part->record_id = header_find(fields, "WARC-Refers-To", 0);
    if (gt_str_starts(ret_part->record_id, GT_STR("<")))
        ret_part->record_id = gt_str_slice(ret_part->record_id, 1, ret_part->record_id.len - 2);
}

/* The digest that the part had when it was last read here; made when there is none. NULL when memory is out. */
static struct replay_seen *seen_of(struct replay *replay, struct gt_str site, struct gt_str part, bool *ret_is_new)
{
    *ret_is_new = false;
    for (struct replay_seen *at = replay->seen; at != NULL; at = at->next)
        if (gt_str_eq(at->site, site) && gt_str_eq(at->part, part)) return at;
    struct replay_seen *made = arena_alloc(replay->arena, sizeof *made);
    if (made == NULL) return NULL;
    *made = (struct replay_seen){replay->seen, arena_dup(replay->arena, site), arena_dup(replay->arena, part), {0}};
    replay->seen = made;
    *ret_is_new = true;
    return made;
}

/* Whether the pages are to be read again. By the rules of then: where there were rows. By today's: also where there were none, and where the
 * bytes were those of the run before it, but not read here. */
static bool is_to_be_read(struct replay *replay, const struct crawled_part *then, bool is_seen)
{
    bool had_rows = then->status == STATUS_OK || then->status == STATUS_DRIFTED;
    if (!replay->options->with_today) return had_rows;
    bool has_page = then->status == STATUS_BLOCKED || (then->status == STATUS_FAILED && then->http_code == 200);
    return had_rows || has_page || (then->status == STATUS_UNCHANGED && !is_seen);
}

enum gt_err replay_part_read(struct replay *replay, struct replay_section *section, struct gt_str fields, struct part_job *part,
                             bool *ret_unread, struct gt_errinfo *info)
{
    struct gt_errinfo fault = {0};
    struct crawled_part then, *result = &part->result;
    struct arena *arena = part->site->arena;
    bool is_new;
    outcome_read(fields, &then);
    /* the place of the record that the run names, as the crawl told it */
    if (then.record_id.len > 0) replay_place_find(replay, then.record_id, arena, &then.warc_file, &then.warc_offset);
    struct replay_seen *seen = seen_of(replay, section->facts.site, then.name, &is_new);
    if (seen == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    *ret_unread = false;
    *result = then;
    if (!is_to_be_read(replay, &then, !is_new && memcmp(seen->body_sha256, then.body_sha256, sizeof then.body_sha256) == 0))
        return GT_OK;
    result->rows_found = result->rows_refused = 0; /* the reading counts them, page by page */
    enum gt_err err = section->fault.len > 0 ? gt_fail(&fault, GT_ECONF, "%.*s", GT_STR_ARG(section->fault))
                                             : pages_read(replay, section, fields, part, &fault);
    if (err == GT_ENOMEM) return gt_fail(info, err, "%s", fault.text);
    if (err != GT_OK) {
        /* what cannot be read changes no price; that it cannot is told */
        *result = then;
        result->status = STATUS_FAILED;
        result->reason = arena_printf(arena, "the archive cannot be read: %s", fault.text);
        *ret_unread = true;
        return GT_OK;
    }
    memcpy(seen->body_sha256, then.body_sha256, sizeof then.body_sha256);
    /* facts of the fetch are those of then; what was made of it may be new */
    result->name = then.name;
    result->url = then.url;
    result->http_code = then.http_code;
    result->body_bytes = then.body_bytes;
    memcpy(result->body_sha256, then.body_sha256, sizeof then.body_sha256);
    result->record_id = then.record_id;
    result->warc_file = then.warc_file;
    result->warc_offset = then.warc_offset;
    result->is_full_fetch = then.is_full_fetch && result->status != STATUS_FAILED;
    if (result->status == STATUS_DRIFTED) result->validator_key = validators_key(section->facts.site, then.name, arena);
    return GT_OK;
}
