/* From pages to a part: which pages it has, and what they amount to together. */
#include "common/clock.h"
#include "common/digest.h"
#include "crawler/crawl_internal.h"

const struct known_page *page_known(const struct page_job *page)
{
    const struct part_job *part = page->part;
    const struct site_job *site = part->site;
    /* --force, a restart and other rules have one thing in common: the bytes are to be read, whether they changed or not */
    if (part->known == NULL || part->is_restarted || site->crawl->options->is_forced) return NULL;
    if (!gt_str_is(part->known->rule_version, site->plan.rule_version)) return NULL;
    return validators_find(part->known, page->url.href);
}

/* A further page of the part, not yet in line. NULL ends the crawl. Followed pages are always fetched by GET: the section's
 * body belongs to its own address. */
static struct page_job *page_add(struct part_job *part, const struct url *url, bool is_followed)
{
    struct site_job *site = part->site;
    struct page_job *page = arena_alloc(site->arena, sizeof *page);
    if (page == NULL || part->page_count == VALIDATOR_PAGES_MAX) {
        crawl_break(site->crawl, GT_ENOMEM, "site %.*s: out of memory", GT_STR_ARG(site->name));
        return NULL;
    }
    *page = (struct page_job){.part = part, .url = *url, .hop = *url, .is_followed = is_followed};
    page->is_post = site->plan.is_post && !is_followed;
    part->pages[part->page_count++] = page;
    part->pages_open++;
    return page;
}

/* What the last good run left behind. A value that cannot be read is as good as none: the page is fetched in full. */
static void known_load(struct part_job *part)
{
    struct site_job *site = part->site;
    struct crawl *crawl = site->crawl;
    struct gt_str key = validators_key(site->name, part->plan->name, site->arena), value;
    enum gt_err err = key.ptr != NULL ? crawl->memory->get(crawl->memory->ctx, "validators", key, site->arena, &value) : GT_ENOMEM;
    struct known_part *known = err == GT_OK ? arena_alloc(site->arena, sizeof *known) : NULL;
    if (err == GT_ENOMEM || (err == GT_OK && known == NULL)) {
        crawl_break(crawl, GT_ENOMEM, "site %.*s: out of memory", GT_STR_ARG(site->name));
        return;
    }
    if (err == GT_OK && validators_parse(value, known)) part->known = known;
    if (err != GT_OK && err != GT_ENOENT)
        crawl_break(crawl, err, "site %.*s: its validators cannot be read", GT_STR_ARG(site->name));
}

void part_begin(struct part_job *part)
{
    part->is_begun = true;
    known_load(part);
    struct page_job *page = part->site->crawl->err == GT_OK ? page_add(part, &part->plan->url, false) : NULL;
    if (page != NULL) page_enqueue(page);
}

/* ---- followed pages ---- */

/* Puts one address that `follow` named in line, unless the part has it already. */
static void follow_add(struct part_job *part, struct gt_str address)
{
    struct url url;
    struct gt_errinfo info = {0};
    enum gt_err err = url_parse(address, part->site->arena, &url, &info);
    if (err != GT_OK) {
        /* an address that cannot be fetched is a page that is missing, and the listing not whole */
        struct url none = {.href = address, .host = part->plan->url.host, .origin = part->plan->url.origin};
        struct page_job *page = page_add(part, &none, true);
        if (page != NULL) page_fail(page, STATUS_FAILED, "%s", info.text);
        return;
    }
    for (size_t i = 0; i < part->page_count; i++)
        if (gt_str_eq(part->pages[i]->url.href, url.href)) return; /* the first page may be among those it names */
    struct page_job *page = part->page_count < VALIDATOR_PAGES_MAX ? page_add(part, &url, true) : NULL;
    if (page != NULL) page_enqueue(page);
}

