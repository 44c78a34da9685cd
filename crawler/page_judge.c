/* From bytes to a verdict. The order matters: transport, then status, then the rules, and only for pages without rows the
 * question whether this is another page altogether. */
#include "crawler/page_judge.h"

#include "crawler/block_page.h"
#include "net/header.h"
#include "parsers/charset.h"

/* A verdict with its reason; the arena may have had no room for the words. */
static void fail_with(struct page_verdict *verdict, enum part_status status, struct gt_str reason)
{
    verdict->status = status;
    verdict->reason = reason.ptr != NULL ? reason : GT_STR("out of memory");
}

bool page_is_refetchable(const struct http_response *response)
{
    static const int32_t codes[] = {408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524};
    if (response->err != GT_OK) return response->is_refetchable;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i] == response->status) return true;
    return false;
}

/* How a transport failure is told. */
static enum part_status status_of_failure(enum gt_err err)
{
    return err == GT_EINCOMPLETE || err == GT_ELIMIT ? STATUS_INCOMPLETE : STATUS_FAILED;
}

/* JSON by its header, or by its first sign where the header says something else. */
static bool is_json(const struct http_response *response, struct gt_str text)
{
    struct gt_str type = header_find(response->head, "Content-Type", 0), front = gt_str_trim(text);
    return gt_str_find(type, GT_STR("json"), 0) != SIZE_MAX || (front.len > 0 && (front.ptr[0] == '{' || front.ptr[0] == '['));
}

/* HTML by its header, or by its first sign where the header names no type of its own. */
static bool is_html(const struct http_response *response, struct gt_str text)
{
    struct gt_str type = header_find(response->head, "Content-Type", 0), front = gt_str_trim(text);
    if (gt_str_find(type, GT_STR("html"), 0) != SIZE_MAX) return true;
    bool is_named = type.len > 0 && gt_str_find(type, GT_STR("text/plain"), 0) == SIZE_MAX;
    return !is_named && front.len > 0 && front.ptr[0] == '<';
}

/* Looks whether the page is another one in the place of the wanted one. */
static enum block_kind block_find(const struct page_case *in, struct arena *arena, struct gt_str *ret_reason)
{
    struct charset_text text;
    struct gt_str type = header_find(in->response->head, "Content-Type", 0);
    if (charset_decode(in->response->body, type, in->charset, arena, &text, NULL) != GT_OK) return BLOCK_NONE;
    bool looks_json = is_json(in->response, text.text);
    /* scripts, markdown, CSV: no server puts a captcha into those */
    if (text.text.len > 0 && !looks_json && !is_html(in->response, text.text)) return BLOCK_NONE;
    return block_page_find(text.text, looks_json, arena, ret_reason);
}

/* A page that ends where the connection did, and not where a page of its kind does, may be cut. */
static bool may_be_cut(const struct http_response *response)
{
    if (response->is_length_known) return false;
    struct gt_str text = gt_str_trim(response->body);
    if (text.len == 0) return false;
    if (is_html(response, text)) {
        struct gt_str end = gt_str_slice(text, text.len > 256 ? text.len - 256 : 0, SIZE_MAX);
        return gt_str_find(end, GT_STR("</html>"), 0) == SIZE_MAX && gt_str_find(end, GT_STR("</HTML>"), 0) == SIZE_MAX;
    }
    if (!is_json(response, text)) return false;
    return text.ptr[text.len - 1] != '}' && text.ptr[text.len - 1] != ']';
}

/* Another page at the gate: a refusal that says what it wants of us. A 404 with a login form is still a 404. */
static bool is_gate(const struct http_response *response, struct gt_str marker)
{
    static const char *const gates[] = {"challenge", "captcha", "login", "access denied", "rate limit", NULL};
    static const int32_t codes[] = {401, 403, 405, 429, 451, 503};
    bool is_code = false, is_word = false;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) is_code = is_code || response->status == codes[i];
    for (size_t i = 0; gates[i] != NULL; i++) is_word = is_word || gt_str_starts(marker, gt_str_from(gates[i]));
    return is_code && is_word;
}

