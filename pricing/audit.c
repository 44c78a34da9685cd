/* How findings are noted, the checks that need more than prices, and the list of all checks. An audit never corrects: it says in
 * one sentence which two printed figures do not go together, and leaves it to a person which of them is wrong. Sentences are in
 * English, as programs get them; reports show them to people in their language (reports/words.def). */
#include "pricing/audit.h"

#include <stdarg.h>
#include <stdio.h>

#include "pricing/audit_check.h"
#include "pricing/listing_words.h"
#include "pricing/net_price_quote.h"
#include "pricing/net_price_terms.h"
#include "pricing/sku.h"

enum { SENTENCE_MAX = 640, INTERCONNECT_SHOWN_MAX = 80 };

static const struct {
    const char *code;
    const char *meaning;
} codes[] = {
#define GT_AUDIT(name, code, meaning) {code, meaning},
#include "pricing/audit.def"
#undef GT_AUDIT
};

/* Beyond the limit nothing is added: whoever has read so many findings about one offer believes none of its prices. */
void audit_add(struct audit *audit, enum audit_code code, const char *format, ...)
{
    char sentence[SENTENCE_MAX];
    if (audit->err != GT_OK || audit->result->count >= AUDIT_FINDINGS_MAX) return;
    va_list args;
    va_start(args, format);
    int len = vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    struct gt_str detail = len < 0 ? (struct gt_str){NULL, 0} : arena_dup(audit->arena, gt_str_from(sentence));
    if (detail.ptr == NULL) {
        audit->err = GT_ENOMEM;
        return;
    }
    audit->result->findings[audit->result->count++] = (struct audit_finding){codes[code].code, detail};
}

const char *audit_code_meaning(struct gt_str code)
{
    for (size_t i = 0; i < AUDIT_CODES; i++)
        if (gt_str_is(code, codes[i].code)) return codes[i].meaning;
    return NULL;
}

const struct quote *audit_quote(const struct offer *offer, enum role role, enum period period)
{
    for (size_t i = 0; i < offer->record.quote_count; i++) {
        const struct quote *quote = &offer->record.quotes[i];
        bool is_plain = quote->bound == BOUND_EXACT && quote->amount_nano > 0 && quote_is_plain(quote);
        if (is_plain && quote->role == role && quote->period == period) return quote;
    }
    return NULL;
}

/* Families of links between cards, as printed and as the catalogue names them. */
static const struct {
    const char *printed;
    const char *family;
} links[] = {{"NVLink", "NVLink"},       {"NVSwitch", "NVLink"},      {"HCCS", "HCCS"},
             {"MetaXLink", "MetaXLink"}, {"xGMI", "Infinity Fabric"}, {"Infinity Fabric", "Infinity Fabric"}};

/* Anywhere in the text, in any case: "NVLink" is in "900GB/s NVLink4". */
static bool holds(struct gt_str text, const char *word)
{
    struct gt_str wanted = gt_str_from(word);
    for (size_t at = 0; at + wanted.len <= text.len; at++)
        if (gt_str_eq_nocase(gt_str_slice(text, at, wanted.len), wanted)) return true;
    return false;
}

/* Only a contradiction is told: a card whose links the catalogue does not know says nothing about the page. */
void audit_check_interconnect(struct audit *audit)
{
    const struct offer_attributes *attributes = &audit->offer->attributes;
    const struct sku_node *node = attributes->interconnect.len > 0 ? sku_find(gt_str_from(attributes->sku)) : NULL;
    if (node == NULL || node->interconnect == NULL) return;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (!holds(attributes->interconnect, links[i].printed) || holds(gt_str_from(node->interconnect), links[i].family))
            continue;
        audit_add(audit, AUDIT_INTERCONNECT, "%s is printed (%.*s), but %s has %s", links[i].printed,
                  GT_STR_ARG(words_cut(attributes->interconnect, INTERCONNECT_SHOWN_MAX)), node->name,
                  node->interconnect[0] != '\0' ? node->interconnect : "none");
    }
}

void audit_check_readings(struct audit *audit)
{
    struct persona persona = persona_default();
    struct net_price price;
    /* One price without a discount has one reading. */
    if (audit->offer->record.quote_count <= 1 && audit->offer->record.discount_count == 0) return;
    enum gt_err err = net_price_compute(audit->offer, audit->rules, &persona, 0, audit->arena, &price);
    if (err == GT_ENOMEM) audit->err = err;
    if (err != GT_OK || price.evidence == EVIDENCE_INFERRED) return;
    if (price.month_alt_nano == 0 || price.month_alt_nano >= price.month_net_nano) return;
    audit_add(audit, AUDIT_LOWER_READING, "the month is %s (%.*s); %s (%.*s) is lower and of less evidence",
              AUDIT_TEXT(price.month_net_nano), GT_STR_ARG(price.formula), AUDIT_TEXT(price.month_alt_nano),
              GT_STR_ARG(price.month_alt_formula));
}

/* The order is that in which findings are read: how the page reckons, then what it prints against itself. */
enum gt_err audit_offer(const struct offer *offer, const struct net_rules *rules, struct arena *arena,
                        struct audit_result *ret_result)
{
    static void (*const checks[])(struct audit *) = {
        audit_check_inferred, audit_check_discounts, audit_check_percent, audit_check_month_hour,   audit_check_order,
        audit_check_lists,    audit_check_pieces,    audit_check_node,    audit_check_interconnect, audit_check_readings,
    };
    struct audit_result result = {.count = 0};
    struct audit audit = {.offer = offer, .rules = rules, .arena = arena, .result = &result};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) checks[i](&audit);
    if (audit.err == GT_OK) *ret_result = result;
    return audit.err;
}