/* Begins the pages that the first one leads to; those of last time when it has not changed. */
static void follow_begin(struct part_job *part)
{
    const struct page_job *first = part->pages[0];
    if (first->is_same) {
        /* the first page was not read again, and its bytes being the same it would name the same pages */
        for (size_t i = 1; i < part->known->page_count; i++) follow_add(part, part->known->pages[i].url);
    } else if (first->verdict.has_extraction) {
        const struct extraction *found = &first->verdict.extraction;
        for (size_t i = 0; i < found->follow_count; i++) follow_add(part, found->follow[i]);
    }
}

/* ---- the outcome ---- */

/* The first page belongs to the rows when it is alone, or names itself among those to follow. */
static bool first_counts(const struct part_job *part)
{
    const struct page_job *first = part->pages[0];
    if (part->page_count == 1 || !first->verdict.has_extraction) return part->page_count == 1;
    struct arena *arena = part->site->arena;
    const struct extraction *found = &first->verdict.extraction;
    for (size_t i = 0; i < found->follow_count; i++) {
        struct url url;
        if (url_parse(found->follow[i], arena, &url, NULL) == GT_OK && gt_str_eq(url.href, first->url.href)) return true;
    }
    return false;
}

/* One digest for all pages: a single page's own, else that of theirs in order. */
static void digest_of(const struct known_page *const *pages, size_t count, uint8_t ret_digest[SHA256_BYTES])
{
    char all[VALIDATOR_PAGES_MAX * SHA256_BYTES];
    for (size_t i = 0; i < count; i++) memcpy(all + i * SHA256_BYTES, pages[i]->body_sha256, SHA256_BYTES);
    if (count == 1) memcpy(ret_digest, all, SHA256_BYTES);
    else digest_sha256((struct gt_str){all, count * SHA256_BYTES}, ret_digest);
}

/* The part's digest, and whether it differs from that of the last good run: only bytes that differ can release a doubt. */
static void result_digest(struct part_job *part)
{
    const struct known_page *now[VALIDATOR_PAGES_MAX], *before[VALIDATOR_PAGES_MAX];
    uint8_t last[SHA256_BYTES];
    struct crawled_part *result = &part->result;
    for (size_t i = 0; i < part->page_count; i++) now[i] = &part->pages[i]->seen;
    digest_of(now, part->page_count, result->body_sha256);
    result->is_full_fetch = true;
    if (part->known == NULL) return;
    for (size_t i = 0; i < part->known->page_count; i++) before[i] = &part->known->pages[i];
    digest_of(before, part->known->page_count, last);
    result->is_full_fetch = memcmp(last, result->body_sha256, sizeof last) != 0;
}

/* The first page that failed, if one did; the others are then worth nothing, for the listing is not whole. */
static const struct page_job *failed_page(const struct part_job *part)
{
    for (size_t i = 0; i < part->page_count; i++) {
        enum part_status status = part->pages[i]->verdict.status;
        if (status == STATUS_FAILED || status == STATUS_BLOCKED || status == STATUS_INCOMPLETE) return part->pages[i];
    }
    return NULL;
}

/* Counts the pages that are as they were last time. */
static size_t same_count(const struct part_job *part)
{
    size_t count = 0;
    for (size_t i = 0; i < part->page_count; i++) count += part->pages[i]->is_same;
    return count;
}

/* True for the pages whose rows make the listing: with `drifted`, those that only drifted. */
static bool page_counts(const struct part_job *part, size_t i, bool drifted)
{
    const struct page_verdict *verdict = &part->pages[i]->verdict;
    if (i == 0 && !first_counts(part)) return false;
    return verdict->has_extraction && (verdict->status == STATUS_DRIFTED) == drifted;
}

