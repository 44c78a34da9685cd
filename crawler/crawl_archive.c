/* What a crawl writes into the archive. Enough stands there to rebuild the store: bytes, outcomes, the sections in force. */
#include <stdio.h>

#include "common/digest.h"
#include "common/strbuf.h"
#include "crawler/archive_action.h"
#include "crawler/crawl_internal.h"
#include "crawler/warc_fields.h"
#include "net/header.h"

enum { HEAD_BYTES_EXTRA = 256 };

/* ---- answers ---- */

/* The head as received, but for Transfer-Encoding: its coding is undone, so the field would be a lie. It is kept under another
 * name. */
static struct gt_str head_mask(struct gt_str head, struct arena *arena)
{
    struct strbuf buf;
    struct gt_str rest = head, masked = {NULL, 0};
    strbuf_init(&buf, head.len + HEAD_BYTES_EXTRA);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end != NULL ? (size_t)(end - rest.ptr) + 1 : rest.len;
        struct gt_str line = gt_str_slice(rest, 0, len);
        if (gt_str_eq_nocase(gt_str_slice(line, 0, 18), GT_STR("Transfer-Encoding:"))) strbuf_adds(&buf, "X-Crawl-");
        strbuf_add(&buf, line);
        rest = gt_str_slice(rest, len, SIZE_MAX);
    }
    /* a head that broke off still needs its end */
    struct gt_str so_far = strbuf_str(&buf);
    if (!gt_str_ends(so_far, GT_STR("\r\n\r\n")) && !gt_str_ends(so_far, GT_STR("\n\n")))
        strbuf_adds(&buf, gt_str_ends(so_far, GT_STR("\n")) ? "\r\n" : "\r\n\r\n");
    if (buf.err == GT_OK) masked = arena_dup(arena, strbuf_str(&buf));
    strbuf_done(&buf);
    return masked;
}

/* Why the payload in the archive is not whole (WARC-Truncated); "" when it is. A body that only failed to unpack is whole as
 * received. */
static const char *truncation_of(const struct http_response *response)
{
    switch (response->err) {
    case GT_ELIMIT: return response->wire.len > 0 && response->body.ptr == response->wire.ptr ? "length" : "";
    case GT_ETIMEOUT: return "time";
    case GT_EINCOMPLETE:
    case GT_ENET: return response->body.ptr == response->wire.ptr ? "disconnect" : "";
    default: return "";
    }
}

/* Turns a response record into a revisit where the archive holds the payload already. The empty payload is never referred to. */
static void revisit_make(struct warc_record *record, const struct http_response *response, const struct known_page *known)
{
    bool is_not_modified = response->status == 304;
    if (known == NULL || known->record_id.len == 0 || response->err != GT_OK) return;
    bool is_same = response->status == 200 && response->wire.len > 0 && gt_str_eq(record->payload_digest, known->wire_digest);
    if (!is_not_modified && !is_same) return;
    record->type = WARC_REVISIT;
    record->profile = is_same ? WARC_PROFILE_SAME_PAYLOAD : WARC_PROFILE_NOT_MODIFIED;
    record->refers_to = known->record_id;
    record->refers_to_uri = known->final_url;
    record->refers_to_unix_s = known->record_unix_s;
    /* the headers are kept in both cases: they are what is new */
    record->body = GT_STR("");
    if (is_same) record->truncated = GT_STR("length");
    else record->payload_digest = (struct gt_str){NULL, 0};
}

/* Remembers where a record of the site went, for whoever commits the run. */
static enum gt_err place_note(struct site_job *site, const struct warc_place *place, struct gt_errinfo *info)
{
    void *places = site->places;
    if (!arena_grow(site->arena, &places, site->place_count, &site->place_cap, sizeof *site->places))
        return gt_fail(info, GT_ENOMEM, "out of memory");
    site->places = places;
    site->places[site->place_count++] = *place;
    return GT_OK;
}

/* Writes an answer and the request that led to it. */
static enum gt_err exchange_write(struct crawl *crawl, struct warc_record *record, struct gt_str request_head,
                                  struct gt_str request_body, struct warc_place *ret_place)
{
    struct gt_errinfo info = {0};
    struct warc_place place, request_place;
    enum gt_err err = warc_write(crawl->archive, record, &place, &info);
    struct warc_record request = {.type = WARC_REQUEST,
                                  .target_uri = record->target_uri,
                                  .t_unix_s = record->t_unix_s,
                                  .concurrent_to = gt_str_from(place.record_id),
                                  .address = record->address,
                                  .content_type = GT_STR("application/http;msgtype=request"),
                                  .head = request_head,
                                  .body = request_body};
    if (err == GT_OK) err = warc_write(crawl->archive, &request, &request_place, &info);
    if (err != GT_OK) crawl_break(crawl, err, "%s", info.text);
    else *ret_place = place;
    return err;
}

/* The response record of an answer, before it is known whether it can be a revisit. */
static struct warc_record record_of(const struct http_response *response, struct gt_str head, int64_t begin_unix_s)
{
    return (struct warc_record){.type = WARC_RESPONSE,
                                .target_uri = response->url,
                                .t_unix_s = begin_unix_s,
                                .address = response->address,
                                .content_type = GT_STR("application/http;msgtype=response"),
                                .head = head,
                                .body = response->wire,
                                .truncated = gt_str_from(truncation_of(response))};
}

