/* The parent's side: one worker at a time, a request and its answer in memory that both see, sixteen bytes over a socket to say so. */
#include "crawler/jail.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "common/utf8.h"
#include "crawler/jail_keeper.h"
#include "crawler/jail_message.h"
#include "net/header.h"
#include "parsers/charset.h"

struct jail {
    struct jail_post post;
    struct jail_keeper keeper;
    const struct site_rules **rules;
    struct charset_tables *tables;
    size_t asked_bytes; /* of the request that is with the worker */
};

enum { SHARED_BYTES = JAIL_REQUEST_BYTES_MAX + JAIL_ANSWER_BYTES_MAX, PAGE_KEPT_BYTES = 1024 * 1024 };

/* ---- life ---- */

/* Rules are compiled and tables opened before the fork: the worker may open nothing any more. */
enum gt_err jail_new(const struct site_rules *const *rules, size_t count, struct jail **ret_jail, struct gt_errinfo *info)
{
    struct jail *jail = count <= JAIL_RULES_MAX ? calloc(1, sizeof *jail) : NULL;
    if (jail == NULL) return gt_fail(info, GT_ENOMEM, "no memory for the reader of pages");
    enum gt_err err = GT_OK;
    jail_keeper_init(&jail->keeper);
    jail->rules = calloc(count + 1, sizeof(const struct site_rules *));
    jail->tables = charset_tables_open();
    void *shared = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared != MAP_FAILED) jail->post = (struct jail_post){.request = shared, .answer = (char *)shared + JAIL_REQUEST_BYTES_MAX};
    if (shared == MAP_FAILED || jail->rules == NULL || jail->tables == NULL) {
        err = gt_fail(info, GT_ENOMEM, "no memory for the reader of pages");
    } else {
        for (size_t i = 0; i < count; i++) jail->rules[i] = rules[i];
        jail->post.rules = jail->rules;
        jail->post.rules_count = count;
        err = jail_keeper_start(&jail->keeper, &jail->post, info);
    }
    if (err == GT_OK) *ret_jail = jail;
    else jail_free(jail);
    return err;
}

void jail_free(struct jail *jail)
{
    if (jail == NULL) return;
    jail_keeper_stop(&jail->keeper);
    if (jail->post.request != NULL) munmap(jail->post.request, SHARED_BYTES);
    charset_tables_close(jail->tables);
    free(jail->rules);
    free(jail);
}

/* ---- one request ---- */

/* A large page must not stay in memory until the next large one. */
static void forget(char *area, size_t used)
{
    if (used > PAGE_KEPT_BYTES) madvise(area + PAGE_KEPT_BYTES, used - PAGE_KEPT_BYTES, MADV_REMOVE);
}

/* Copies the answer out of the worker's reach, and only then looks at it. */
static enum gt_err answer_take(struct jail *jail, size_t bytes, struct arena *arena, struct jail_answer *ret_answer, struct gt_errinfo *info)
{
    struct gt_str copy = arena_dup(arena, (struct gt_str){jail->post.answer, bytes});
    if (copy.ptr == NULL) return gt_fail(info, GT_ENOMEM, "the page takes too much memory");
    enum gt_err err = jail_answer_get(copy, arena, ret_answer);
    if (err == GT_EFORMAT) {
        /* whoever wrote this is not the program that we started */
        jail_keeper_stop(&jail->keeper);
        return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": its answer cannot be read");
    }
    return err == GT_OK ? GT_OK : gt_fail(info, err, "the page takes too much memory");
}

/* Which of the jail's rules these are, from 1; JAIL_RULES_NONE when a worker cannot know them. */
static uint32_t rules_index(const struct jail *jail, const struct site_rules *rules)
{
    for (size_t i = 0; i < jail->post.rules_count; i++)
        if (jail->rules[i] == rules) return (uint32_t)i + 1;
    return JAIL_RULES_NONE;
}

