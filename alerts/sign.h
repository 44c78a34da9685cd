/* The signatures of vendors. Internal to alerts/. */
#ifndef GT_ALERTS_SIGN_H
#define GT_ALERTS_SIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"

enum { SIGN_BASE64_MAX = 64 };

/* DingTalk: the key is the secret, the message the timestamp (Unix milliseconds), a line feed and the secret; Base64, NUL-closed. False when
 * memory is out or the secret too long. */
bool sign_dingtalk(struct gt_str secret, long long now_ms, char ret_base64[SIGN_BASE64_MAX]);

/* Feishu: the key is the timestamp (Unix seconds), a line feed and the secret, the message is empty. */
bool sign_feishu(struct gt_str secret, long long now_s, char ret_base64[SIGN_BASE64_MAX]);

/* Percent-encodes all but letters, digits and "-._~". In the arena; NULL ptr when it is full. */
struct gt_str sign_url_encode(struct gt_str text, struct arena *arena);

#endif
