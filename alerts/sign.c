#include "alerts/sign.h"

#include "common/digest.h"
#include "common/strbuf.h"

enum { SIGNED_BYTES_MAX = 128 * 1024, ENCODED_BYTES_MAX = 64 * 1024 };

/* HMAC-SHA256 as Base64. */
static bool sign_base64(struct gt_str key, struct gt_str data, char ret_base64[SIGN_BASE64_MAX])
{
    uint8_t digest[SHA256_BYTES];
    _Static_assert(DIGEST_BASE64_MAX(SHA256_BYTES) <= SIGN_BASE64_MAX, "a signature fits");
    if (digest_hmac_sha256(key, data, digest) != GT_OK) return false;
    digest_base64(digest, sizeof digest, ret_base64);
    return true;
}

/* "TIMESTAMP\nSECRET". The memory is wiped by the caller. */
static bool stamp(struct strbuf *text, long long now, struct gt_str secret)
{
    strbuf_init(text, SIGNED_BYTES_MAX);
    strbuf_addf(text, "%lld\n", now);
    strbuf_add(text, secret);
    return text->err == GT_OK;
}

static void wipe(struct strbuf *text)
{
    if (text->ptr != NULL) explicit_bzero(text->ptr, text->len);
    strbuf_done(text);
}

bool sign_dingtalk(struct gt_str secret, long long now_ms, char ret_base64[SIGN_BASE64_MAX])
{
    struct strbuf text;
    bool is_good = stamp(&text, now_ms, secret) && sign_base64(secret, strbuf_str(&text), ret_base64);
    wipe(&text);
    return is_good;
}

bool sign_feishu(struct gt_str secret, long long now_s, char ret_base64[SIGN_BASE64_MAX])
{
    struct strbuf text;
    bool is_good = stamp(&text, now_s, secret) && sign_base64(strbuf_str(&text), GT_STR(""), ret_base64);
    wipe(&text);
    return is_good;
}

struct gt_str sign_url_encode(struct gt_str text, struct arena *arena)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    struct strbuf encoded;
    strbuf_init(&encoded, ENCODED_BYTES_MAX);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c != 0 && strchr(plain, c) != NULL) strbuf_addc(&encoded, (char)c);
        else strbuf_addf(&encoded, "%%%02X", c);
    }
    struct gt_str ret = encoded.err == GT_OK ? arena_dup(arena, strbuf_str(&encoded)) : (struct gt_str){NULL, 0};
    strbuf_done(&encoded);
    return ret;
}
