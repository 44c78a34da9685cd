#include "crawler/jail_worker.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "crawler/jail_box.h"
#include "parsers/html_heap.h"

enum {
    KEPT_BYTES = 64 * 1024 * 1024, /* free memory that malloc keeps from page to page */
    MAPPED_BYTES = 16 * 1024 * 1024,
};

/* The rules that a request names; NULL when it names none. */
static const struct site_rules *rules_of(const struct jail_post *post, const struct jail_request *request)
{
    return request->rules > 0 && request->rules <= post->rules_count ? post->rules[request->rules - 1] : NULL;
}

/* ---- the jobs ---- */

static void judge(const struct jail_post *post, const struct jail_request *request, struct arena *arena, struct jail_answer *answer)
{
    const struct http_response response = {.status = request->status,
                                           .url = request->url,
                                           .head = request->head,
                                           .wire = request->body,
                                           .body = request->body,
                                           .is_length_known = request->is_length_known};
    const struct page_case in = {
        .response = &response, .rules = rules_of(post, request), .charset = request->word, .is_followed = request->is_followed};
    if (in.rules != NULL) page_judge(&in, arena, &answer->verdict);
    else page_judge_answer(&in, arena, &answer->verdict);
}

/* A page without rows has been read all the same: what was refused in it is part of the answer. */
static void extract(const struct jail_post *post, const struct jail_request *request, const struct page_input *page,
                    struct arena *arena, struct jail_answer *answer, struct gt_errinfo *info)
{
    const struct site_rules *rules = rules_of(post, request);
    if (rules == NULL) {
        answer->err = gt_fail(info, GT_EINTERNAL, "rules that the reader of pages does not know");
        return;
    }
    answer->err = page_extract(rules, page, arena, &answer->verdict.extraction, info);
    answer->verdict.has_extraction = answer->err == GT_OK || answer->err == GT_ENOROWS;
}

/* The section is read as a file of it would be. */
static enum gt_err compare(const struct jail_request *request, const struct page_input *page, struct arena *arena,
                           struct jail_answer *answer, struct gt_errinfo *info)
{
    struct conf *conf = conf_new();
    if (conf == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = conf_read_text(conf, "the proposed section", request->section, info);
    const struct conf_section *const *sections = err == GT_OK ? conf_sections(conf, "site") : NULL;
    const struct conf_section *section = sections != NULL ? sections[0] : NULL;
    if (section != NULL) err = section_is_like_auto(section, page, request->word, arena, &answer->is_same, info);
    else if (err == GT_OK) err = gt_fail(info, GT_ENOMEM, "out of memory");
    conf_free(conf);
    return err;
}

static void serve(const struct jail_post *post, const struct jail_request *request, struct arena *arena, struct jail_answer *answer)
{
    struct gt_errinfo info = {0};
    const struct page_input page = {
        .body = request->body, .url = request->url, .content_type = request->head, .is_followed = request->is_followed};
    switch (request->job) {
    case JAIL_JUDGE: judge(post, request, arena, answer); break;
    case JAIL_EXTRACT: extract(post, request, &page, arena, answer, &info); break;
    case JAIL_PROPOSE: answer->err = section_propose(&page, request->word, arena, &answer->proposal, &info); break;
    case JAIL_COMPARE: answer->err = compare(request, &page, arena, answer, &info); break;
    case JAIL_JOBS: answer->err = GT_EINTERNAL; break;
    }
    answer->message = arena_dup(arena, gt_str_from(info.text));
}

/* ---- the loop ---- */

static bool say(uint32_t kind, uint32_t number, uint64_t bytes)
{
    const struct jail_note note = {.kind = kind, .number = number, .bytes = bytes};
    return write(JAIL_FD, &note, sizeof note) == (ssize_t)sizeof note;
}

/* An answer that says why there is none: it was too large to travel, or the request could not be read. */
static size_t put_failure(const struct jail_post *post, enum gt_err err, const char *why)
{
    struct wire_writer writer = {.ptr = post->answer, .cap = JAIL_ANSWER_BYTES_MAX};
    struct jail_answer answer = {.err = err, .message = gt_str_from(why)};
    answer.verdict.status = STATUS_FAILED;
    answer.verdict.reason = answer.message;
    jail_answer_put(&writer, &answer);
    return writer.len;
}

/* Reads one request, leaves its answer; returns the answer's length. */
static size_t answer_one(const struct jail_post *post, uint64_t bytes, struct arena *arena)
{
    struct jail_request request = {.job = JAIL_JUDGE};
    struct jail_answer answer = {.err = GT_OK};
    struct wire_writer writer = {.ptr = post->answer, .cap = JAIL_ANSWER_BYTES_MAX};
    bool is_request = bytes <= JAIL_REQUEST_BYTES_MAX && jail_request_get((struct gt_str){post->request, bytes}, &request);
    if (!is_request) return put_failure(post, GT_EINTERNAL, "a request that the reader of pages cannot read");
    serve(post, &request, arena, &answer);
    jail_answer_put(&writer, &answer);
    arena_clear(arena);
    if (!writer.is_full) return writer.len;
    return put_failure(post, GT_ELIMIT, "the page yields more than JAIL_ANSWER_BYTES_MAX, or WIRE_TEXT_BYTES_MAX in one text");
}

/* What has to be done while there are files: the environment is not for pages, and the time zone would be read from a file. Freed memory is
 * kept, for the next page wants as much. */
static void prepare(void)
{
    clearenv();
    setenv("TZ", "UTC0", 1);
    tzset();
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
    /* a sanitizer sees more of malloc's pieces than of one block */
    if (!JAIL_IS_SANITIZED) html_heap_install();
}

_Noreturn void jail_worker_run(const struct jail_post *post, int fd, pid_t parent)
{
    int error = 0;
    struct jail_note note;
    prepare();
    struct arena *arena = arena_new(EXTRACT_ARENA_MAX);
    enum jail_stage refused = arena != NULL ? jail_box_enter(fd, parent, &error) : JAIL_STAGE_LIMITS;
    if (refused != JAIL_STAGE_NONE) {
        note = (struct jail_note){.kind = JAIL_NOTE_SHUT, .number = refused, .bytes = (uint64_t)error};
        /* which of the two is open depends on how far it got */
        bool is_told = write(fd, &note, sizeof note) == (ssize_t)sizeof note || say(note.kind, note.number, note.bytes);
        _exit(is_told ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    bool is_heard = say(JAIL_NOTE_READY, 0, 0);
    /* the parent closes its end, or ends the process, when it needs no more of it */
    while (is_heard && read(JAIL_FD, &note, sizeof note) == (ssize_t)sizeof note && note.kind == JAIL_NOTE_ASK)
        is_heard = say(JAIL_NOTE_DONE, note.number, answer_one(post, note.bytes, arena));
    _exit(EXIT_SUCCESS);
}
