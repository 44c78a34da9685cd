#include "store/stream.h"

enum { SHAPE_VERSION = 1, UUID_BYTES = 16, UUID_TEXT = 36 };

/* Shapes grow by new versions; an unknown one is refused rather than half understood. */
static void expect_version(struct dec *dec)
{
    if (dec_byte(dec) != SHAPE_VERSION) dec_damaged(dec);
}

void enc_stream(struct strbuf *buf, const struct stream *stream)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_text(buf, stream->site, OFFER_TEXT_MAX);
    enc_text(buf, stream->part, OFFER_TEXT_MAX);
    enc_word(buf, (int)stream->provenance, PROVENANCE_WORDS);
    enc_text(buf, stream->writer, OFFER_TEXT_MAX);
}

enum gt_err dec_stream(struct gt_str bytes, struct arena *arena, struct stream *ret_stream)
{
    struct dec dec = dec_begin(bytes, arena);
    expect_version(&dec);
    struct stream stream = {.site = dec_text(&dec, OFFER_TEXT_MAX)};
    stream.part = dec_text(&dec, OFFER_TEXT_MAX);
    stream.provenance = (enum provenance)dec_word(&dec, PROVENANCE_WORDS);
    stream.writer = dec_text(&dec, OFFER_TEXT_MAX);
    if (dec_end(&dec) == GT_OK) *ret_stream = stream;
    return dec_end(&dec);
}

void enc_facts(struct strbuf *buf, const struct facts *facts)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_text(buf, facts->title, OFFER_TEXT_MAX);
    enc_text(buf, facts->url, STORE_URL_MAX);
    enc_text(buf, facts->rule_version, OFFER_TEXT_MAX);
    enc_word(buf, (int)facts->kind, KIND_WORDS);
    enc_word(buf, (int)facts->market, MARKET_WORDS);
    enc_int(buf, facts->net_rules.hours_per_month);
    enc_nano(buf, facts->net_rules.round_site_nano);
    enc_nano(buf, facts->net_rules.round_label_nano);
    enc_nano(buf, facts->net_rules.round_month_nano);
    enc_byte(buf, facts->is_sample ? 1 : 0);
}

enum gt_err dec_facts(struct gt_str bytes, struct arena *arena, struct facts *ret_facts)
{
    struct dec dec = dec_begin(bytes, arena);
    expect_version(&dec);
    struct facts facts = {.title = dec_text(&dec, OFFER_TEXT_MAX)};
    facts.url = dec_text(&dec, STORE_URL_MAX);
    facts.rule_version = dec_text(&dec, OFFER_TEXT_MAX);
    facts.kind = (enum site_kind)dec_word(&dec, KIND_WORDS);
    facts.market = (enum market)dec_word(&dec, MARKET_WORDS);
    facts.net_rules.hours_per_month = dec_int32(&dec);
    facts.net_rules.round_site_nano = dec_nano(&dec);
    facts.net_rules.round_label_nano = dec_nano(&dec);
    facts.net_rules.round_month_nano = dec_nano(&dec);
    facts.is_sample = dec_uint_max(&dec, 1) != 0;
    if (dec_end(&dec) == GT_OK) *ret_facts = facts;
    return dec_end(&dec);
}

static const struct gt_str uuid_prefix = {"urn:uuid:", 9};

/* Lower case only: upper case would come back as another text. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Where RFC 4122 puts its dashes. */
static bool is_dash_at(size_t at)
{
    return at == 8 || at == 13 || at == 18 || at == 23;
}

/* Reads "urn:uuid:xxxxxxxx-…" in lower case, the one form that comes back the same from 16 bytes. */
static bool uuid_read(struct gt_str text, uint8_t uuid[UUID_BYTES])
{
    if (text.len != uuid_prefix.len + UUID_TEXT || !gt_str_starts(text, uuid_prefix)) return false;
    const char *digits = text.ptr + uuid_prefix.len;
    size_t nibbles = 0;
    memset(uuid, 0, UUID_BYTES);
    for (size_t i = 0; i < UUID_TEXT; i++) {
        if (is_dash_at(i)) {
            if (digits[i] != '-') return false;
            continue;
        }
        int digit = hex_digit(digits[i]);
        if (digit < 0) return false;
        uuid[nibbles / 2] = (uint8_t)(uuid[nibbles / 2] << 4 | digit);
        nibbles++;
    }
    return true;
}

/* In the form that it was printed in: what goes in comes out to the byte. */
static void uuid_write(const uint8_t uuid[UUID_BYTES], char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t nibbles = 0;
    memcpy(text, uuid_prefix.ptr, uuid_prefix.len);
    text += uuid_prefix.len;
    for (size_t i = 0; i < UUID_TEXT; i++) {
        if (is_dash_at(i)) {
            text[i] = '-';
            continue;
        }
        text[i] = digits[uuid[nibbles / 2] >> (nibbles % 2 == 0 ? 4 : 0) & 15];
        nibbles++;
    }
}

/* No digest: there was no body. */
static bool is_zero(const uint8_t sha256[32])
{
    static const uint8_t zero[32] = {0};
    return memcmp(sha256, zero, sizeof zero) == 0;
}

void enc_page(struct strbuf *buf, const struct run_page *page)
{
    uint8_t uuid[UUID_BYTES];
    bool has_digest = !is_zero(page->sha256), has_uuid = uuid_read(page->record_id, uuid);
    enc_byte(buf, SHAPE_VERSION);
    enc_byte(buf, (uint8_t)((has_digest ? 1 : 0) | (has_uuid ? 2 : 0)));
    if (has_digest) enc_bytes(buf, page->sha256, sizeof page->sha256);
    enc_uint(buf, page->warc_file);
    enc_int(buf, page->warc_offset);
    if (has_uuid) enc_bytes(buf, uuid, sizeof uuid);
    else enc_text(buf, page->record_id, OFFER_TEXT_MAX);
}

/* A UUID written as text, or a digest of nothing, would be a second encoding of one page: damage. */
enum gt_err dec_page(struct gt_str bytes, struct arena *arena, struct run_page *ret_page)
{
    struct dec dec = dec_begin(bytes, arena);
    expect_version(&dec);
    struct run_page page = {.warc_file = 0};
    unsigned flags = (unsigned)dec_uint_max(&dec, 3);
    if ((flags & 1) != 0) {
        dec_bytes(&dec, page.sha256, sizeof page.sha256);
        if (is_zero(page.sha256)) dec_damaged(&dec);
    }
    page.warc_file = dec_id(&dec);
    page.warc_offset = dec_int(&dec);
    if ((flags & 2) != 0) {
        uint8_t uuid[UUID_BYTES];
        dec_bytes(&dec, uuid, sizeof uuid);
        char *text = dec_array(&dec, uuid_prefix.len + UUID_TEXT + 1, 1);
        if (text != NULL) uuid_write(uuid, text);
        page.record_id = (struct gt_str){text, text != NULL ? uuid_prefix.len + UUID_TEXT : 0};
    } else {
        uint8_t uuid[UUID_BYTES];
        page.record_id = dec_text(&dec, OFFER_TEXT_MAX);
        if (uuid_read(page.record_id, uuid)) dec_damaged(&dec);
    }
    if (dec_end(&dec) == GT_OK) *ret_page = page;
    return dec_end(&dec);
}

int stream_part_cmp(const struct stream *a, const struct stream *b)
{
    int order = gt_str_cmp(a->site, b->site);
    return order != 0 ? order : gt_str_cmp(a->part, b->part);
}
