/* The bytes of stored values: variable-length numbers, texts with their length, nothing that depends on the machine. Encoding
 * is deterministic, so equal things have equal bytes and digests. Decoding takes any bytes: it never reads past the end, never
 * trusts a count, and answers "damaged" for what no encoder writes. Both have a sticky error, checked once at the end. */
#ifndef GT_STORE_CODEC_H
#define GT_STORE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/err.h"
#include "common/strbuf.h"
#include "pricing/offer.h"

/* What is being decoded. */
struct dec {
    const uint8_t *at, *end;
    struct arena *arena; /* texts and arrays are copied here; NULL: texts are borrowed, arrays cannot be read */
    enum gt_err err;     /* GT_ECORRUPT or GT_ENOMEM once something went wrong; reads give zeroes from then on */
};

/* Numbers of either sign as numbers without one: 0, -1, 1, -2 … as 0, 1, 2, 3 …; and back. */
static inline uint64_t zigzag(int64_t number)
{
    return (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0);
}

static inline int64_t zigzag_back(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (uint64_t) - (int64_t)(number & 1));
}

/* ---- encoding: failures (memory, a limit) stand in buf->err ---- */

/* True when a byte can be written in place: nearly always, and most of what is encoded are single bytes. */
static inline bool enc_has_room(const struct strbuf *buf)
{
    return buf->err == GT_OK && buf->len + 1 < buf->cap && buf->len < buf->len_max;
}
/* One byte. */
static inline void enc_byte(struct strbuf *buf, uint8_t byte)
{
    if (enc_has_room(buf)) buf->ptr[buf->len++] = (char)byte;
    else strbuf_addc(buf, (char)byte);
}
/* A number of any length, wherever it has room; enc_uint begins with the short ones. */
void enc_uint_long(struct strbuf *buf, uint64_t number);
/* Seven bits a byte, low ones first (LEB128), shortest form. */
static inline void enc_uint(struct strbuf *buf, uint64_t number)
{
    if (number < 0x80) enc_byte(buf, (uint8_t)number);
    else enc_uint_long(buf, number);
}
/* Zigzag: small numbers of either sign are short. */
static inline void enc_int(struct strbuf *buf, int64_t number)
{
    enc_uint(buf, zigzag(number));
}
/* Nano-units as decimal digits and a power of ten: prices end in many zeroes. */
void enc_nano(struct strbuf *buf, int64_t nano);
/* A text that is not empty. */
void enc_text_some(struct strbuf *buf, struct gt_str text, size_t len_max);
/* Length and bytes; cut to `len_max` bytes at a character, as stored texts have a limit. Many are empty. */
static inline void enc_text(struct strbuf *buf, struct gt_str text, size_t len_max)
{
    if (text.len == 0) enc_byte(buf, 0);
    else enc_text_some(buf, text, len_max);
}
/* A value of a vocabulary of `count` words; one outside it is GT_EUSAGE. */
static inline void enc_word(struct strbuf *buf, int value, int count)
{
    if ((value < 0 || value >= count) && buf->err == GT_OK) buf->err = GT_EUSAGE;
    enc_uint(buf, (uint64_t)value);
}
/* Bytes as they are. */
void enc_bytes(struct strbuf *buf, const void *bytes, size_t len);

/* ---- decoding ---- */

/* Begins at the first byte of `bytes`, which must outlive the decoder. */
static inline struct dec dec_begin(struct gt_str bytes, struct arena *arena)
{
    const uint8_t *at = (const uint8_t *)(bytes.ptr != NULL ? bytes.ptr : "");
    return (struct dec){.at = at, .end = at + bytes.len, .arena = arena};
}

/* GT_OK when everything was read and nothing is left over; GT_ECORRUPT; GT_ENOMEM. */
enum gt_err dec_end(const struct dec *dec);

/* Marks the bytes as damaged. */
void dec_damaged(struct dec *dec);

