#include "common/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

enum gt_err digest_sha256(struct gt_str data, uint8_t ret_digest[SHA256_BYTES])
{
    unsigned len = 0;
    return EVP_Digest(data.ptr, data.len, ret_digest, &len, EVP_sha256(), NULL) == 1 ? GT_OK : GT_EINTERNAL;
}

void digest_base32(const uint8_t bytes[SHA1_BYTES], char ret_text[SHA1_BASE32_MAX])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    /* 20 bytes are four groups of 5 bytes, each giving 8 characters: no padding arises. */
    for (int group = 0; group < SHA1_BYTES / 5; group++) {
        uint64_t bits = 0;
        for (int i = 0; i < 5; i++) bits = bits << 8 | bytes[group * 5 + i];
        for (int i = 0; i < 8; i++) ret_text[group * 8 + i] = alphabet[bits >> (35 - 5 * i) & 31];
    }
    ret_text[SHA1_BASE32_MAX - 1] = '\0';
}

/* RFC 4648, without its filling: WARC digests are whole groups of eight characters. */
bool digest_base32_read(struct gt_str text, uint8_t ret_bytes[SHA1_BYTES])
{
    if (text.len != SHA1_BASE32_MAX - 1) return false;
    for (int group = 0; group < SHA1_BYTES / 5; group++) {
        uint64_t bits = 0;
        for (int i = 0; i < 8; i++) {
            char c = text.ptr[group * 8 + i];
            if (c >= 'A' && c <= 'Z') bits = bits << 5 | (uint64_t)(c - 'A');
            else if (c >= '2' && c <= '7') bits = bits << 5 | (uint64_t)(c - '2' + 26);
            else return false;
        }
        for (int i = 0; i < 5; i++) ret_bytes[group * 5 + i] = (uint8_t)(bits >> (32 - 8 * i));
    }
    return true;
}

enum gt_err digest_sha1_base32(struct gt_str data, char ret_text[SHA1_BASE32_MAX])
{
    uint8_t digest[SHA1_BYTES];
    unsigned len = 0;
    if (EVP_Digest(data.ptr, data.len, digest, &len, EVP_sha1(), NULL) != 1) return GT_EINTERNAL;
    digest_base32(digest, ret_text);
    return GT_OK;
}

enum gt_err digest_md5_hex(struct gt_str data, char ret_text[MD5_HEX_MAX])
{
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    if (EVP_Digest(data.ptr, data.len, digest, &len, EVP_md5(), NULL) != 1) return GT_EINTERNAL;
    digest_hex(digest, MD5_HEX_MAX / 2, ret_text);
    return GT_OK;
}

enum gt_err digest_hmac_sha256(struct gt_str key, struct gt_str data, uint8_t ret_digest[SHA256_BYTES])
{
    unsigned len = 0;
    const char *key_bytes = key.len > 0 ? key.ptr : "";
    const void *data_bytes = data.len > 0 ? data.ptr : "";
    if (key.len > INT32_MAX) return GT_ELIMIT;
    return HMAC(EVP_sha256(), key_bytes, (int)key.len, data_bytes, data.len, ret_digest, &len) != NULL ? GT_OK
                                                                                                       : GT_EINTERNAL;
}

void digest_hex(const uint8_t *bytes, size_t len, char *ret_text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        ret_text[2 * i] = digits[bytes[i] >> 4];
        ret_text[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret_text[2 * len] = '\0';
}

/* Small letters only, as they are written here: two spellings of one digest would compare unequal as texts. */
bool digest_hex_read(struct gt_str text, uint8_t *ret_bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    if (text.len != 2 * len) return false;
    for (size_t i = 0; i < text.len; i++)
        if (!gt_char_is_in(text.ptr[i], digits)) return false;
    for (size_t i = 0; i < len; i++)
        ret_bytes[i] = (uint8_t)((strchr(digits, text.ptr[2 * i]) - digits) << 4 | (strchr(digits, text.ptr[2 * i + 1]) - digits));
    return true;
}

void digest_base64(const uint8_t *bytes, size_t len, char *ret_text)
{
    EVP_EncodeBlock((unsigned char *)ret_text, bytes, (int)len);
}

uint64_t digest_check64(struct gt_str data)
{
    uint8_t digest[SHA256_BYTES] = {0};
    digest_sha256(data, digest);
    uint64_t check = 0;
    for (int i = 0; i < 8; i++) check = check << 8 | digest[i];
    return check;
}
