/* What a [site] section says about fetching, read once: parts, headers, limits. */
#ifndef GT_CRAWLER_SITE_PLAN_H
#define GT_CRAWLER_SITE_PLAN_H

#include "common/arena.h"
#include "common/conf.h"
#include "crawler/crawl.h"
#include "net/http.h"
#include "net/url.h"

enum { HEADER_FILE_BYTES_MAX = 64 * 1024, PLAN_HEADERS_MAX = HTTP_HEADERS_MAX - 3, RULE_VERSION_MAX = 17 };

/* One listing: its name in every identity, and where it is. */
struct plan_part {
    struct gt_str name;
    struct url url;
};

/* A section's fetching side. Everything in the arena it was read into. */
struct site_plan {
    struct plan_part *parts;
    size_t part_count;
    struct http_header *headers;
    size_t header_count;
    bool is_post;
    struct gt_str body;
    struct gt_str language;    /* Accept-Language: a site may print other prices in another one */
    struct gt_str user_agent;  /* with a way to reach the operator in it */
    struct gt_str agent_token; /* what robots.txt calls us */
    struct gt_str allow_ports;
    int64_t every_ms, delay_ms, timeout_ms, fresh_ms;
    size_t body_bytes_max;
    bool obeys_robots, allow_private, has_follow;
    bool is_rendered;
    struct gt_str render_wait, capture;
    const char *render_program, *render_user;
    int64_t render_timeout_ms, render_memory_bytes;
    char rule_version[RULE_VERSION_MAX]; /* 16 hexadecimal digits */
};

/* Reads a section. GT_ECONF with file:line: no address, two parts of one name, an address that may not be fetched, a header
 * that may not be sent, a user agent without a contact. GT_ENOENT, GT_EACCES for header_file. GT_ENOMEM. */
enum gt_err site_plan_read(const struct conf *conf, const struct conf_section *section, struct arena *arena,
                           struct site_plan *ret_plan, struct gt_errinfo *info);

/* Whether this machine has what the plan needs beside the network. GT_ENOENT with a message that names the package. */
enum gt_err site_plan_check(const struct site_plan *plan, struct gt_errinfo *info);

#endif