/* What the encoders of the same name wrote; 0 at the end of the bytes and for what no encoder writes. A failed decoder stands at its
 * end. Numbers of one and two bytes are read in place: nearly all are, and histories are made of millions. */
static inline uint8_t dec_byte(struct dec *dec)
{
    if (dec->at != dec->end) return *dec->at++;
    dec_damaged(dec);
    return 0;
}
/* dec_uint, of any length. */
uint64_t dec_uint_long(struct dec *dec);
static inline uint64_t dec_uint(struct dec *dec)
{
    const uint8_t *at = dec->at;
    ptrdiff_t left = dec->end - at;
    if (left > 0 && at[0] < 0x80) return *dec->at++;
    /* a second byte of 0 would add nothing: no encoder writes it */
    if (left < 2 || at[1] >= 0x80 || at[1] == 0) return dec_uint_long(dec);
    dec->at = at + 2;
    return (uint64_t)(at[0] & 0x7F) | (uint64_t)at[1] << 7;
}
static inline int64_t dec_int(struct dec *dec)
{
    return zigzag_back(dec_uint(dec));
}
/* Passes over so many numbers unread. */
void dec_skip(struct dec *dec, unsigned count);
/* Nano-units, as enc_nano wrote them. */
int64_t dec_nano(struct dec *dec);
/* A number of at most `max`; a larger one is damage. */
static inline uint64_t dec_uint_max(struct dec *dec, uint64_t max)
{
    uint64_t number = dec_uint(dec);
    if (number <= max) return number;
    dec_damaged(dec);
    return 0;
}
/* A number that fits 32 bits: counts and amounts of things; ids. */
int32_t dec_int32(struct dec *dec);
static inline uint32_t dec_id(struct dec *dec)
{
    return (uint32_t)dec_uint_max(dec, UINT32_MAX);
}
/* A value of a closed vocabulary of `count` words (ROLE_WORDS, …); one outside it is damage. */
static inline int dec_word(struct dec *dec, int count)
{
    return (int)dec_uint_max(dec, (uint64_t)count - 1);
}
/* A text of at most `len_max` bytes, in the arena (closed by NUL) or borrowed. */
struct gt_str dec_text(struct dec *dec, size_t len_max);
/* A text of at most `len_max` bytes with no NUL in it, closed by one in `ret` (len_max + 1 bytes): codes and names. */
void dec_code(struct dec *dec, char *ret, size_t len_max);
/* `len` bytes copied out; zeroes when they are not there. */
void dec_bytes(struct dec *dec, void *ret_bytes, size_t len);
/* Memory for a list whose count was read; NULL for none or on failure. */
void *dec_array(struct dec *dec, size_t count, size_t bytes);

/* ---- the domain's shapes: a version byte, then the fields. Decoders: GT_OK; GT_ECORRUPT; GT_ENOMEM, and fill their outputs on
 * success only. Encoders: GT_ELIMIT (longer lists than a shape has), GT_EUSAGE (no such word) in buf->err ---- */

enum { CODEC_VALUE_MAX = 1 << 20 };

/* Identity of an offer: site and the six printed texts. */
void enc_identity(struct strbuf *buf, struct gt_str site, const struct offer_identity *identity);
enum gt_err dec_identity(struct gt_str bytes, struct arena *arena, struct gt_str *ret_site, struct offer_identity *ret_identity);

/* What is derived from the printed words. */
void enc_attributes(struct strbuf *buf, const struct offer_attributes *attributes);
enum gt_err dec_attributes(struct gt_str bytes, struct arena *arena, struct offer_attributes *ret_attributes);

/* Quotes, discounts, availability and their normal form: what a span holds. */
void enc_record(struct strbuf *buf, const struct offer_record *record);
enum gt_err dec_record(struct gt_str bytes, struct arena *arena, struct offer_record *ret_record);

/* The front of a record alone: availability, currency and the two list prices; nothing of what they were made of. */
enum gt_err dec_record_front(struct gt_str bytes, struct offer_record *ret_record);

#endif
