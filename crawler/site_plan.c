/* A section is read once, before anything is fetched, and completely: a fault in it is told with file and line and costs
 * that site, not the crawl. */
#include "crawler/site_plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/digest.h"
#include "common/file.h"
#include "crawler/render_process.h"
#include "crawler/robots.h"
#include "net/header.h"

/* Set for each request by the crawler or the client; in a section they would be a mistake. */
static const char *const own_headers[] = {"Host",
                                          "Content-Length",
                                          "Transfer-Encoding",
                                          "Connection",
                                          "Accept-Encoding",
                                          "TE",
                                          "Trailer",
                                          "Upgrade",
                                          "Expect",
                                          "Keep-Alive",
                                          "Proxy-Authorization",
                                          "User-Agent",
                                          "If-None-Match",
                                          "If-Modified-Since",
                                          "If-Match",
                                          "If-Range",
                                          "If-Unmodified-Since",
                                          "Range"};

/* ---- parts ---- */

/* "NAME URL" or "URL". The first bare one is "main"; further ones are named by what sets them apart. */
static enum gt_err part_read(struct gt_str line, const struct conf_value *value, struct site_plan *plan, struct arena *arena,
                             struct gt_errinfo *info)
{
    struct plan_part *part = &plan->parts[plan->part_count];
    struct gt_str text = line;
    size_t blank = 0;
    while (blank < line.len && line.ptr[blank] != ' ' && line.ptr[blank] != '\t') blank++;
    /* a name has no "://" in it, an address has */
    bool is_bare = gt_str_find(gt_str_slice(line, 0, blank), GT_STR("://"), 0) != SIZE_MAX;
    if (!is_bare) text = gt_str_trim(gt_str_slice(line, blank, SIZE_MAX));
    struct gt_errinfo why = {0};
    if (text.len == 0) return conf_fail(value, info, "an address begins with https:// or http://, after the part's name if it has one");
    enum gt_err err = url_parse(text, arena, &part->url, &why);
    if (err != GT_OK) return err == GT_ENOMEM ? gt_fail(info, err, "out of memory") : conf_fail(value, info, why.text);
    if (!is_bare) part->name = arena_dup(arena, gt_str_slice(line, 0, blank));
    else if (plan->part_count == 0) part->name = GT_STR("main");
    else part->name = arena_printf(arena, "%.*s%.*s", GT_STR_ARG(part->url.host), GT_STR_ARG(part->url.target));
    if (part->name.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < plan->part_count; i++)
        if (gt_str_eq(plan->parts[i].name, part->name)) return conf_fail(value, info, "two parts of one name");
    plan->part_count++;
    return GT_OK;
}

