/* What the page asks for: which requests are worth a server's time, and the form in which answers go back. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/digest.h"
#include "crawler/render_internal.h"
#include "net/header.h"

enum { ASK_HEADERS_MAX = HTTP_HEADERS_MAX - 24 /* the client's and the section's need room, too */, ANSWER_HEADERS_MAX = 128 };

/* What is done with a kind of request. Style sheets are answered with an empty one: a script that waits for one to load would
 * otherwise take its absence for a broken page. */
enum treatment { TREAT_ASK, TREAT_EMPTY, TREAT_SPARE };

static const struct {
    const char *type;
    enum treatment treatment;
} treatments[] = {
    {"Document", TREAT_ASK}, {"Script", TREAT_ASK}, {"XHR", TREAT_ASK}, {"Fetch", TREAT_ASK}, {"Other", TREAT_ASK},
    {"Stylesheet", TREAT_EMPTY},
};

/* Kinds that are not named (images, fonts, media, pings, reports, prefetches) carry no price. */
static enum treatment treatment_of(struct gt_str type)
{
    for (size_t i = 0; i < sizeof treatments / sizeof treatments[0]; i++)
        if (gt_str_is(type, treatments[i].type)) return treatments[i].treatment;
    return TREAT_SPARE;
}

/* ---- headers ---- */

/* Fields that the client sets itself, or that say what a browser is: this is none that anybody sits before. */
static bool is_forwarded(struct gt_str name, struct gt_str value)
{
    static const char *const dropped[] = {"Host", "Content-Length", "Accept-Encoding", "Accept-Language", "User-Agent", "Connection",
                                          "TE", "Upgrade", "Upgrade-Insecure-Requests", "Proxy-Connection", "Range", "Priority",
                                          "If-None-Match", "If-Modified-Since", "Transfer-Encoding", "Expect", "Proxy-Authorization"};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
        if (gt_str_eq_nocase(name, gt_str_from(dropped[i]))) return false;
    if (gt_str_eq_nocase(gt_str_slice(name, 0, 4), GT_STR("sec-"))) return false;
    return header_name_is_valid(name) && header_value_is_valid(value);
}

/* Copies the fields that go along. */
static bool headers_read(struct render_ask *ask, const json_t *headers)
{
    struct render *render = ask->render;
    const char *name;
    json_t *value;
    ask->headers = arena_array(render->arena, ASK_HEADERS_MAX, sizeof *ask->headers);
    if (ask->headers == NULL) return false;
    json_object_foreach((json_t *)(uintptr_t)headers, name, value) {
        struct gt_str key = gt_str_from(name), text = {json_string_value(value), json_string_length(value)};
        if (!json_is_string(value) || !is_forwarded(key, text) || ask->header_count == ASK_HEADERS_MAX) continue;
        struct http_header *header = &ask->headers[ask->header_count++];
        *header = (struct http_header){.name = arena_dup(render->arena, key), .value = arena_dup(render->arena, text)};
        if (header->name.ptr == NULL || header->value.ptr == NULL) return false;
    }
    return true;
}

/* The value of a field of the request, "" when it has none. */
static struct gt_str header_of(const json_t *headers, const char *wanted)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)headers, name, value)
        if (gt_str_eq_nocase(gt_str_from(name), gt_str_from(wanted)) && json_is_string(value))
            return (struct gt_str){json_string_value(value), json_string_length(value)};
    return GT_STR("");
}

/* ---- answers ---- */

/* One field for the browser. */
static json_t *field(struct gt_str name, struct gt_str value)
{
    return json_pack("{s:s%, s:s%}", "name", name.ptr, name.len, "value", value.ptr != NULL ? value.ptr : "", value.len);
}

