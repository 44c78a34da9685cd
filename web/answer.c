#include "web/answer.h"

#include <errno.h>
#include <jansson.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <zlib.h>

#include "common/strbuf.h"
#include "web/limits.h"
#include "web/page.h"

enum { WINDOW_GZIP = 15 + 16, GZIP_LEVEL = 5, GZIP_MEMORY = 8 };

/* Everything comes from here, nothing runs but one file of ours; no address goes to the sites that are linked. */
static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; "
                                "base-uri 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-cache"},
};

static bool header_add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Headers that depend on what is answered. A refusal is nobody's to keep: it has no ETag. */
static bool headers_add(struct MHD_Response *response, unsigned status, const char *media_type, const struct web_answer_terms *terms)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) ok = ok && header_add(response, headers[i][0], headers[i][1]);
    ok = ok && header_add(response, "Vary", terms->is_asked_for_token ? "Accept-Encoding, Authorization" : "Accept-Encoding");
    if (media_type != NULL) ok = ok && header_add(response, "Content-Type", media_type);
    if (terms->etag != NULL && status < 400) ok = ok && header_add(response, "ETag", terms->etag);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) ok = ok && header_add(response, "Allow", "GET, HEAD");
    if (status == MHD_HTTP_UNAUTHORIZED) ok = ok && header_add(response, "WWW-Authenticate", "Basic realm=\"gputape\", charset=\"UTF-8\"");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE) ok = ok && header_add(response, "Retry-After", "5");
    return ok;
}

/* Takes the malloc'ed body, on failure too. */
static struct web_answer *answer_make(unsigned status, char *body, size_t bytes, const char *media_type, const char *coding,
                                      const struct web_answer_terms *terms)
{
    struct web_answer *answer = calloc(1, sizeof *answer);
    struct MHD_Response *response = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) free(body);
    if (answer == NULL || response == NULL || !headers_add(response, status, media_type, terms) ||
        (coding != NULL && !header_add(response, "Content-Encoding", coding)))
        goto fail;
    *answer = (struct web_answer){.status = status, .response = response, .bytes = bytes, .living = terms->living};
    atomic_init(&answer->refs, 1);
    atomic_fetch_add(answer->living, bytes);
    return answer;
fail:
    if (response != NULL) MHD_destroy_response(response);
    free(answer);
    return NULL;
}

struct web_answer *web_answer_ref(struct web_answer *answer)
{
    if (answer != NULL) atomic_fetch_add(&answer->refs, 1);
    return answer;
}

void web_answer_unref(struct web_answer *answer)
{
    if (answer == NULL || atomic_fetch_sub(&answer->refs, 1) != 1) return;
    atomic_fetch_sub(answer->living, answer->bytes);
    MHD_destroy_response(answer->response);
    free(answer);
}

/* ---- refusals ---- */

/* Programs get the reason as JSON, people as a line. */
struct web_answer *web_answer_refuse(unsigned status, const char *why, const struct web_answer_terms *terms)
{
    bool is_data = terms->route != NULL && terms->route->kind == WEB_KIND_DATA;
    char *body = NULL;
    struct strbuf text;
    if (is_data) {
        json_t *object = json_pack("{s:s}", "error", why);
        body = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
        json_decref(object);
    }
    strbuf_init(&text, WEB_REQUEST_ARENA_BYTES);
    strbuf_addf(&text, "%s\n", body != NULL ? body : why);
    free(body);
    size_t len = strbuf_str(&text).len;
    body = strbuf_take(&text);
    strbuf_done(&text);
    return body == NULL ? NULL : answer_make(status, body, len, is_data ? "application/json" : "text/plain; charset=utf-8", NULL, terms);
}

struct web_answer *web_answer_unmodified(const struct web_answer_terms *terms)
{
    return answer_make(MHD_HTTP_NOT_MODIFIED, NULL, 0, NULL, NULL, terms);
}

/* ---- the body ---- */

/* A FILE over a buffer with a ceiling. */
static ssize_t body_write(void *cookie, const char *bytes, size_t len)
{
    struct strbuf *body = cookie;
    strbuf_add(body, (struct gt_str){bytes, len});
    if (body->err == GT_OK) return (ssize_t)len;
    errno = EFBIG;
    return 0;
}

