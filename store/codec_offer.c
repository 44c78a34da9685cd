/* Identity, attributes and record of an offer as bytes. store/FORMAT.md draws them; the first byte is the version. */
#include "store/codec.h"

enum { SHAPE_VERSION = 1 };

/* Bits of a quote's flags. */
enum { QUOTE_UPFRONT = 1, QUOTE_HIGH = 2, QUOTE_OTHER_CURRENCY = 4, QUOTE_FLAGS = 7 };

/* Bits of a discount's flags. */
enum { DISCOUNT_INFERRED = 1, DISCOUNT_UPTO = 2, DISCOUNT_OTHER_CURRENCY = 4, DISCOUNT_FLAGS = 7 };

/* Shapes grow by new versions; an unknown one is refused rather than half understood. */
static void expect_version(struct dec *dec)
{
    if (dec_byte(dec) != SHAPE_VERSION) dec_damaged(dec);
}

/* Never in another order, never with another field: the digest of these bytes is the offer. */
void enc_identity(struct strbuf *buf, struct gt_str site, const struct offer_identity *identity)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_text(buf, site, OFFER_TEXT_MAX);
    enc_text(buf, identity->part, OFFER_TEXT_MAX);
    enc_text(buf, identity->label, OFFER_TEXT_MAX);
    enc_text(buf, identity->plan, OFFER_TEXT_MAX);
    enc_text(buf, identity->region, OFFER_TEXT_MAX);
    enc_text(buf, identity->variant, OFFER_TEXT_MAX);
    enc_text(buf, identity->key, OFFER_TEXT_MAX);
}

enum gt_err dec_identity(struct gt_str bytes, struct arena *arena, struct gt_str *ret_site, struct offer_identity *ret_identity)
{
    struct dec dec = dec_begin(bytes, arena);
    expect_version(&dec);
    struct gt_str site = dec_text(&dec, OFFER_TEXT_MAX);
    struct offer_identity identity = {.part = dec_text(&dec, OFFER_TEXT_MAX)};
    identity.label = dec_text(&dec, OFFER_TEXT_MAX);
    identity.plan = dec_text(&dec, OFFER_TEXT_MAX);
    identity.region = dec_text(&dec, OFFER_TEXT_MAX);
    identity.variant = dec_text(&dec, OFFER_TEXT_MAX);
    identity.key = dec_text(&dec, OFFER_TEXT_MAX);
    if (dec_end(&dec) != GT_OK) return dec_end(&dec);
    *ret_site = site;
    *ret_identity = identity;
    return GT_OK;
}

void enc_attributes(struct strbuf *buf, const struct offer_attributes *attributes)
{
    size_t sku_len = strnlen(attributes->sku, SKU_NAME_MAX);
    enc_byte(buf, SHAPE_VERSION);
    enc_text(buf, (struct gt_str){attributes->sku, sku_len}, SKU_NAME_MAX - 1);
    enc_word(buf, (int)attributes->sku_status, SKU_WORDS);
    enc_text(buf, attributes->candidates, OFFER_TEXT_MAX);
    enc_word(buf, (int)attributes->delivery, DELIVERY_WORDS);
    enc_word(buf, (int)attributes->tier, TIER_WORDS);
    enc_word(buf, (int)attributes->tax, TAX_WORDS);
    enc_word(buf, (int)attributes->includes, INCLUDES_WORDS);
    enc_word(buf, (int)attributes->market, MARKET_WORDS);
    enc_word(buf, (int)attributes->kind, KIND_WORDS);
    const int32_t numbers[] = {attributes->vram_gb,    attributes->cards,     attributes->slice_num,      attributes->slice_den,
                               attributes->min_months, attributes->min_cards, attributes->billing_step_s, attributes->fabric_gbps,
                               attributes->vcpu,       attributes->ram_gb,    attributes->disk_gb};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) enc_int(buf, numbers[i]);
    enc_text(buf, attributes->interconnect, OFFER_TEXT_MAX);
    /* Where a row prints none, nothing stands here: most do not. */
    if (attributes->vram_printed_gb != 0) enc_int(buf, attributes->vram_printed_gb);
}