/* Sends status, fields (taken over) and body back. */
static void fulfil(struct render *render, struct gt_str session, struct gt_str id, int32_t status, json_t *fields, struct gt_str body)
{
    char *coded = body.len <= INT32_MAX / 2 ? malloc(DIGEST_BASE64_MAX(body.len)) : NULL;
    if (coded == NULL) {
        json_decref(fields);
        render_fail(render, GT_ENOMEM, "render: out of memory");
        return;
    }
    digest_base64((const uint8_t *)(body.ptr != NULL ? body.ptr : ""), body.len, coded);
    json_t *params = json_pack("{s:s%, s:i, s:o, s:o}", "requestId", id.ptr, id.len, "responseCode", (int)status, "responseHeaders",
                               fields, "body", json_string_nocheck(coded));
    free(coded);
    render_command(render, KIND_ANY, "Fetch.fulfillRequest", session, params);
}

/* Tells the browser that there is no answer. */
static void deny(struct render *render, struct gt_str session, struct gt_str id, bool is_policy)
{
    render_command(render, KIND_ANY, "Fetch.failRequest", session,
                   json_pack("{s:s%, s:s}", "requestId", id.ptr, id.len, "errorReason", is_policy ? "BlockedByClient" : "Failed"));
}

/* The question before a request to another origin. It is answered here with yes: the profile is empty, there is nothing that
 * the request could misuse, and whether the page may read the answer is still that server's to say. */
static void preflight_answer(struct render *render, struct gt_str session, struct gt_str id, const json_t *headers)
{
    struct gt_str origin = header_of(headers, "Origin"), wanted = header_of(headers, "Access-Control-Request-Headers");
    json_t *fields = json_array();
    json_array_append_new(fields, field(GT_STR("Access-Control-Allow-Origin"), origin));
    json_array_append_new(fields, field(GT_STR("Access-Control-Allow-Credentials"), GT_STR("true")));
    json_array_append_new(fields, field(GT_STR("Access-Control-Allow-Methods"), GT_STR("GET, POST")));
    if (wanted.len > 0) json_array_append_new(fields, field(GT_STR("Access-Control-Allow-Headers"), wanted));
    fulfil(render, session, id, 204, fields, GT_STR(""));
}

/* An empty answer of a type. */
static void empty_answer(struct render *render, struct gt_str session, struct gt_str id, struct gt_str type)
{
    json_t *fields = json_array();
    json_array_append_new(fields, field(GT_STR("Content-Type"), type));
    json_array_append_new(fields, field(GT_STR("Access-Control-Allow-Origin"), GT_STR("*")));
    fulfil(render, session, id, 200, fields, GT_STR(""));
}

/* Fields of an answer that are not true any more of what the browser gets, or would send it elsewhere. */
static bool is_passed_on(struct gt_str name)
{
    static const char *const dropped[] = {"Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer",
                                          "Alt-Svc", "Upgrade", "Report-To", "NEL", "Reporting-Endpoints", "Refresh"};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
        if (gt_str_eq_nocase(name, gt_str_from(dropped[i]))) return false;
    return true;
}

/* An ask has its answer. */
static void ask_end(struct render *render)
{
    render->asks_open--;
    render->busy_mono_ms = clock_mono_ms();
}

void render_answer(struct render_ask *ask, const struct http_response *response)
{
    struct render *render = ask->render;
    struct gt_str rest = response->head, name, value;
    json_t *fields = json_array();
    ask_end(render);
    while (json_array_size(fields) < ANSWER_HEADERS_MAX && header_next(&rest, &name, &value)) {
        if (!header_name_is_valid(name) || !header_value_is_valid(value) || !is_passed_on(name)) continue;
        /* bytes that are no UTF-8 cannot be handed over: the field is left out */
        json_t *one = field(name, value);
        if (one != NULL) json_array_append_new(fields, one);
    }
    fulfil(render, ask->session, ask->id, response->status, fields, response->body);
}

void render_refuse(struct render_ask *ask, bool is_policy, struct gt_str reason)
{
    ask_end(ask->render);
    if (is_policy) render_refusal_note(ask->render, ask->url, reason);
    deny(ask->render, ask->session, ask->id, is_policy);
}

/* ---- requests ---- */

