#include "export/export_shape.h"

#define AT(type, member) .offset = offsetof(struct type, member), .bytes = sizeof((struct type *)0)->member
#define FLAG(type, name, member) {name, SHAPE_FLAG, AT(type, member)}
#define I32(type, name, member) {name, SHAPE_NUMBER, AT(type, member), .is_signed = true}
#define U32(type, name, member) {name, SHAPE_NUMBER, AT(type, member)}
#define COUNT(type, name, member) {name, SHAPE_COUNT, AT(type, member), .is_signed = true}
#define ID(type, name, member) {name, SHAPE_COUNT, AT(type, member)}
#define UNITS(type, name, member) {name, SHAPE_UNITS, AT(type, member), .is_signed = true}
#define MONEY(type, name, member) {name, SHAPE_MONEY, AT(type, member), .is_signed = true}
#define TIME(type, name, member) {name, SHAPE_TIME, AT(type, member), .is_signed = true}
#define TEXT(type, name, member) {name, SHAPE_TEXT, AT(type, member)}
#define CODE(type, name, member) {name, SHAPE_CODE, AT(type, member)}
#define HEX(type, name, member) {name, SHAPE_HEX, AT(type, member)}
#define WORD(type, name, member, words) {name, SHAPE_WORD, AT(type, member), .vocabulary = VOCABULARY_##words}
/* How wide an item is stands in its shape; the place itself is a pointer. */
#define LIST(type, name, member, count, inner, most) \
    {name, SHAPE_LIST, .offset = offsetof(struct type, member), .shape = &(inner), \
     .count_offset = offsetof(struct type, count), .count_max = (most)}
#define END {.name = NULL}

/* ---- what lies inside a line ---- */

static const struct shape_field condition_fields[] = {
    WORD(condition, "kind", kind, COND),
    I32(condition, "n", n),
    TEXT(condition, "text", text),
    END,
};
static const struct shape condition_shape = {NULL, sizeof(struct condition), condition_fields};

static const struct shape_field quote_fields[] = {
    MONEY(quote, "amount", amount_nano),
    MONEY(quote, "amount_high", amount_high_nano),
    CODE(quote, "currency", currency.code),
    WORD(quote, "period", period, PERIOD),
    I32(quote, "period_count", period_count),
    WORD(quote, "basis", basis, BASIS),
    COUNT(quote, "cards", cards),
    WORD(quote, "role", role, ROLE),
    WORD(quote, "bound", bound, BOUND),
    COUNT(quote, "months", months),
    FLAG(quote, "upfront", is_upfront),
    WORD(quote, "tax", tax, TAX),
    LIST(quote, "conditions", conditions, condition_count, condition_shape, CONDITIONS_MAX),
    TEXT(quote, "raw", raw),
    TEXT(quote, "where", where),
    END,
};
static const struct shape quote_shape = {NULL, sizeof(struct quote), quote_fields};

static const struct shape_field discount_fields[] = {
    MONEY(discount, "factor", factor_nano),
    MONEY(discount, "factor_alt", factor_alt_nano),
    MONEY(discount, "amount_off", amount_off_nano),
    CODE(discount, "currency", currency.code),
    LIST(discount, "conditions", conditions, condition_count, condition_shape, CONDITIONS_MAX),
    WORD(discount, "stacks", stacks, STACKS),
    FLAG(discount, "inferred", is_inferred),
    FLAG(discount, "upto", is_upto),
    TEXT(discount, "raw", raw),
    END,
};
static const struct shape discount_shape = {NULL, sizeof(struct discount), discount_fields};

/* ---- things with a number ---- */

#define IDENTITY(type, member)                   \
    TEXT(type, "label", member.label),           \
        TEXT(type, "plan", member.plan),         \
        TEXT(type, "region", member.region),     \
        TEXT(type, "variant", member.variant),   \
        TEXT(type, "key", member.key)
