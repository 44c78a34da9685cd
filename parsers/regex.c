/* PCRE2's own limits do not bound time: match_limit starts anew at each start position and does not count the characters that a
 * repeated class runs over (9.6 s were measured on 4,000 bytes with a limit of 100,000). So every pattern is compiled with
 * automatic callouts, and the callout adds up steps and distance; past a ceiling it ends the match with an error. The count is
 * the same on every machine. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "parsers/regex.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

struct regex {
    pcre2_code *code;
    struct regex_name names[REGEX_NAMES_MAX];
    size_t name_count;
};

struct regex_run {
    const struct regex *regex;
    struct gt_str subject;
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *jit_stack;
    size_t at; /* where the next search begins */
    uint64_t work;
    uint64_t work_max;
    size_t position; /* of the last callout */
};

enum { STOPPED = -1000 /* what the callout returns; PCRE2 keeps its own codes above that */ };

static int count_work(pcre2_callout_block *block, void *user)
{
    struct regex_run *run = user;
    size_t position = block->current_position;
    run->work += 1 + (position > run->position ? position - run->position : run->position - position);
    run->position = position;
    return run->work > run->work_max ? STOPPED : 0;
}

static enum gt_err collect_names(struct regex *regex, const struct conf_value *origin, struct gt_errinfo *info)
{
    uint32_t count = 0, entry_bytes = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
    if (count > REGEX_NAMES_MAX) return conf_fail(origin, info, "too many named groups (REGEX_NAMES_MAX)");
    for (uint32_t i = 0; i < count; i++) {
        PCRE2_SPTR entry = table + (size_t)i * entry_bytes; /* two bytes of number, then the name */
        regex->names[i] = (struct regex_name){gt_str_from((const char *)entry + 2), entry[0] << 8 | entry[1]};
    }
    regex->name_count = count;
    return GT_OK;
}

static enum gt_err fail_compile(const struct conf_value *origin, int code, size_t offset, struct gt_errinfo *info)
{
    PCRE2_UCHAR reason[256];
    char message[384];
    pcre2_get_error_message(code, reason, sizeof reason);
    snprintf(message, sizeof message, "regex: %s at offset %zu", (const char *)reason, offset);
    return conf_fail(origin, info, message);
}

enum gt_err regex_new(const struct conf_value *origin, struct gt_str pattern, struct regex **ret_regex, struct gt_errinfo *info)
{
    enum gt_err err = GT_ENOMEM;
    struct regex *regex = calloc(1, sizeof *regex);
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (regex == NULL || context == NULL) {
        err = gt_fail(info, GT_ENOMEM, "no memory for a regex");
        goto out;
    }
    pcre2_set_max_pattern_length(context, REGEX_PATTERN_MAX);
    int code;
    PCRE2_SIZE offset;
    const uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DUPNAMES | PCRE2_AUTO_CALLOUT;
    regex->code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, options, &code, &offset, context);
    if (regex->code == NULL) {
        err = fail_compile(origin, code, offset, info);
        goto out;
    }
    /* Without JIT (memory that may not be executed, a pattern it cannot do) the interpreter does the same work. */
    (void)pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);
    err = collect_names(regex, origin, info);
    if (err != GT_OK) goto out;
    *ret_regex = regex;
    regex = NULL;
out:
    pcre2_compile_context_free(context);
    regex_free(regex);
    return err;
}

void regex_free(struct regex *regex)
{
    if (regex == NULL) return;
    pcre2_code_free(regex->code);
    free(regex);
}

const struct regex_name *regex_names(const struct regex *regex, size_t *ret_count)
{
    *ret_count = regex->name_count;
    return regex->names;
}

/* Work is counted by callouts, not by time: the same page costs the same on every machine. */
static void set_limits(struct regex_run *run)
{
    uint64_t by_length = (uint64_t)run->subject.len * REGEX_WORK_PER_BYTE;
    run->work_max = by_length > REGEX_WORK_MAX ? by_length : REGEX_WORK_MAX;
    pcre2_set_match_limit(run->context, REGEX_BACKTRACKS_MAX);
    pcre2_set_depth_limit(run->context, REGEX_DEPTH_MAX);
    pcre2_set_heap_limit(run->context, REGEX_HEAP_MAX_KIB);
    pcre2_set_callout(run->context, count_work, run);
    pcre2_jit_stack_assign(run->context, NULL, run->jit_stack);
}