/* Fields that came later stand at the end and are missing where they are 0: bytes of before stay what they were, and so do their digests. */
enum gt_err dec_attributes(struct gt_str bytes, struct arena *arena, struct offer_attributes *ret_attributes)
{
    struct offer_attributes a = {.vram_gb = 0};
    struct dec dec = dec_begin(bytes, arena);
    expect_version(&dec);
    dec_code(&dec, a.sku, SKU_NAME_MAX - 1);
    a.sku_status = (enum sku_status)dec_word(&dec, SKU_WORDS);
    a.candidates = dec_text(&dec, OFFER_TEXT_MAX);
    a.delivery = (enum delivery)dec_word(&dec, DELIVERY_WORDS);
    a.tier = (enum tier)dec_word(&dec, TIER_WORDS);
    a.tax = (enum tax)dec_word(&dec, TAX_WORDS);
    a.includes = (enum includes)dec_word(&dec, INCLUDES_WORDS);
    a.market = (enum market)dec_word(&dec, MARKET_WORDS);
    a.kind = (enum site_kind)dec_word(&dec, KIND_WORDS);
    int32_t *const numbers[] = {&a.vram_gb,        &a.cards,       &a.slice_num, &a.slice_den, &a.min_months, &a.min_cards,
                                &a.billing_step_s, &a.fabric_gbps, &a.vcpu,      &a.ram_gb,    &a.disk_gb};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = dec_int32(&dec);
    a.interconnect = dec_text(&dec, OFFER_TEXT_MAX);
    if (dec.err == GT_OK && dec.at < dec.end) {
        a.vram_printed_gb = dec_int32(&dec);
        if (a.vram_printed_gb == 0) dec_damaged(&dec);
    }
    if (dec_end(&dec) != GT_OK) return dec_end(&dec);
    *ret_attributes = a;
    return GT_OK;
}

/* At most seven letters, without their NUL. */
static void enc_currency(struct strbuf *buf, struct currency currency)
{
    enc_text(buf, (struct gt_str){currency.code, strnlen(currency.code, CURRENCY_MAX)}, CURRENCY_MAX - 1);
}

static struct currency dec_currency(struct dec *dec)
{
    struct currency currency = {""};
    dec_code(dec, currency.code, CURRENCY_MAX - 1);
    return currency;
}

/* Compares codes as the NUL-closed words they are; bytes behind the NUL do not count. */
static bool same_code(struct currency a, struct currency b)
{
    return strncmp(a.code, b.code, CURRENCY_MAX) == 0;
}

/* All must hold, and their order is the printed one: it is kept, since discounts stack by it. */
static void enc_conditions(struct strbuf *buf, const struct condition *conditions, size_t count)
{
    if (count > CONDITIONS_MAX && buf->err == GT_OK) buf->err = GT_ELIMIT;
    enc_uint(buf, count);
    for (size_t i = 0; i < count && buf->err == GT_OK; i++) {
        enc_word(buf, (int)conditions[i].kind, COND_WORDS);
        enc_nano(buf, conditions[i].n);
        enc_text(buf, conditions[i].text, OFFER_TEXT_MAX);
    }
}

/* A count beyond the limit, which no encoder writes, asks for no memory. */
static const struct condition *dec_conditions(struct dec *dec, size_t *ret_count)
{
    size_t count = (size_t)dec_uint_max(dec, CONDITIONS_MAX);
    struct condition *conditions = dec_array(dec, count, sizeof *conditions);
    for (size_t i = 0; i < count && dec->err == GT_OK; i++) {
        conditions[i].kind = (enum cond_kind)dec_word(dec, COND_WORDS);
        conditions[i].n = dec_nano(dec);
        conditions[i].text = dec_text(dec, OFFER_TEXT_MAX);
    }
    *ret_count = count;
    return conditions;
}