/* Gives the worker a request, a new one when the last has died. On an error `info` says why there will be no answer. */
static enum gt_err ask_begin(struct jail *jail, const struct jail_request *request, struct gt_errinfo *info)
{
    struct wire_writer writer = {.ptr = jail->post.request, .cap = JAIL_REQUEST_BYTES_MAX};
    if (request->body.len > PAGE_BYTES_MAX)
        return gt_fail(info, GT_ELIMIT, "the page has more than PAGE_BYTES_MAX (%d) bytes", PAGE_BYTES_MAX);
    jail_request_put(&writer, request);
    if (writer.is_full) return gt_fail(info, GT_ELIMIT, "the page's address or headers are too long");
    jail->asked_bytes = writer.len;
    enum gt_err err = jail_keeper_ask(&jail->keeper, &jail->post, writer.len, info);
    if (err != GT_OK) forget(jail->post.request, writer.len);
    return err;
}

/* Waits for the worker's answer. On an error `info` says why there is none. */
static enum gt_err ask_end(struct jail *jail, struct arena *arena, struct jail_answer *ret_answer, struct gt_errinfo *info)
{
    size_t bytes = 0;
    enum gt_err err = jail_keeper_answer(&jail->keeper, &bytes, info);
    if (err == GT_OK) err = answer_take(jail, bytes, arena, ret_answer, info);
    forget(jail->post.request, jail->asked_bytes);
    forget(jail->post.answer, err == GT_OK ? bytes : JAIL_ANSWER_BYTES_MAX);
    return err;
}

static enum gt_err ask(struct jail *jail, const struct jail_request *request, struct arena *arena, struct jail_answer *ret_answer,
                       struct gt_errinfo *info)
{
    enum gt_err err = ask_begin(jail, request, info);
    return err == GT_OK ? ask_end(jail, arena, ret_answer, info) : err;
}

/* The worker's own error, with its message. */
static enum gt_err answer_error(const struct jail_answer *answer, struct gt_errinfo *info)
{
    if (answer->err == GT_OK) return GT_OK;
    if (answer->message.len == 0) return gt_fail(info, answer->err, "%s", gt_err_text(answer->err));
    return gt_fail(info, answer->err, "%.*s", GT_STR_ARG(answer->message));
}

/* ---- what can be asked ---- */

/* There is no verdict, for the reason in `info`. */
static void verdict_fail(const struct gt_errinfo *info, struct arena *arena, struct page_verdict *ret_verdict)
{
    *ret_verdict = (struct page_verdict){.status = STATUS_FAILED, .reason = arena_dup(arena, gt_str_from(info->text))};
    if (ret_verdict->reason.ptr == NULL) ret_verdict->reason = GT_STR("out of memory");
}

bool jail_page_begin(struct jail *jail, const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict)
{
    const struct http_response *response = in->response;
    struct gt_errinfo info = {0};
    *ret_verdict = (struct page_verdict){.status = STATUS_FAILED};
    /* no answer, nothing to read */
    if (response->err != GT_OK && page_judge_answer(in, arena, ret_verdict)) return false;
    const struct jail_request request = {.job = JAIL_JUDGE,
                                         .rules = in->rules != NULL ? rules_index(jail, in->rules) : JAIL_RULES_NONE,
                                         .status = response->status,
                                         .is_length_known = response->is_length_known,
                                         .is_followed = in->is_followed,
                                         .body = response->body,
                                         .url = response->url,
                                         .head = response->head,
                                         .word = in->charset};
    enum gt_err err = GT_OK;
    if (in->rules != NULL && request.rules == JAIL_RULES_NONE) err = gt_fail(&info, GT_EINTERNAL, "rules that the reader of pages does not know");
    if (err == GT_OK) err = ask_begin(jail, &request, &info);
    if (err != GT_OK) verdict_fail(&info, arena, ret_verdict);
    return err == GT_OK;
}

int jail_fd(const struct jail *jail)
{
    return jail->keeper.fd;
}

