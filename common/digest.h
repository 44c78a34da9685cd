/* Digests by OpenSSL's libcrypto. */
#ifndef GT_COMMON_DIGEST_H
#define GT_COMMON_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum { SHA256_BYTES = 32, SHA1_BYTES = 20, SHA1_BASE32_MAX = 33, SHA256_HEX_MAX = 65, MD5_HEX_MAX = 33 };

/* The SHA-256 (FIPS 180-4) of `data`. GT_OK or GT_EINTERNAL. */
enum gt_err digest_sha256(struct gt_str data, uint8_t ret_digest[SHA256_BYTES]);

/* The SHA-1 of `data` as upper-case Base32 (RFC 4648) without padding, NUL-closed: the form WARC and CDX use. */
enum gt_err digest_sha1_base32(struct gt_str data, char ret_text[SHA1_BASE32_MAX]);

/* The same form of 20 bytes, and back; false for what is not it. */
void digest_base32(const uint8_t bytes[SHA1_BYTES], char ret_text[SHA1_BASE32_MAX]);
bool digest_base32_read(struct gt_str text, uint8_t ret_bytes[SHA1_BYTES]);

/* The MD5 (RFC 1321) in lower-case hexadecimal, NUL-closed: for services that want one beside what they are sent, and for nothing else. */
enum gt_err digest_md5_hex(struct gt_str data, char ret_text[MD5_HEX_MAX]);

/* HMAC-SHA256 (RFC 2104) of `data`. Any key length, empty data too. */
enum gt_err digest_hmac_sha256(struct gt_str key, struct gt_str data, uint8_t ret_digest[SHA256_BYTES]);

/* Lower-case hexadecimal, NUL-closed, of `len` bytes; `ret_text` holds 2 * len + 1. */
void digest_hex(const uint8_t *bytes, size_t len, char *ret_text);

/* Reads what digest_hex wrote of `len` bytes. False, and nothing set, for anything else. */
bool digest_hex_read(struct gt_str text, uint8_t *ret_bytes, size_t len);

/* Base64 (RFC 4648, with padding), NUL-closed; `ret_text` holds DIGEST_BASE64_MAX(len). `len` is at most INT_MAX / 2. */
#define DIGEST_BASE64_MAX(len) (((len) + 2) / 3 * 4 + 1)
void digest_base64(const uint8_t *bytes, size_t len, char *ret_text);

/* A 64-bit checksum for stored values: the first eight bytes of SHA-256, big-endian. */
uint64_t digest_check64(struct gt_str data);

#endif