#define STREAM(type, member)                                  \
    TEXT(type, "site", member.site),                          \
        TEXT(type, "part", member.part),                      \
        WORD(type, "provenance", member.provenance, PROVENANCE), \
        TEXT(type, "writer", member.writer)
/* what lines repeat of an offer's attributes, so that each can be read alone */
#define CARD(type, member)                                \
    CODE(type, "sku", member.sku),                        \
        COUNT(type, "vram_gb", member.vram_gb),           \
        COUNT(type, "cards", member.cards),               \
        WORD(type, "delivery", member.delivery, DELIVERY), \
        WORD(type, "tier", member.tier, TIER),            \
        COUNT(type, "min_cards", member.min_cards),       \
        COUNT(type, "min_term", member.min_months)
/* an offer as it stands at some time */
#define STANDING(type)                                         \
    ID(type, "offer", offer),                                  \
        IDENTITY(type, identity),                              \
        CARD(type, attributes),                                \
        WORD(type, "availability", record.availability, AVAIL), \
        CODE(type, "currency", record.currency.code),          \
        MONEY(type, "hour_list", record.hour_list_nano),       \
        MONEY(type, "month_list", record.month_list_nano)

static const struct shape_field head_fields[] = {
    U32(dump_head, "version", version),
    FLAG(dump_head, "complete", is_complete),
    FLAG(dump_head, "sample", is_sample),
    U32(dump_head, "seq", seq),
    END,
};

static const struct shape_field stream_fields[] = {
    ID(dump_stream, "id", id),
    STREAM(dump_stream, stream),
    END,
};

static const struct shape_field offer_fields[] = {
    ID(dump_offer, "id", id),
    TEXT(dump_offer, "site", words.site),
    TEXT(dump_offer, "part", words.identity.part),
    IDENTITY(dump_offer, words.identity),
    END,
};

static const struct shape_field attributes_fields[] = {
    ID(dump_attributes, "id", id),
    CODE(dump_attributes, "sku", attributes.sku),
    WORD(dump_attributes, "sku_status", attributes.sku_status, SKU),
    TEXT(dump_attributes, "candidates", attributes.candidates),
    COUNT(dump_attributes, "vram_gb", attributes.vram_gb),
    COUNT(dump_attributes, "vram_printed_gb", attributes.vram_printed_gb),
    COUNT(dump_attributes, "cards", attributes.cards),
    COUNT(dump_attributes, "slice_num", attributes.slice_num),
    COUNT(dump_attributes, "slice_den", attributes.slice_den),
    WORD(dump_attributes, "delivery", attributes.delivery, DELIVERY),
    WORD(dump_attributes, "tier", attributes.tier, TIER),
    WORD(dump_attributes, "tax", attributes.tax, TAX),
    WORD(dump_attributes, "includes", attributes.includes, INCLUDES),
    WORD(dump_attributes, "market", attributes.market, MARKET),
    WORD(dump_attributes, "kind", attributes.kind, KIND),
    COUNT(dump_attributes, "min_term", attributes.min_months),
    COUNT(dump_attributes, "min_cards", attributes.min_cards),
    COUNT(dump_attributes, "billing_step_s", attributes.billing_step_s),
    COUNT(dump_attributes, "fabric_gbps", attributes.fabric_gbps),
    COUNT(dump_attributes, "vcpu", attributes.vcpu),
    COUNT(dump_attributes, "ram_gb", attributes.ram_gb),
    COUNT(dump_attributes, "disk_gb", attributes.disk_gb),
    TEXT(dump_attributes, "interconnect", attributes.interconnect),
    END,
};

static const struct shape_field record_fields[] = {
    ID(dump_record, "id", id),
    WORD(dump_record, "availability", record.availability, AVAIL),
    CODE(dump_record, "currency", record.currency.code),
    MONEY(dump_record, "hour_list", record.hour_list_nano),
    MONEY(dump_record, "month_list", record.month_list_nano),
    LIST(dump_record, "quotes", record.quotes, record.quote_count, quote_shape, OFFER_QUOTES_MAX),
    LIST(dump_record, "discounts", record.discounts, record.discount_count, discount_shape, OFFER_DISCOUNTS_MAX),
    END,
};