bool jail_is_ready(const struct jail *jail)
{
    return jail_keeper_is_ready(&jail->keeper);
}

void jail_page_end(struct jail *jail, struct arena *arena, struct page_verdict *ret_verdict)
{
    struct jail_answer answer = {.err = GT_EINTERNAL};
    struct gt_errinfo info = {0};
    if (ask_end(jail, arena, &answer, &info) == GT_OK) *ret_verdict = answer.verdict;
    else verdict_fail(&info, arena, ret_verdict);
}

void jail_page_judge(struct jail *jail, const struct page_case *in, struct arena *arena, struct page_verdict *ret_verdict)
{
    if (jail_page_begin(jail, in, arena, ret_verdict)) jail_page_end(jail, arena, ret_verdict);
}

/* The request for a page outside a crawl. */
static struct jail_request request_of(enum jail_job job, const struct page_input *page, struct gt_str word)
{
    return (struct jail_request){.job = job,
                                 .is_followed = page->is_followed,
                                 .body = page->body,
                                 .url = page->url,
                                 .head = page->content_type,
                                 .word = word};
}

enum gt_err jail_page_extract(struct jail *jail, const struct site_rules *rules, const struct page_input *page, struct arena *arena,
                              struct extraction *ret_extraction, struct gt_errinfo *info)
{
    struct jail_answer answer = {.err = GT_EINTERNAL};
    struct jail_request request = request_of(JAIL_EXTRACT, page, GT_STR(""));
    request.rules = rules_index(jail, rules);
    enum gt_err err = ask(jail, &request, arena, &answer, info);
    if (err != GT_OK) return err;
    /* a worker that says it has read the page has to say what */
    if (answer.err == GT_OK && !answer.verdict.has_extraction) return gt_fail(info, GT_EREFUSED, JAIL_CRASHED ": its answer is empty");
    if (answer.verdict.has_extraction) *ret_extraction = answer.verdict.extraction;
    return answer_error(&answer, info);
}

/* Lines of plain text: what is printed as a proposal must not steer a terminal. */
static bool is_plain(struct gt_str text, struct arena *arena)
{
    struct gt_str rest = text;
    while (rest.len > 0) {
        size_t end = gt_str_find(rest, GT_STR("\n"), 0);
        struct gt_str line = gt_str_slice(rest, 0, end);
        if (!gt_str_eq(utf8_printable(line, arena), line)) return false;
        rest = end != SIZE_MAX ? gt_str_slice(rest, end + 1, SIZE_MAX) : (struct gt_str){NULL, 0};
    }
    return true;
}

/* A proposal is printed to a terminal and pasted into a configuration: control characters in it would be somebody's intent. */
enum gt_err jail_section_propose(struct jail *jail, const struct page_input *page, struct gt_str currency, struct arena *arena,
                                 struct proposal *ret_proposal, struct gt_errinfo *info)
{
    struct jail_answer answer = {.err = GT_EINTERNAL};
    const struct jail_request request = request_of(JAIL_PROPOSE, page, currency);
    enum gt_err err = ask(jail, &request, arena, &answer, info);
    if (err == GT_OK) err = answer_error(&answer, info);
    if (err != GT_OK) return err;
    if (!is_plain(answer.proposal.rules, arena)) return gt_fail(info, GT_EREFUSED, "the proposed rules hold control characters");
    *ret_proposal = answer.proposal;
    return GT_OK;
}

enum gt_err jail_section_compare(struct jail *jail, struct gt_str section, const struct page_input *page, struct gt_str currency,
                                 struct arena *arena, bool *ret_same, struct gt_errinfo *info)
{
    struct jail_answer answer = {.err = GT_EINTERNAL};
    struct jail_request request = request_of(JAIL_COMPARE, page, currency);
    request.section = section;
    enum gt_err err = ask(jail, &request, arena, &answer, info);
    if (err == GT_OK) err = answer_error(&answer, info);
    if (err == GT_OK) *ret_same = answer.is_same;
    return err;
}