/* All rows of the pages that count, in page order. NULL when memory is out. */
static struct listing *listings_join(struct part_job *part, bool drifted, size_t *ret_count)
{
    size_t count = 0, at = 0;
    struct crawled_part *result = &part->result;
    for (size_t i = 0; i < part->page_count; i++)
        if (page_counts(part, i, drifted)) count += part->pages[i]->verdict.extraction.count;
    struct listing *all = arena_array(part->site->arena, count, sizeof *all);
    for (size_t i = 0; all != NULL && i < part->page_count; i++) {
        if (!page_counts(part, i, drifted)) continue;
        const struct extraction *found = &part->pages[i]->verdict.extraction;
        if (found->count > 0) memcpy(all + at, found->listings, found->count * sizeof *all);
        at += found->count;
        result->rows_found += (int32_t)found->rows_found;
        result->rows_refused += (int32_t)found->refused_count;
    }
    *ret_count = count;
    return all;
}

/* A part without a listing, and why. */
static void result_fail(struct part_job *part, enum part_status status, struct gt_str reason)
{
    part->result.status = status;
    part->result.reason = reason.ptr != NULL ? reason : GT_STR("out of memory");
}

/* Reads the rows into offers. Rows of which none could be read are a layout that is no longer understood. */
static void result_read(struct part_job *part, bool drifted)
{
    struct site_job *site = part->site;
    struct crawled_part *result = &part->result;
    size_t count = 0;
    struct listing *listings = listings_join(part, drifted, &count);
    if (listings == NULL) {
        result_fail(part, STATUS_FAILED, GT_STR("the page takes too much memory"));
        return;
    }
    enum gt_err err = listing_read(listings, count, &site->facts, part->plan->name, site->arena, &result->reading);
    result->rows_refused += (int32_t)result->reading.refused_count;
    if (err != GT_OK) {
        result->reading = (struct reading){0};
        result_fail(part, STATUS_FAILED, arena_printf(site->arena, "the rows cannot be read: %s", gt_err_text(err)));
    } else if (!drifted && result->reading.offer_count == 0) {
        const struct reading *reading = &result->reading;
        struct gt_str why = reading->refused_count > 0 ? reading->refused[0].reason : GT_STR("nothing in them");
        result_fail(part, STATUS_DRIFTED,
                    arena_printf(site->arena, "%zu rows, none could be read: %.*s", count, GT_STR_ARG(why)));
    }
}

/* Everything came: is there a page that the rules could read? Followed pages without rows of their own do no harm beside it. */
static void result_judge(struct part_job *part)
{
    bool has_good = false;
    const struct page_job *drifted = NULL;
    for (size_t i = 0; i < part->page_count; i++) {
        const struct page_verdict *verdict = &part->pages[i]->verdict;
        if (verdict->status != STATUS_DRIFTED) has_good = has_good || page_counts(part, i, false);
        else if (drifted == NULL || (drifted->verdict.is_rowless && !verdict->is_rowless)) drifted = part->pages[i];
    }
    part->result.status = STATUS_OK;
    /* auto's finds on a side page do not spoil a good one; rows out of bounds do, for they are the listing's own */
    bool is_drifted = !has_good || (drifted != NULL && !drifted->verdict.is_rowless);
    if (is_drifted && drifted == NULL) {
        result_fail(part, STATUS_DRIFTED, GT_STR("no page with rows was found"));
        return;
    }
    if (is_drifted) result_fail(part, STATUS_DRIFTED, drifted->verdict.reason);
    result_read(part, is_drifted);
}

/* Kept with the commit of this run: only of whole bodies that were read, or are known to be those of last time. */
static void result_validators(struct part_job *part)
{
    struct site_job *site = part->site;
    struct crawled_part *result = &part->result;
    bool has_body = false;
    for (size_t i = 0; i < part->page_count; i++) has_body = has_body || part->pages[i]->http_code == 200;
    if (result->status == STATUS_DRIFTED && part->known != NULL) {
        /* The page read last is no longer the one that is known: "as last time" would be taken for this one. An empty value forgets it. */
        result->validator_key = validators_key(site->name, part->plan->name, site->arena);
        return;
    }
    if ((result->status != STATUS_OK && result->status != STATUS_UNCHANGED) || !has_body) return;
    /* room for the pages that there are, mostly one: the struct has it for the most there may be */
    struct known_part *now = arena_alloc(site->arena, offsetof(struct known_part, pages) + part->page_count * sizeof now->pages[0]);
    if (now == NULL) return;
    now->page_count = 0;
    now->rule_version = gt_str_from(site->plan.rule_version);
    now->full_unix_s = site->crawl->start_unix_s;
    for (size_t i = 0; i < part->page_count; i++) {
        const struct page_job *page = part->pages[i];
        now->pages[now->page_count++] = page->seen;
        /* one page that came by 304 makes the whole as old as that body */
        if (page->http_code != 200) now->full_unix_s = part->known != NULL ? part->known->full_unix_s : now->full_unix_s;
    }
    result->validator_value = validators_print(now, site->arena);
    if (result->validator_value.ptr != NULL) result->validator_key = validators_key(site->name, part->plan->name, site->arena);
}