/* An answer whose status alone says that there is no page in it. */
static void judge_status(const struct page_case *in, struct arena *arena, struct page_verdict *verdict)
{
    const struct http_response *response = in->response;
    struct gt_str marker;
    if (response->status == 206) {
        fail_with(verdict, STATUS_INCOMPLETE, GT_STR("HTTP 206: a part of the page only"));
    } else if (response->status == 203) {
        fail_with(verdict, STATUS_FAILED, GT_STR("HTTP 203: changed by a proxy on the way"));
    } else if (block_find(in, arena, &marker) == BLOCK_PAGE && is_gate(response, marker)) {
        fail_with(verdict, STATUS_BLOCKED, arena_printf(arena, "HTTP %d: %.*s", response->status, GT_STR_ARG(marker)));
    } else {
        const char *what = response->status == 204 || response->status == 205 ? ": no content" : "";
        fail_with(verdict, STATUS_FAILED, arena_printf(arena, "HTTP %d%s", response->status, what));
    }
}

bool page_judge_answer(const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict)
{
    const struct http_response *response = in->response;
    *ret_verdict = (struct page_verdict){.status = STATUS_OK};
    if (response->err != GT_OK) {
        struct gt_str detail = arena_dup(arena, response->detail);
        fail_with(ret_verdict, status_of_failure(response->err), detail);
        return true;
    }
    if (response->status != 200) {
        judge_status(in, arena, ret_verdict);
        return true;
    }
    if (gt_str_trim(response->body).len == 0) {
        fail_with(ret_verdict, STATUS_BLOCKED, GT_STR("empty body"));
        return true;
    }
    /* lengths and chunks were checked by the client; this is for the one case where there are none */
    if (may_be_cut(response)) {
        fail_with(ret_verdict, STATUS_INCOMPLETE, GT_STR("the connection ended inside the page"));
        return true;
    }
    return false;
}

/* The page was read and the rules found nothing that holds. */
static void judge_rowless(const struct page_case *in, struct arena *arena, const char *why, struct page_verdict *verdict)
{
    struct gt_str reason;
    enum block_kind kind = block_find(in, arena, &reason);
    if (kind == BLOCK_PAGE) {
        fail_with(verdict, STATUS_BLOCKED, reason);
    } else if (kind == BLOCK_SOFT_ERROR) {
        fail_with(verdict, STATUS_FAILED, reason);
    } else {
        fail_with(verdict, STATUS_DRIFTED, arena_printf(arena, "%s", why));
        verdict->is_rowless = true;
    }
}

/* Rows that are not those of the rules: another page, another layout, or too few. */
static void judge_drift(const struct page_case *in, struct arena *arena, struct page_verdict *verdict)
{
    const struct extraction *found = &verdict->extraction;
    struct gt_str reason;
    bool is_auto = gt_str_is(found->extractor, "auto");
    /* a login page may well hold a price or two: what `auto` makes of it does not turn it into the wanted page */
    if (block_find(in, arena, &reason) == BLOCK_PAGE) {
        fail_with(verdict, STATUS_BLOCKED, reason);
        verdict->has_extraction = false;
        return;
    }
    verdict->is_rowless = is_auto;
    if (is_auto) reason = arena_printf(arena, "the rules found nothing; auto found %zu rows", found->rows_found);
    else if (found->count == 0) reason = arena_printf(arena, "%zu rows, none with a label", found->rows_found);
    else reason = arena_printf(arena, "%zu rows, outside rows_min and rows_max", found->rows_found);
    fail_with(verdict, STATUS_DRIFTED, reason);
}

void page_judge(const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict)
{
    struct gt_errinfo info = {0};
    if (page_judge_answer(in, arena, ret_verdict)) return;
    struct page_input page = {.body = in->response->body,
                              .url = in->response->url,
                              .is_followed = in->is_followed,
                              .content_type = header_find(in->response->head, "Content-Type", 0)};
    enum gt_err err = page_extract(in->rules, &page, arena, &ret_verdict->extraction, &info);
    ret_verdict->has_extraction = err == GT_OK;
    /* rows by the rules: whatever else the page says, it is the wanted one */
    if (err == GT_OK && !ret_verdict->extraction.is_drifted) return;
    if (err == GT_OK) judge_drift(in, arena, ret_verdict);
    else if (err == GT_ENOROWS || err == GT_EFORMAT)
        judge_rowless(in, arena, info.text[0] != '\0' ? info.text : gt_err_text(err), ret_verdict);
    else fail_with(ret_verdict, STATUS_FAILED, arena_printf(arena, "%s", info.text[0] != '\0' ? info.text : gt_err_text(err)));
}
