#include "crawler/warc_payload.h"

#include <stdlib.h>

#include "common/strbuf.h"
#include "crawler/dropped.h"
#include "net/decode.h"
#include "net/header.h"

enum { CHUNK_DIGITS_MAX = 8, CHUNK_LINE_MAX = 4096 };

/* The length at the beginning of a chunk; its line is taken off *rest. False when it is not of that shape. */
static bool chunk_len(struct gt_str *rest, size_t *ret_len)
{
    size_t len = 0, digits = 0;
    for (; digits < rest->len && digits <= CHUNK_DIGITS_MAX; digits++) {
        char c = rest->ptr[digits];
        int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (value < 0) break;
        len = len * 16 + (size_t)value;
    }
    if (digits == 0 || digits > CHUNK_DIGITS_MAX) return false;
    size_t end = gt_str_find(gt_str_slice(*rest, 0, CHUNK_LINE_MAX), GT_STR("\n"), digits);
    if (end == SIZE_MAX) return false;
    /* extensions, blanks, nothing else stand behind the length */
    char next = rest->ptr[digits];
    if (next != '\r' && next != '\n' && next != ';' && next != ' ' && next != '\t') return false;
    *rest = gt_str_slice(*rest, end + 1, SIZE_MAX);
    *ret_len = len;
    return true;
}

/* Undoes chunked coding (RFC 9112, 7.1). GT_EFORMAT when the first line is no chunk's; GT_EINCOMPLETE when a later one is not, or the last
 * chunk is missing. */
static enum gt_err unchunk(struct gt_str body, struct strbuf *out)
{
    struct gt_str rest = body;
    bool is_first = true;
    for (;;) {
        size_t len;
        if (!chunk_len(&rest, &len)) return is_first ? GT_EFORMAT : GT_EINCOMPLETE;
        if (len == 0) return GT_OK;
        if (len > rest.len) return is_first && rest.len == 0 ? GT_EFORMAT : GT_EINCOMPLETE;
        strbuf_add(out, gt_str_slice(rest, 0, len));
        if (out->err != GT_OK) return out->err;
        rest = gt_str_slice(rest, len, SIZE_MAX);
        if (gt_str_starts(rest, GT_STR("\r\n"))) rest = gt_str_slice(rest, 2, SIZE_MAX);
        else if (gt_str_starts(rest, GT_STR("\n"))) rest = gt_str_slice(rest, 1, SIZE_MAX);
        is_first = false;
    }
}

/* Undoes the transfer coding into the arena, where the body is of its shape. */
static enum gt_err transfer_undo(struct warc_answer *answer, struct arena *arena)
{
    struct strbuf plain;
    struct gt_str coding = header_find(answer->head, "Transfer-Encoding", 0);
    if (gt_str_find(coding, GT_STR("chunked"), 0) == SIZE_MAX && gt_str_find(coding, GT_STR("Chunked"), 0) == SIZE_MAX)
        return GT_OK;
    strbuf_init(&plain, PAYLOAD_BYTES_MAX);
    enum gt_err err = unchunk(answer->body, &plain);
    if (err == GT_OK) answer->body = arena_dup(arena, strbuf_str(&plain));
    strbuf_done(&plain);
    if (err == GT_OK && answer->body.ptr == NULL) return GT_ENOMEM;
    if (err != GT_EFORMAT) return err;
    answer->is_as_is = true;
    return GT_OK;
}

/* True when the bytes begin as the coding does, as far as it has a beginning of its own. */
static bool begins_as(struct gt_str coding, struct gt_str body)
{
    if (gt_str_find(coding, GT_STR("gzip"), 0) != SIZE_MAX) return gt_str_starts(body, (struct gt_str){"\x1F\x8B", 2});
    if (gt_str_find(coding, GT_STR("zstd"), 0) != SIZE_MAX) return gt_str_starts(body, (struct gt_str){"\x28\xB5\x2F\xFD", 4});
    return false;
}

/* Undoes the content coding. */
static enum gt_err content_undo(struct warc_answer *answer, struct arena *arena, struct gt_errinfo *info)
{
    char *plain = NULL;
    size_t len = 0;
    struct gt_str coding = header_find(answer->head, "Content-Encoding", 0);
    if (decode_is_identity(coding) || answer->body.len == 0) return GT_OK;
    enum gt_err err = decode_body(NULL, coding, answer->body, PAYLOAD_BYTES_MAX, &plain, &len, info);
    if (err == GT_OK) {
        answer->body = arena_dup(arena, (struct gt_str){plain, len});
        free(plain);
        return answer->body.ptr != NULL ? GT_OK : GT_ENOMEM;
    }
    if (err == GT_ELIMIT) free(plain);
    if ((err != GT_EINCOMPLETE && err != GT_EFORMAT) || begins_as(coding, answer->body)) return err;
    answer->is_as_is = true;
    return GT_OK;
}

/* The number in "HTTP/1.1 200 OK"; 0 for anything else. */
static int32_t status_read(struct gt_str head)
{
    int32_t status = 0;
    size_t at = gt_str_find(gt_str_slice(head, 0, 16), GT_STR(" "), 0);
    if (!gt_str_starts(head, GT_STR("HTTP/")) || at == SIZE_MAX) return 0;
    for (size_t i = at + 1; i < head.len && i < at + 4; i++) {
        if (head.ptr[i] < '0' || head.ptr[i] > '9') return 0;
        status = status * 10 + (head.ptr[i] - '0');
    }
    return status;
}

/* Codings are undone as they were when the page was fetched: what was cut then is not whole now either. */
enum gt_err warc_answer_read(const struct warc_entry *entry, struct arena *arena, struct warc_answer *ret_answer,
                             struct gt_errinfo *info)
{
    struct warc_answer answer = {.is_truncated = header_find(entry->head, "WARC-Truncated", 0).len > 0};
    warc_entry_split(entry, &answer.head, &answer.body);
    bool is_page = gt_str_is(entry->type, "resource") || gt_str_is(entry->type, "conversion");
    if (!is_page && !gt_str_is(entry->type, "response"))
        return gt_fail(info, GT_EFORMAT, "a %.*s holds no page", GT_STR_ARG(entry->type));
    if (dropped_is(entry)) return dropped_fail(entry, info);
    answer.status = status_read(answer.head);
    enum gt_err err = transfer_undo(&answer, arena);
    if (err == GT_OK) err = content_undo(&answer, arena, info);
    if (err != GT_OK) return gt_fail(info, err, "the page is not whole: %s", gt_err_text(err));
    *ret_answer = answer;
    return GT_OK;
}