/* A currency of its own, where `shared` does not do. */
static struct currency dec_other_currency(struct dec *dec, struct currency shared)
{
    struct currency currency = dec_currency(dec);
    if (same_code(currency, shared)) dec_damaged(dec);
    return currency;
}

/* `currency` is the record's, which most of its prices share. */
static void enc_quote(struct strbuf *buf, const struct quote *quote, struct currency currency)
{
    bool is_other = !same_code(quote->currency, currency);
    int flags = (quote->is_upfront != 0 ? QUOTE_UPFRONT : 0) | (quote->amount_high_nano != 0 ? QUOTE_HIGH : 0) |
                (is_other ? QUOTE_OTHER_CURRENCY : 0);
    enc_byte(buf, (uint8_t)flags);
    enc_nano(buf, quote->amount_nano);
    if (quote->amount_high_nano != 0) enc_nano(buf, quote->amount_high_nano);
    if (is_other) enc_currency(buf, quote->currency);
    enc_word(buf, (int)quote->period, PERIOD_WORDS);
    enc_int(buf, quote->period_count);
    enc_word(buf, (int)quote->basis, BASIS_WORDS);
    enc_int(buf, quote->cards);
    enc_word(buf, (int)quote->role, ROLE_WORDS);
    enc_word(buf, (int)quote->bound, BOUND_WORDS);
    enc_int(buf, quote->months);
    enc_word(buf, (int)quote->tax, TAX_WORDS);
    enc_conditions(buf, quote->conditions, quote->condition_count);
    enc_text(buf, quote->raw, OFFER_TEXT_MAX);
    enc_text(buf, quote->where, OFFER_TEXT_MAX);
}

/* Fields that mostly say nothing are left out by a flag; what a flag leaves out is zero. */
static struct quote dec_quote(struct dec *dec, struct currency currency)
{
    unsigned flags = (unsigned)dec_uint_max(dec, QUOTE_FLAGS);
    struct quote quote = {.amount_nano = dec_nano(dec), .is_upfront = flags & QUOTE_UPFRONT, .currency = currency};
    if ((flags & QUOTE_HIGH) != 0) {
        quote.amount_high_nano = dec_nano(dec);
        if (quote.amount_high_nano == 0) dec_damaged(dec);
    }
    if ((flags & QUOTE_OTHER_CURRENCY) != 0) quote.currency = dec_other_currency(dec, currency);
    quote.period = (enum period)dec_word(dec, PERIOD_WORDS);
    quote.period_count = dec_int32(dec);
    quote.basis = (enum basis)dec_word(dec, BASIS_WORDS);
    quote.cards = dec_int32(dec);
    quote.role = (enum role)dec_word(dec, ROLE_WORDS);
    quote.bound = (enum bound)dec_word(dec, BOUND_WORDS);
    quote.months = dec_int32(dec);
    quote.tax = (enum tax)dec_word(dec, TAX_WORDS);
    quote.conditions = dec_conditions(dec, &quote.condition_count);
    quote.raw = dec_text(dec, OFFER_TEXT_MAX);
    quote.where = dec_text(dec, OFFER_TEXT_MAX);
    return quote;
}

/* The currency is that of the record nearly always, and is not written then. */
static void enc_discount(struct strbuf *buf, const struct discount *discount, struct currency currency)
{
    bool is_other = !same_code(discount->currency, currency);
    int flags = (discount->is_inferred != 0 ? DISCOUNT_INFERRED : 0) | (discount->is_upto != 0 ? DISCOUNT_UPTO : 0) |
                (is_other ? DISCOUNT_OTHER_CURRENCY : 0);
    enc_byte(buf, (uint8_t)flags);
    enc_nano(buf, discount->factor_nano);
    enc_nano(buf, discount->factor_alt_nano);
    enc_nano(buf, discount->amount_off_nano);
    if (is_other) enc_currency(buf, discount->currency);
    enc_conditions(buf, discount->conditions, discount->condition_count);
    enc_word(buf, (int)discount->stacks, STACKS_WORDS);
    enc_text(buf, discount->raw, OFFER_TEXT_MAX);
}