void archive_answer(struct page_job *page, const struct http_response *response)
{
    struct site_job *site = page->part->site;
    struct crawl *crawl = site->crawl;
    char digest[SHA1_BASE32_MAX], stated[SHA1_BASE32_MAX + 8];
    /* each answer replaces the one before: the last one is what the page came to */
    page->place = (struct warc_place){.offset = 0};
    if (response->head.len == 0) return;
    struct gt_str head = head_mask(response->head, site->arena);
    if (head.ptr == NULL || digest_sha1_base32(response->wire, digest) != GT_OK) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    struct warc_record record = record_of(response, head, page->begin_unix_s);
    snprintf(stated, sizeof stated, "sha1:%s", digest);
    record.payload_digest = gt_str_from(stated);
    const struct known_page *known = page->part->known != NULL ? validators_find(page->part->known, page->url.href) : NULL;
    revisit_make(&record, response, known);
    struct gt_str body = page->is_post ? site->plan.body : GT_STR("");
    if (exchange_write(crawl, &record, response->request_head, body, &page->place) != GT_OK) return;
    if (place_note(site, &page->place, NULL) != GT_OK) crawl_break(crawl, GT_ENOMEM, "out of memory");
    /* where the payload is: in this record, or where the revisit points to */
    bool is_revisit = record.type == WARC_REVISIT;
    page->seen.record_id = is_revisit ? record.refers_to : arena_dup(site->arena, gt_str_from(page->place.record_id));
    page->seen.record_unix_s = is_revisit ? record.refers_to_unix_s : record.t_unix_s;
}

/* What the browser showed is a resource, not a response: no server sent these bytes. */
void archive_rendered(struct page_job *page, const struct http_response *response, struct gt_str loads)
{
    struct site_job *site = page->part->site;
    struct crawl *crawl = site->crawl;
    struct gt_errinfo info = {0};
    struct warc_place place, loads_place;
    struct warc_record record = {.type = WARC_RESOURCE,
                                 .target_uri = response->url,
                                 .t_unix_s = page->begin_unix_s,
                                 .content_type = header_find(response->head, "Content-Type", 0),
                                 .body = response->body};
    enum gt_err err = warc_write(crawl->archive, &record, &place, &info);
    struct warc_record beside = {.type = WARC_METADATA,
                                 .target_uri = response->url,
                                 .t_unix_s = page->begin_unix_s,
                                 .concurrent_to = gt_str_from(place.record_id),
                                 .content_type = GT_STR("application/warc-fields"),
                                 .body = loads};
    if (err == GT_OK) err = warc_write(crawl->archive, &beside, &loads_place, &info);
    if (err == GT_OK) err = place_note(site, &place, &info);
    if (err != GT_OK) {
        crawl_break(crawl, err, "%s", info.text);
        return;
    }
    page->place = place;
    page->seen.record_id = arena_dup(site->arena, gt_str_from(place.record_id));
    page->seen.record_unix_s = record.t_unix_s;
}