/* What is handed over of a part whose pages have all come to their end. */
void part_result_fill(struct part_job *part)
{
    const struct page_job *first = part->pages[0], *failed = failed_page(part);
    struct crawled_part *result = &part->result;
    struct arena *arena = part->site->arena;
    result->name = part->plan->name;
    result->url = part->plan->url.href;
    /* of several pages, the one that decided: the failed one, else the first */
    result->http_code = failed != NULL ? failed->http_code : first->http_code;
    for (size_t i = 0; i < part->page_count; i++) result->body_bytes += part->pages[i]->body_bytes;
    const struct warc_place *place = failed != NULL && failed->place.file[0] != '\0' ? &failed->place : &first->place;
    result->warc_file = arena_dup(arena, gt_str_from(place->file));
    result->warc_offset = place->offset;
    result->record_id = arena_dup(arena, gt_str_from(place->record_id));
    if (failed == NULL) {
        result_digest(part);
        if (same_count(part) == part->page_count) result->status = STATUS_UNCHANGED;
        else result_judge(part);
        if (result->status == STATUS_UNCHANGED || result->status == STATUS_FAILED) result->is_full_fetch = false;
        result_validators(part);
    } else if (failed == first) {
        result_fail(part, failed->verdict.status, failed->verdict.reason);
    } else {
        struct gt_str reason =
            arena_printf(arena, "%.*s: %.*s", GT_STR_ARG(failed->url.target), GT_STR_ARG(failed->verdict.reason));
        result_fail(part, failed->verdict.status, reason);
    }
}

/* Some pages changed and some answered that they did not: rows are needed of all, so all are asked for again, in full. */
static void part_restart(struct part_job *part)
{
    int attempts = part->pages[0]->attempts;
    /* the old pages stay in the arena, unused; requests already made count towards the three an address has */
    part->is_restarted = true;
    part->page_count = part->pages_open = 0;
    struct page_job *page = page_add(part, &part->plan->url, false);
    if (page == NULL) return;
    page->attempts = attempts < CRAWL_REQUESTS_PER_URL ? attempts : CRAWL_REQUESTS_PER_URL - 1;
    page_enqueue(page);
}

/* Ends a part; the last one ends its site. */
static void part_close(struct part_job *part)
{
    struct site_job *site = part->site;
    size_t same = same_count(part);
    if (same > 0 && same < part->page_count && failed_page(part) == NULL && !part->is_restarted) {
        part_restart(part);
        return;
    }
    part_result_fill(part);
    part->is_done = true;
    if (--site->parts_open > 0) return;
    site->state = SITE_FINISHED;
    if (site->start_mono_ms != 0) site->latency_ms = clock_mono_ms() - site->start_mono_ms;
}

void page_settle(struct page_job *page)
{
    struct part_job *part = page->part;
    page->is_done = true;
    part->pages_open--;
    bool leads_on = page == part->pages[0] && part->site->plan.has_follow && page->verdict.status == STATUS_OK;
    if (leads_on) {
        part->pages_open++; /* held while they are added, for one may fail at once */
        follow_begin(part);
        part->pages_open--;
    }
    if (part->pages_open == 0 && !part->is_done) part_close(part);
}