static const struct shape_field facts_fields[] = {
    ID(dump_facts, "id", id),
    TEXT(dump_facts, "title", facts.title),
    TEXT(dump_facts, "url", facts.url),
    TEXT(dump_facts, "rule_version", facts.rule_version),
    WORD(dump_facts, "kind", facts.kind, KIND),
    WORD(dump_facts, "market", facts.market, MARKET),
    I32(dump_facts, "hours_per_month", facts.net_rules.hours_per_month),
    MONEY(dump_facts, "round_site", facts.net_rules.round_site_nano),
    MONEY(dump_facts, "round_label", facts.net_rules.round_label_nano),
    MONEY(dump_facts, "round_month", facts.net_rules.round_month_nano),
    FLAG(dump_facts, "sample", facts.is_sample),
    END,
};

/* ---- what happened ---- */

static const struct shape_field run_fields[] = {
    TIME(dump_run, "t", row.t_unix_s),
    U32(dump_run, "seq", row.seq),
    ID(dump_run, "stream", stream_id),
    STREAM(dump_run, stream),
    WORD(dump_run, "status", row.status, STATUS),
    FLAG(dump_run, "action", row.is_action),
    FLAG(dump_run, "good", row.is_good),
    FLAG(dump_run, "read", row.is_content),
    FLAG(dump_run, "failing", row.is_failing),
    FLAG(dump_run, "doubted", row.is_part_doubted),
    FLAG(dump_run, "releasable", row.is_part_releasable),
    COUNT(dump_run, "http_code", row.http_code),
    I32(dump_run, "latency_ms", row.latency_ms),
    I32(dump_run, "body_bytes", row.body_bytes),
    TEXT(dump_run, "reason", reason),
    U32(dump_run, "rows_found", row.rows_found),
    U32(dump_run, "rows_refused", row.rows_refused),
    U32(dump_run, "offers_seen", row.offers_seen),
    HEX(dump_run, "sha256", sha256),
    TEXT(dump_run, "warc_file", warc_file),
    I32(dump_run, "warc_offset", warc_offset),
    TEXT(dump_run, "record_id", record_id),
    END,
};

/* enum step_code */
static const char *const step_names[] = {"none",       "good", "back", "doubt", "doubt-end", "release", "absent",
                                         "attributes", "note", "void", "facts", "source",    "baseline", NULL};
_Static_assert(sizeof step_names / sizeof step_names[0] == STEP_CODES + 1, "a name a step");

static const struct shape_field change_fields[] = {
    TIME(dump_change, "t", t_unix_s),
    U32(dump_change, "seq", seq),
    ID(dump_change, "stream", stream_id),
    STREAM(dump_change, stream),
    ID(dump_change, "offer", step.offer),
    IDENTITY(dump_change, identity),
    CARD(dump_change, attributes),
    {"changes", SHAPE_KINDS, AT(dump_change, step.kinds)},
    {"step", SHAPE_NAMED, AT(dump_change, step.code), .names = step_names},
    TEXT(dump_change, "detail", detail),
    CODE(dump_change, "currency_before", before.currency.code),
    MONEY(dump_change, "hour_list_before", before.hour_list_nano),
    MONEY(dump_change, "month_list_before", before.month_list_nano),
    CODE(dump_change, "currency", after.currency.code),
    MONEY(dump_change, "hour_list", after.hour_list_nano),
    MONEY(dump_change, "month_list", after.month_list_nano),
    ID(dump_change, "attributes", step.attr),
    ID(dump_change, "before", step.before),
    ID(dump_change, "after", step.after),
    {"guard", SHAPE_REASON, AT(dump_change, step.reason)},
    FLAG(dump_change, "releasable", step.is_releasable),
    FLAG(dump_change, "whole_part", step.is_part),
    ID(dump_change, "first_seq", step.first),
    ID(dump_change, "stands_first_seq", step.fallback_first),
    ID(dump_change, "stands_last_seq", step.fallback_shown),
    ID(dump_change, "rows", step.rows),
    END,
};

