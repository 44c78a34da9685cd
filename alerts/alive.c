/* [report alive]: an address that is posted to after every crawl that got something. A service that misses the post raises the alarm which this
 * machine no longer can. */
#include "alerts/engine.h"
#include "alerts/post.h"

static const struct conf_section *section_of(const struct alerts *alerts)
{
    return conf_find(alerts->conf, "report", GT_STR("alive"));
}

enum gt_err alive_check(const struct alerts *alerts, struct gt_errinfo *info)
{
    const struct conf_section *section = section_of(alerts);
    return section != NULL ? post_check_robot(section, info) : GT_OK;
}

void alerts_alive(const struct alerts *alerts, const struct log *log)
{
    struct gt_errinfo why = {0};
    struct post_secret url = {NULL, 0};
    int64_t hold_s = 0;
    struct post post = {.section = section_of(alerts), .body = GT_STR("gputape\n"), .content_type = "text/plain; charset=utf-8"};
    if (post.section == NULL) return;
    bool has_url = post_address(post.section, NULL, &url, &why);
    post.url = (struct gt_str){url.bytes, url.len};
    struct http_response *response = has_url ? post_send(&post, &why) : NULL;
    if (post_judge(response, &hold_s, &why) != DELIVERY_DONE) log_event(log, LOG_WARN, "alive-not-told", "why", why.text, NULL);
    http_response_free(response);
    post_secret_free(&url);
}