/* Why a request is refused out of hand; "" when it is not. */
static struct gt_str refusal_of(const struct render *render, const json_t *request, bool is_document)
{
    const json_t *headers = json_object_get(request, "headers");
    struct gt_str method = render_pipe_text(request, "method"), url = render_pipe_text(request, "url");
    if (!gt_str_starts(url, GT_STR("http://")) && !gt_str_starts(url, GT_STR("https://"))) return GT_STR("no web address");
    if (url.len > RENDER_URL_BYTES_MAX) return GT_STR("an address that is too long");
    if (!gt_str_is(method, "GET") && !gt_str_is(method, "POST")) return GT_STR("a method other than GET and POST");
    if (header_of(headers, "Service-Worker").len > 0) return GT_STR("a service worker");
    if (gt_str_find(header_of(headers, "Accept"), GT_STR("text/event-stream"), 0) != SIZE_MAX) return GT_STR("an endless answer");
    if (render->result.asked >= RENDER_REQUESTS_MAX) return GT_STR("more requests than one page may make");
    if (is_document && render->documents >= RENDER_DOCUMENTS_MAX) return GT_STR("more redirects than one page may have");
    return GT_STR("");
}

/* Keeps the request and hands it to whoever fetches. */
static void ask_make(struct render *render, struct gt_str session, const json_t *params, bool is_document)
{
    const json_t *request = json_object_get(params, "request");
    struct arena *arena = render->arena;
    struct render_ask *ask = arena_alloc(arena, sizeof *ask);
    if (ask == NULL) {
        render_fail(render, GT_ELIMIT, "render: the page's requests are too large");
        return;
    }
    *ask = (struct render_ask){.render = render,
                               .url = arena_dup(arena, render_pipe_text(request, "url")),
                               .method = arena_dup(arena, render_pipe_text(request, "method")),
                               .body = arena_dup(arena, render_pipe_text(request, "postData")),
                               .is_document = is_document,
                               .number = render->result.asked,
                               .id = arena_dup(arena, render_pipe_text(params, "requestId")),
                               .session = arena_dup(arena, session)};
    bool is_kept = ask->url.ptr != NULL && ask->method.ptr != NULL && ask->body.ptr != NULL && ask->id.ptr != NULL;
    if (!is_kept || ask->session.ptr == NULL || !headers_read(ask, json_object_get(request, "headers"))) {
        render_fail(render, GT_ELIMIT, "render: the page's requests are too large");
        return;
    }
    render->asks_open++;
    render->result.asked++;
    render->documents += is_document;
    render->fn(render->ctx, ask);
}

void render_request_take(struct render *render, struct gt_str session, const json_t *params)
{
    const json_t *request = json_object_get(params, "request");
    struct gt_str id = render_pipe_text(params, "requestId"), type = render_pipe_text(params, "resourceType"), url = render_pipe_text(request, "url");
    bool is_document = gt_str_is(type, "Document") && gt_str_eq(render_pipe_text(params, "frameId"), render->target);
    enum treatment treatment = treatment_of(type);
    /* asked for by every browser, wanted by no script */
    if (gt_str_ends(url, GT_STR("/favicon.ico"))) treatment = TREAT_SPARE;
    if (treatment != TREAT_ASK) {
        render->result.spared++;
        if (treatment == TREAT_EMPTY) empty_answer(render, session, id, GT_STR("text/css"));
        else deny(render, session, id, true);
        return;
    }
    if (gt_str_is(render_pipe_text(request, "method"), "OPTIONS")) {
        preflight_answer(render, session, id, json_object_get(request, "headers"));
        return;
    }
    struct gt_str reason = refusal_of(render, request, is_document);
    render->busy_mono_ms = clock_mono_ms();
    if (reason.len > 0) {
        render->result.is_cut = render->result.is_cut || render->result.asked >= RENDER_REQUESTS_MAX;
        render_refusal_note(render, url, reason);
        deny(render, session, id, true);
        if (is_document) render_fail(render, GT_EREFUSED, "render: %.*s: %.*s", GT_STR_ARG(gt_str_slice(url, 0, 200)), GT_STR_ARG(reason));
    } else {
        ask_make(render, session, params, is_document);
    }
}