static const struct shape_field stock_fields[] = {
    TIME(dump_stock, "t", t_unix_s),
    U32(dump_stock, "seq", seq),
    ID(dump_stock, "stream", stream_id),
    STREAM(dump_stock, stream),
    U32(dump_stock, "since_whole", since_whole),
    ID(dump_stock, "offer", offer),
    UNITS(dump_stock, "stock", units),
    I32(dump_stock, "confidence_permille", confidence_permille),
    TEXT(dump_stock, "reasons", reasons),
    END,
};

static const struct shape_field observation_fields[] = {
    TIME(dump_observation, "t", t_unix_s),
    U32(dump_observation, "seq", seq),
    ID(dump_observation, "stream", stream_id),
    STREAM(dump_observation, stream),
    STANDING(dump_observation),
    FLAG(dump_observation, "doubted", is_doubted),
    FLAG(dump_observation, "voided", is_voided),
    TEXT(dump_observation, "doubt", doubt),
    U32(dump_observation, "first_seq", first_seq),
    ID(dump_observation, "attributes", attributes_id),
    ID(dump_observation, "record", record_id),
    END,
};

static const struct shape_field span_fields[] = {
    ID(dump_span, "stream", stream_id),
    STREAM(dump_span, stream),
    STANDING(dump_span),
    U32(dump_span, "first_seq", first_seq),
    U32(dump_span, "last_seq", last_seq),
    U32(dump_span, "observations", observations),
    FLAG(dump_span, "doubted", is_doubted),
    FLAG(dump_span, "voided", is_voided),
    FLAG(dump_span, "open", is_open),
    END,
};

static const struct shape_field crawl_fields[] = {
    TIME(dump_crawl, "t", crawl.start_unix_s),
    TIME(dump_crawl, "end", crawl.end_unix_s),
    I32(dump_crawl, "sites_ok", crawl.sites_ok),
    I32(dump_crawl, "sites_failed", crawl.sites_failed),
    I32(dump_crawl, "sites_skipped", crawl.sites_skipped),
    END,
};

static const struct shape_field note_fields[] = {
    TEXT(dump_note, "key", key),
    TEXT(dump_note, "value", value),
    END,
};

static const struct shape_field end_fields[] = {
    U32(dump_end, "lines", things),
    END,
};

const struct shape export_shapes[DUMP_KINDS] = {
    [DUMP_HEAD] = {"export", sizeof(struct dump_head), head_fields},
    [DUMP_STREAM] = {"stream", sizeof(struct dump_stream), stream_fields},
    [DUMP_OFFER] = {"offer", sizeof(struct dump_offer), offer_fields},
    [DUMP_ATTRIBUTES] = {"attributes", sizeof(struct dump_attributes), attributes_fields},
    [DUMP_RECORD] = {"record", sizeof(struct dump_record), record_fields},
    [DUMP_FACTS] = {"facts", sizeof(struct dump_facts), facts_fields},
    [DUMP_RUN] = {"run", sizeof(struct dump_run), run_fields},
    [DUMP_CHANGE] = {"change", sizeof(struct dump_change), change_fields},
    [DUMP_STOCK] = {"stock", sizeof(struct dump_stock), stock_fields},
    [DUMP_OBSERVATION] = {"observation", sizeof(struct dump_observation), observation_fields},
    [DUMP_SPAN] = {"span", sizeof(struct dump_span), span_fields},
    [DUMP_CRAWL] = {"crawl", sizeof(struct dump_crawl), crawl_fields},
    [DUMP_NOTE] = {"note", sizeof(struct dump_note), note_fields},
    [DUMP_END] = {"end", sizeof(struct dump_end), end_fields},
};