enum gt_err regex_run_begin(const struct regex *regex, struct gt_str subject, struct regex_run **ret_run, struct gt_errinfo *info)
{
    if (subject.len > REGEX_SUBJECT_MAX) return gt_fail(info, GT_ELIMIT, "the text is longer than REGEX_SUBJECT_MAX bytes");
    struct regex_run *run = calloc(1, sizeof *run);
    if (run == NULL) return gt_fail(info, GT_ENOMEM, "no memory for a regex");
    run->regex = regex;
    run->subject = subject.ptr != NULL ? subject : GT_STR("");
    run->context = pcre2_match_context_create(NULL);
    run->data = pcre2_match_data_create_from_pattern(regex->code, NULL);
    run->jit_stack = pcre2_jit_stack_create(32 * 1024, REGEX_JIT_STACK_MAX, NULL);
    if (run->context == NULL || run->data == NULL || run->jit_stack == NULL) {
        regex_run_end(run);
        return gt_fail(info, GT_ENOMEM, "no memory for a regex");
    }
    set_limits(run);
    *ret_run = run;
    return GT_OK;
}

void regex_run_end(struct regex_run *run)
{
    if (run == NULL) return;
    pcre2_jit_stack_free(run->jit_stack);
    pcre2_match_data_free(run->data);
    pcre2_match_context_free(run->context);
    free(run);
}

/* The subject was checked to be UTF-8 when it was decoded. */
static int match(struct regex_run *run, uint32_t options)
{
    run->position = run->at;
    return pcre2_match(run->regex->code, (PCRE2_SPTR)run->subject.ptr, run->subject.len, run->at, options | PCRE2_NO_UTF_CHECK,
                       run->data, run->context);
}

/* Where the search goes on: behind the match, and at least one character further than where it stood, or empty matches never
 * end.
 * */
static void advance(struct regex_run *run)
{
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(run->data);
    size_t next = offsets[1];
    if (next <= run->at || offsets[0] == offsets[1]) {
        next = (next < run->at ? run->at : next) + 1;
        while (next < run->subject.len && ((unsigned char)run->subject.ptr[next] & 0xC0) == 0x80) next++;
    }
    run->at = next;
}

/* JIT has a stack of its own; where that is too small the interpreter tries once more. */
enum gt_err regex_run_next(struct regex_run *run, bool *ret_found, struct gt_errinfo *info)
{
    *ret_found = false;
    if (run->at > run->subject.len) return GT_OK;
    int rc = match(run, 0);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT) rc = match(run, PCRE2_NO_JIT);
    if (rc == PCRE2_ERROR_NOMATCH) {
        run->at = run->subject.len + 1;
        return GT_OK;
    }
    if (rc == STOPPED) return gt_fail(info, GT_ELIMIT, "the regex costs more than REGEX_WORK_MAX on this page");
    if (rc < 0) {
        PCRE2_UCHAR reason[256];
        pcre2_get_error_message(rc, reason, sizeof reason);
        return gt_fail(info, GT_ELIMIT, "the regex failed on this page: %s (%d)", (const char *)reason, rc);
    }
    advance(run);
    *ret_found = true;
    return GT_OK;
}

bool regex_run_group(const struct regex_run *run, int group, struct gt_str *ret_text)
{
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(run->data);
    if ((uint32_t)group >= pcre2_get_ovector_count(run->data)) return false;
    size_t from = offsets[2 * group], to = offsets[2 * group + 1];
    /* \K in a lookahead can end a match before it begins. */
    if (from == PCRE2_UNSET || to < from) return false;
    *ret_text = gt_str_slice(run->subject, from, to - from);
    return true;
}

enum gt_err regex_search(const struct regex *regex, struct gt_str subject, bool *ret_found, struct gt_errinfo *info)
{
    struct regex_run *run = NULL;
    enum gt_err err = regex_run_begin(regex, subject, &run, info);
    if (err == GT_OK && run != NULL) err = regex_run_next(run, ret_found, info);
    regex_run_end(run);
    return err;
}