/* Runs the route. The ceiling's error goes before what the report makes of it. */
static enum gt_err body_render(const struct web_view *view, struct strbuf *body, struct gt_errinfo *info)
{
    FILE *file = fopencookie(body, "w", (cookie_io_functions_t){.write = body_write});
    if (file == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = view->route->render(view, file, info);
    if (fclose(file) != 0 && err == GT_OK) err = gt_fail(info, GT_EIO, "the answer could not be written");
    return body->err != GT_OK ? gt_fail(info, body->err, "%s", gt_err_text(body->err)) : err;
}

/* Packs by gzip; false (and the body as it was) where memory is out. */
static bool body_pack(struct strbuf *body)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, WINDOW_GZIP, GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    struct gt_str plain = strbuf_str(body);
    size_t bound = deflateBound(&stream, plain.len);
    unsigned char *packed = malloc(bound);
    bool ok = false;
    if (packed != NULL) {
        stream.next_in = (unsigned char *)(uintptr_t)plain.ptr;
        stream.avail_in = (uInt)plain.len;
        stream.next_out = packed;
        stream.avail_out = (uInt)bound;
        ok = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    }
    deflateEnd(&stream);
    if (ok) {
        strbuf_clear(body);
        strbuf_add(body, (struct gt_str){(char *)packed, stream.total_out});
    }
    free(packed);
    return ok;
}

/* What a person may be told, and how. Faults of ours go to the log; a stranger learns that there was one. */
static struct web_answer *failure(const struct web_view *view, const struct web_answer_terms *terms, enum gt_err err, const struct gt_errinfo *info,
                                  const struct log *log)
{
    switch (err) {
    case GT_EUSAGE: return web_answer_refuse(MHD_HTTP_BAD_REQUEST, info->text, terms);
    case GT_ENOENT: return web_answer_refuse(MHD_HTTP_NOT_FOUND, info->text, terms);
    case GT_ELIMIT: return web_answer_refuse(MHD_HTTP_BAD_REQUEST, "that is more than one answer may hold: ask for less", terms);
    default: break;
    }
    log_event(log, LOG_ERROR, "answer-failed", "path", view->route->path, "error", info->text, NULL);
    return web_answer_refuse(MHD_HTTP_INTERNAL_SERVER_ERROR, "the server failed; its log says why", terms);
}

/* Wrong use of a page is answered by a page, with the form in it to mend the words; everything else by a bare line. */
struct web_answer *web_answer_render(const struct web_view *view, const struct web_answer_terms *terms, const struct log *log)
{
    struct strbuf body;
    struct gt_errinfo info = {0}, page_info = {0};
    struct web_answer *answer = NULL;
    unsigned status = MHD_HTTP_OK;
    struct web_view read = *view;
    strbuf_init(&body, WEB_ANSWER_BYTES_MAX);
    enum gt_err err = web_view_read(&read, &info);
    if (err == GT_OK && read.input.store != NULL)
        err = view->settings->source.sites_add(view->settings->source.ctx, &read.input, read.arena, &info);
    if (err == GT_OK) err = body_render(&read, &body, &info);
    if (view->route->kind == WEB_KIND_PAGE && (err == GT_EUSAGE || err == GT_ENOENT)) {
        status = err == GT_EUSAGE ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_NOT_FOUND;
        strbuf_clear(&body);
        FILE *file = fopencookie(&body, "w", (cookie_io_functions_t){.write = body_write});
        if (file != NULL && web_page_refuse(&read, gt_str_from(info.text), file, &page_info) == GT_OK) err = GT_OK;
        if (file != NULL && fclose(file) != 0) err = GT_EIO;
    }
    if (err != GT_OK) {
        answer = failure(&read, terms, err, &info, log);
        goto out;
    }
    bool is_packed = terms->is_gzip && strbuf_str(&body).len >= WEB_GZIP_BYTES_MIN && body_pack(&body);
    size_t len = strbuf_str(&body).len;
    char *bytes = strbuf_take(&body);
    if (bytes != NULL) answer = answer_make(status, bytes, len, view->route->media_type, is_packed ? "gzip" : NULL, terms);
out:
    strbuf_done(&body);
    return answer;
}
