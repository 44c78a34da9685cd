/* Posting to an address and reading what the answer means: what every channel over HTTP shares. Internal to alerts/. */
#ifndef GT_ALERTS_POST_H
#define GT_ALERTS_POST_H

#include "alerts/channel.h"
#include "net/http.h"

enum {
    POST_ANSWER_BYTES_MAX = 64 * 1024,
    POST_HEADERS_MAX = 8,
    POST_HOLD_MAX_S = 6 * 3600, /* no server makes a channel wait longer */
};

/* A secret of a file of its own, without the blanks and line ends at its ends. Freed and wiped by post_secret_free. */
struct post_secret {
    char *bytes;
    size_t len;
};

/* Reads the file that `key` of the section names. False with `why` when it cannot be read or is empty. */
bool post_secret_read(const struct conf_section *section, const char *key, struct post_secret *ret_secret, struct gt_errinfo *why);
void post_secret_free(struct post_secret *secret);

/* The section's address: the file of `url_file`, else `url`, else `otherwise` (may be NULL). In *ret_url, which is freed as a secret: the
 * address of a robot is one. False with `why`. */
bool post_address(const struct conf_section *section, const char *otherwise, struct post_secret *ret_url, struct gt_errinfo *why);

/* GT_ECONF when `url` and `url_file` are both set, or `url` is not http(s). */
enum gt_err post_check_address(const struct conf_section *section, struct gt_errinfo *info);

/* The same where one of them must be set, and where there must be a `token_file`: the `check` of channels that need no more. */
enum gt_err post_check_robot(const struct conf_section *section, struct gt_errinfo *info);
enum gt_err post_check_token(const struct conf_section *section, struct gt_errinfo *info);

/* GT_ECONF with a sentence when `key` is not set. */
enum gt_err post_check_key(const struct conf_section *section, const char *key, struct gt_errinfo *info);

/* What is posted. Borrowed. */
struct post {
    const struct conf_section *section;
    struct gt_str url, body;
    const char *content_type;
    const struct http_header *headers;
    size_t header_count;
};

/* One exchange, to its end. NULL with `why` when it could not even be begun; freed by http_response_free. */
struct http_response *post_send(const struct post *post, struct gt_errinfo *why);

/* What the status says: 2xx is taken; 408, 425, 429, 5xx and no answer are for later, *ret_hold_s at the earliest when the server named a
 * time; anything else never. `why` never names the address: it may be the secret. */
enum delivery_result post_judge(const struct http_response *response, int64_t *ret_hold_s, struct gt_errinfo *why);

/* Posts a JSON value (the reference is taken), with one more header where `header` is not NULL, and judges by the status. */
struct json_t;
enum delivery_result post_json(const struct channel *channel, struct gt_str url, struct json_t *body, const struct http_header *header,
                               int64_t *ret_hold_s, struct gt_errinfo *why);

/* ---- robots: they answer 200 and say in the body whether they took it ---- */

/* What a code of a robot means. */
struct robot_code {
    int64_t code;
    enum delivery_result result;
    int32_t hold_s;
    const char *says; /* for people */
};

struct robot {
    const char *code_key; /* "errcode" */
    int64_t code_ok;
    const struct robot_code *codes; /* closed by a NULL `says`; a code that is not here is for later */
};

/* As post_json, judging by the body where the status is 2xx. A body without the code leaves it open: DELIVERY_UNSURE. */
enum delivery_result robot_post(const struct robot *robot, const struct channel *channel, struct gt_str url, struct json_t *body,
                                int64_t *ret_hold_s, struct gt_errinfo *why);

/* Bytes that a JSON value takes as it is sent (the reference is taken); SIZE_MAX when it cannot be made. */
size_t robot_bytes(struct json_t *body);

#endif