void archive_robots(struct origin *origin, const struct http_response *response)
{
    struct crawl *crawl = origin->crawl;
    struct warc_place place;
    if (response->head.len == 0) return;
    struct gt_str head = head_mask(response->head, crawl->arena);
    if (head.ptr == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    struct warc_record record = record_of(response, head, clock_unix_s(crawl->options->clock));
    exchange_write(crawl, &record, response->request_head, GT_STR(""), &place);
}

/* ---- outcomes ---- */

/* What all parts of one run have in common: with it, a rebuild groups records into runs again. */
static void add_run(struct strbuf *out, const struct site_job *site, struct gt_str section_id)
{
    fields_add(out, "gputape-outcome", GT_STR("run"));
    fields_add(out, "gputape-site", site->name);
    fields_add_time(out, "gputape-run-start", site->start_unix_s);
    fields_add_number(out, "fetchTimeMs", site->latency_ms);
    fields_add(out, "gputape-rule-version", gt_str_from(site->plan.rule_version));
    fields_add(out, "gputape-section", section_id);
    if (site->is_sample) fields_add(out, "gputape-sample", GT_STR("yes"));
    fields_add_number(out, "gputape-parts", (int64_t)site->plan.part_count);
}

/* Where each page's bytes are; a part of several pages is rebuilt from all of them. */
static void add_pages(struct strbuf *out, const struct part_job *part)
{
    for (size_t i = 0; i < part->page_count; i++) {
        const struct page_job *page = part->pages[i];
        struct gt_str id = page->seen.record_id.len > 0 ? page->seen.record_id : gt_str_from(page->place.record_id);
        strbuf_addf(out, "gputape-page: %.*s %.*s\r\n", GT_STR_ARG(id.len > 0 ? id : GT_STR("-")), GT_STR_ARG(page->url.href));
    }
}

/* What the store keeps of one part, and nothing that can be had by reading the page again. */
static void add_part(struct strbuf *out, const struct part_job *part)
{
    const struct crawled_part *result = &part->result;
    char hex[SHA256_HEX_MAX];
    digest_hex(result->body_sha256, sizeof result->body_sha256, hex);
    fields_add(out, "gputape-part", result->name);
    fields_add(out, "gputape-status", gt_str_from(word_text(VOCABULARY_STATUS, (int)result->status)));
    fields_add_number(out, "gputape-http-code", result->http_code);
    fields_add_number(out, "gputape-body-bytes", result->body_bytes);
    fields_add(out, "gputape-body-sha256", gt_str_from(hex));
    fields_add(out, "gputape-full-fetch", result->is_full_fetch ? GT_STR("yes") : GT_STR("no"));
    fields_add_number(out, "gputape-rows-found", result->rows_found);
    fields_add_number(out, "gputape-rows-refused", result->rows_refused);
    fields_add(out, "gputape-reason", result->reason);
    add_pages(out, part);
}

/* The section as it is in force, once per version: its text and the id of the record that holds it are remembered. */
static enum gt_err section_write(struct site_job *site, struct gt_str *ret_id, struct gt_errinfo *info)
{
    struct crawl *crawl = site->crawl;
    struct arena *arena = site->arena;
    struct gt_str key = arena_printf(arena, "section:%.*s", GT_STR_ARG(site->name)), value,
                  version = gt_str_from(site->plan.rule_version);
    struct warc_place place;
    if (key.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = crawl->memory->get(crawl->memory->ctx, "pages", key, arena, &value);
    if (err == GT_OK && gt_str_starts(value, version) && value.len > version.len + 1) {
        *ret_id = gt_str_slice(value, version.len + 1, SIZE_MAX);
        return GT_OK;
    }
    if (err != GT_OK && err != GT_ENOENT)
        return gt_fail(info, err, "what is known of %.*s cannot be read", GT_STR_ARG(site->name));
    err = archive_section_write(crawl->archive, crawl->options->conf, site->section, crawl->start_unix_s, arena, &place, info);
    if (err == GT_OK) err = place_note(site, &place, info);
    if (err != GT_OK) return err;
    *ret_id = arena_dup(arena, gt_str_from(place.record_id));
    value = arena_printf(arena, "%s %s", site->plan.rule_version, place.record_id);
    if (value.ptr == NULL || ret_id->ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    site->section_key = key;
    site->section_value = value;
    return GT_OK;
}

/* A record a part even when nothing was fetched: that it failed, and why, is history as well. */
enum gt_err archive_site(struct site_job *site, struct gt_errinfo *info)
{
    struct crawl *crawl = site->crawl;
    struct gt_str section_id = GT_STR("");
    enum gt_err err = section_write(site, &section_id, info);
    for (size_t i = 0; i < site->plan.part_count && err == GT_OK; i++) {
        const struct part_job *part = &site->parts[i];
        struct strbuf fields;
        struct warc_place place;
        strbuf_init(&fields, WARC_FIELDS_BYTES_MAX);
        add_run(&fields, site, section_id);
        add_part(&fields, part);
        struct warc_record record = {.type = WARC_METADATA,
                                     .target_uri = part->result.url,
                                     .t_unix_s = site->start_unix_s,
                                     .refers_to = part->result.record_id,
                                     .content_type = GT_STR("application/warc-fields"),
                                     .body = strbuf_str(&fields)};
        err =
            fields.err != GT_OK ? gt_fail(info, fields.err, "out of memory") : warc_write(crawl->archive, &record, &place, info);
        if (err == GT_OK) err = place_note(site, &place, info);
        strbuf_done(&fields);
    }
    warc_writer_at(crawl->archive, site->archive_end.file, &site->archive_end.offset);
    return err;
}

/* Synced: with it on disk a rebuild knows where the crawl ended and what it decided. */
enum gt_err archive_crawl(struct crawl *crawl, struct gt_errinfo *info)
{
    struct strbuf fields;
    struct warc_place place;
    strbuf_init(&fields, WARC_FIELDS_BYTES_MAX);
    fields_add(&fields, "gputape-outcome", GT_STR("crawl"));
    fields_add_time(&fields, "gputape-crawl-start", crawl->start_unix_s);
    fields_add_time(&fields, "gputape-crawl-end", clock_unix_s(crawl->options->clock));
    fields_add_number(&fields, "gputape-sites-ok", crawl->result.sites_ok);
    fields_add_number(&fields, "gputape-sites-failed", crawl->result.sites_failed);
    fields_add_number(&fields, "gputape-sites-skipped", crawl->result.sites_skipped);
    struct warc_record record = {.type = WARC_METADATA,
                                 .t_unix_s = crawl->start_unix_s,
                                 .content_type = GT_STR("application/warc-fields"),
                                 .body = strbuf_str(&fields)};
    enum gt_err err =
        fields.err != GT_OK ? gt_fail(info, fields.err, "out of memory") : warc_write(crawl->archive, &record, &place, info);
    strbuf_done(&fields);
    return err == GT_OK ? warc_writer_sync(crawl->archive, info) : err;
}