static struct discount dec_discount(struct dec *dec, struct currency currency)
{
    unsigned flags = (unsigned)dec_uint_max(dec, DISCOUNT_FLAGS);
    struct discount discount = {.factor_nano = dec_nano(dec), .currency = currency};
    discount.is_inferred = (flags & DISCOUNT_INFERRED) != 0;
    discount.is_upto = (flags & DISCOUNT_UPTO) != 0;
    discount.factor_alt_nano = dec_nano(dec);
    discount.amount_off_nano = dec_nano(dec);
    if ((flags & DISCOUNT_OTHER_CURRENCY) != 0) discount.currency = dec_other_currency(dec, currency);
    discount.conditions = dec_conditions(dec, &discount.condition_count);
    discount.stacks = (enum stacks)dec_word(dec, STACKS_WORDS);
    discount.raw = dec_text(dec, OFFER_TEXT_MAX);
    return discount;
}

void enc_record(struct strbuf *buf, const struct offer_record *record)
{
    bool is_over = record->quote_count > OFFER_QUOTES_MAX || record->discount_count > OFFER_DISCOUNTS_MAX;
    if (is_over && buf->err == GT_OK) buf->err = GT_ELIMIT;
    enc_byte(buf, SHAPE_VERSION);
    enc_word(buf, (int)record->availability, AVAIL_WORDS);
    enc_currency(buf, record->currency);
    enc_nano(buf, record->hour_list_nano);
    enc_nano(buf, record->month_list_nano);
    enc_uint(buf, record->quote_count);
    for (size_t i = 0; i < record->quote_count && buf->err == GT_OK; i++) enc_quote(buf, &record->quotes[i], record->currency);
    enc_uint(buf, record->discount_count);
    for (size_t i = 0; i < record->discount_count && buf->err == GT_OK; i++)
        enc_discount(buf, &record->discounts[i], record->currency);
}

/* What stands before the quotes. */
static struct offer_record dec_front(struct dec *dec)
{
    expect_version(dec);
    struct offer_record record = {.availability = (enum availability)dec_word(dec, AVAIL_WORDS)};
    record.currency = dec_currency(dec);
    record.hour_list_nano = dec_nano(dec);
    record.month_list_nano = dec_nano(dec);
    return record;
}

enum gt_err dec_record_front(struct gt_str bytes, struct offer_record *ret_record)
{
    struct dec dec = dec_begin(bytes, NULL);
    struct offer_record record = dec_front(&dec);
    if (dec.err == GT_OK) *ret_record = record;
    return dec.err;
}

/* One record has one encoding: bytes that another encoder might have written are damage, or equal prices would get two numbers. */
enum gt_err dec_record(struct gt_str bytes, struct arena *arena, struct offer_record *ret_record)
{
    struct dec dec = dec_begin(bytes, arena);
    struct offer_record record = dec_front(&dec);
    record.quote_count = (size_t)dec_uint_max(&dec, OFFER_QUOTES_MAX);
    struct quote *quotes = dec_array(&dec, record.quote_count, sizeof *quotes);
    for (size_t i = 0; i < record.quote_count && dec.err == GT_OK; i++) quotes[i] = dec_quote(&dec, record.currency);
    record.discount_count = (size_t)dec_uint_max(&dec, OFFER_DISCOUNTS_MAX);
    struct discount *discounts = dec_array(&dec, record.discount_count, sizeof *discounts);
    for (size_t i = 0; i < record.discount_count && dec.err == GT_OK; i++) discounts[i] = dec_discount(&dec, record.currency);
    record.quotes = quotes;
    record.discounts = discounts;
    if (dec_end(&dec) != GT_OK) return dec_end(&dec);
    *ret_record = record;
    return GT_OK;
}