/* All lines of `url`, each a part. */
static enum gt_err parts_read(const struct conf_section *section, struct site_plan *plan, struct arena *arena,
                              struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "url");
    if (value == NULL || value->text.len == 0)
        return gt_fail(info, GT_ECONF, "%s:%d: site %.*s has no url", conf_section_file(section), conf_section_line(section),
                       GT_STR_ARG(conf_section_name(section)));
    struct gt_str rest = value->text, line;
    size_t lines = 1;
    for (size_t i = 0; i < value->text.len; i++) lines += value->text.ptr[i] == '\n';
    plan->parts = arena_array(arena, lines < CRAWL_PARTS_MAX ? lines : CRAWL_PARTS_MAX, sizeof *plan->parts);
    if (plan->parts == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    while (gt_str_split(&rest, '\n', &line)) {
        if (line.len == 0) continue;
        if (plan->part_count == CRAWL_PARTS_MAX) return conf_fail(value, info, "too many parts");
        enum gt_err err = part_read(line, value, plan, arena, info);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}

/* ---- headers ---- */

/* Why a line is no header that may be sent; NULL when it is one. */
static const char *header_fault(struct gt_str line, struct gt_str *ret_name, struct gt_str *ret_value)
{
    size_t colon = gt_str_find(line, GT_STR(":"), 0);
    if (colon == SIZE_MAX) return "a header without a colon";
    *ret_name = gt_str_trim(gt_str_slice(line, 0, colon));
    *ret_value = gt_str_trim(gt_str_slice(line, colon + 1, SIZE_MAX));
    if (!header_name_is_valid(*ret_name)) return "not the name of a header";
    if (!header_value_is_valid(*ret_value)) return "a header value with a control character, or too long";
    for (size_t i = 0; i < sizeof own_headers / sizeof own_headers[0]; i++)
        if (gt_str_eq_nocase(*ret_name, gt_str_from(own_headers[i]))) return "a header that the crawler sets itself";
    return NULL;
}

/* Reads header lines. On a fault *ret_line is its number in `text` and *ret_fault says what. False when memory is out. */
static bool headers_add(struct gt_str text, bool is_secret, struct site_plan *plan, struct arena *arena, const char **ret_fault,
                        int *ret_line)
{
    struct gt_str line;
    *ret_fault = NULL;
    for (*ret_line = 1; gt_str_split(&text, '\n', &line); (*ret_line)++) {
        struct http_header *header = &plan->headers[plan->header_count];
        if (line.len == 0 || line.ptr[0] == '#') continue;
        if (plan->header_count == PLAN_HEADERS_MAX) *ret_fault = "too many headers";
        else *ret_fault = header_fault(line, &header->name, &header->value);
        if (*ret_fault != NULL) return true;
        header->name = arena_dup(arena, header->name);
        header->value = arena_dup(arena, header->value);
        header->is_secret = is_secret;
        if (header->name.ptr == NULL || header->value.ptr == NULL) return false;
        plan->header_count++;
    }
    return true;
}

/* The file's bytes are wiped before they are given back: they are secrets. */
static enum gt_err header_file_read(const char *path, struct site_plan *plan, struct arena *arena, struct gt_errinfo *info)
{
    char *bytes = NULL;
    size_t len = 0;
    const char *fault;
    int line;
    enum gt_err err = file_read(path, HEADER_FILE_BYTES_MAX, &bytes, &len, info);
    if (err != GT_OK) return err;
    bool has_memory = headers_add((struct gt_str){bytes, len}, true, plan, arena, &fault, &line);
    explicit_bzero(bytes, len);
    free(bytes);
    if (!has_memory) return gt_fail(info, GT_ENOMEM, "out of memory");
    return fault == NULL ? GT_OK : gt_fail(info, GT_ECONF, "%s:%d: %s", path, line, fault);
}

/* `header`, then `header_file`: what a file says is secret, what the section says is not. */
static enum gt_err headers_read(const struct conf_section *section, struct site_plan *plan, struct arena *arena,
                                struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "header");
    const char *fault = NULL;
    int line;
    plan->headers =
        arena_array(arena, PLAN_HEADERS_MAX + 1, sizeof *plan->headers); /* one that is looked at before it is refused */
    if (plan->headers == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    if (value != NULL && !headers_add(value->text, false, plan, arena, &fault, &line))
        return gt_fail(info, GT_ENOMEM, "out of memory");
    if (fault != NULL) return conf_fail(value, info, fault);
    struct gt_str path = conf_text(section, "header_file");
    if (path.len == 0) return GT_OK;
    struct gt_str closed = arena_dup(arena, path);
    return closed.ptr != NULL ? header_file_read(closed.ptr, plan, arena, info) : gt_fail(info, GT_ENOMEM, "out of memory");
}

/* ---- who we are ---- */

/* True when the text holds a mail or web address. */
static bool has_contact(struct gt_str text)
{
    return gt_str_find(text, GT_STR("@"), 0) != SIZE_MAX || gt_str_find(text, GT_STR("http"), 0) != SIZE_MAX;
}

/* The user agent names a product and a way to reach whoever runs it; `contact` takes the place of the built-in address. */
static enum gt_err agent_read(const struct conf_section *section, struct site_plan *plan, struct arena *arena,
                              struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, "user_agent");
    struct gt_str agent = conf_text(section, "user_agent"), contact = conf_text(section, "contact");
    size_t bracket = gt_str_find(agent, GT_STR("("), 0);
    plan->user_agent = arena_dup(arena, agent);
    /* a contact of the operator's own takes the place of the project's: complaints should reach whoever runs it */
    if (contact.len > 0) {
        struct gt_str product = gt_str_trim(gt_str_slice(agent, 0, bracket));
        plan->user_agent = arena_printf(arena, "%.*s (+%.*s)", GT_STR_ARG(product), GT_STR_ARG(contact));
    }
    if (plan->user_agent.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    plan->agent_token = robots_agent_token(plan->user_agent);
    const char *fault = NULL;
    if (plan->agent_token.len == 0) fault = "no product name in the user agent";
    else if (!has_contact(plan->user_agent))
        fault = "no address or mail in the user agent: set `contact`, so that a site's owner can reach you";
    else if (!header_value_is_valid(plan->user_agent)) fault = "not a user agent that can be sent";
    if (fault == NULL) return GT_OK;
    if (value != NULL) return conf_fail(value, info, fault);
    return gt_fail(info, GT_ECONF, "%s:%d: %s", conf_section_file(section), conf_section_line(section), fault);
}

/* The rules that read a page: the section, what it inherits, and the program. */
static enum gt_err version_make(const struct conf *conf, const struct conf_section *section, struct site_plan *plan,
                                struct arena *arena, struct gt_errinfo *info)
{
    const struct conf_section *defaults = conf_find(conf, "defaults", GT_STR(""));
    struct gt_str own = conf_section_print(section, arena), inherited = GT_STR("");
    if (defaults != NULL) inherited = conf_section_print(defaults, arena);
    struct gt_str all = arena_printf(arena, "%s\n%.*s\n%.*s", GPUTAPE_VERSION, GT_STR_ARG(own), GT_STR_ARG(inherited));
    if (own.ptr == NULL || all.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    snprintf(plan->rule_version, sizeof plan->rule_version, "%016llx", (unsigned long long)digest_check64(all));
    return GT_OK;
}

/* What belongs to `render`; keys of it that would have no effect are a mistake. */
static enum gt_err render_read(const struct conf_section *section, struct site_plan *plan, struct arena *arena,
                               struct gt_errinfo *info)
{
    const struct conf_value *wait = conf_get(section, "render_wait"), *capture = conf_get(section, "capture");
    plan->is_rendered = gt_str_is(conf_text(section, "render"), "chromium");
    if (!plan->is_rendered && wait != NULL) return conf_fail(wait, info, "needs render = chromium");
    if (!plan->is_rendered && capture != NULL) return conf_fail(capture, info, "needs render = chromium");
    if (!plan->is_rendered) return GT_OK;
    if (plan->is_post) return conf_fail(conf_get(section, "render"), info, "a browser opens a page by GET, not by POST");
    plan->render_wait = conf_text(section, "render_wait");
    plan->capture = conf_text(section, "capture");
    plan->render_timeout_ms = conf_duration_ms(section, "render_timeout", 60 * 1000);
    plan->render_memory_bytes = conf_size(section, "render_memory", (int64_t)1024 * 1024 * 1024);
    struct gt_str program = arena_dup(arena, conf_text(section, "render_program")), user = arena_dup(arena, conf_text(section, "render_user"));
    plan->render_program = program.ptr;
    plan->render_user = user.ptr;
    return program.ptr != NULL && user.ptr != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
}

/* All of a section that concerns fetching, read before the first request: a mistake in the last key must not show after an hour. */
enum gt_err site_plan_read(const struct conf *conf, const struct conf_section *section, struct arena *arena,
                           struct site_plan *ret_plan, struct gt_errinfo *info)
{
    bool is_overseas = gt_str_is(conf_text(section, "market"), "overseas");
    struct site_plan plan = {
        .is_post = gt_str_is(conf_text(section, "method"), "POST"),
        .body = conf_text(section, "body"),
        .allow_ports = conf_text(section, "allow_ports"),
        .language = is_overseas ? GT_STR("en-US,en;q=0.9") : GT_STR("zh-CN,zh;q=0.9,en;q=0.8"),
        .every_ms = conf_duration_ms(section, "every", 6 * 3600 * 1000),
        .delay_ms = conf_duration_ms(section, "delay", 3000),
        .timeout_ms = conf_duration_ms(section, "timeout", HTTP_TIMEOUT_DEFAULT_MS),
        .fresh_ms = conf_duration_ms(section, "fresh", 7 * 86400 * (int64_t)1000),
        .body_bytes_max = (size_t)conf_size(section, "body_max", 8 * 1024 * 1024),
        .obeys_robots = !gt_str_is(conf_text(section, "robots"), "ignore"),
        .allow_private = conf_bool(section, "allow_private", false),
        .has_follow = conf_text(section, "follow").len > 0,
    };
    enum gt_err err = parts_read(section, &plan, arena, info);
    if (err == GT_OK) err = render_read(section, &plan, arena, info);
    if (err == GT_OK) err = headers_read(section, &plan, arena, info);
    if (err == GT_OK) err = agent_read(section, &plan, arena, info);
    if (err == GT_OK) err = version_make(conf, section, &plan, arena, info);
    if (err == GT_OK) *ret_plan = plan;
    return err;
}

enum gt_err site_plan_check(const struct site_plan *plan, struct gt_errinfo *info)
{
    const char *program;
    return plan->is_rendered ? render_program_find(plan->render_program, &program, info) : GT_OK;
}
