/* A reading in one line, for tables of phrases: what price_phrases_own.tsv holds in its last column.
 *
 *   1.96 CNY hour card:1 sale from m1 tax-included upfront {prepay-month}    a price; ".." before the upper end; "-" where unknown; only what
 *                                                                            differs from list, exact, unknown basis is printed
 *   x0.95 {student}   x?0.7   -200 CNY {new-customer}   upto stacks-no inferred    a discount: factor, open factor's other reading, amount off
 *   !purchase         why there is no price
 *   sold-out  quote-only  free */
#ifndef GT_TESTS_PRICE_SHOW_H
#define GT_TESTS_PRICE_SHOW_H

#include <stdio.h>

#include "common/strbuf.h"
#include "pricing/price_text.h"

enum { SHOW_MAX = 8192 };

static inline void show_conditions(struct strbuf *out, const struct condition *conditions, size_t count)
{
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(out, "%s%s", i == 0 ? " {" : ",", word_text(VOCABULARY_COND, (int)conditions[i].kind));
        char amount[MONEY_TEXT_MAX];
        if (conditions[i].kind == COND_MIN_SPEND) strbuf_addf(out, ":%s", money_format(conditions[i].n, amount));
        else if (conditions[i].n != 0) strbuf_addf(out, ":%lld", (long long)conditions[i].n);
        if (conditions[i].text.len > 0) strbuf_addf(out, ":%.*s", GT_STR_ARG(conditions[i].text));
    }
    strbuf_addc(out, '}');
}

static inline void show_quote(struct strbuf *out, const struct quote *q)
{
    char low[MONEY_TEXT_MAX], high[MONEY_TEXT_MAX];
    strbuf_adds(out, money_format(q->amount_nano, low));
    if (q->amount_high_nano != 0) strbuf_addf(out, "..%s", money_format(q->amount_high_nano, high));
    strbuf_addf(out, " %s", q->currency.code[0] != '\0' ? q->currency.code : "-");
    strbuf_addf(out, " %s", q->period != PERIOD_NONE ? word_text(VOCABULARY_PERIOD, (int)q->period) : "-");
    if (q->period_count != 1) strbuf_addf(out, "*%d", (int)q->period_count);
    if (q->basis != BASIS_UNKNOWN) strbuf_addf(out, " %s", word_text(VOCABULARY_BASIS, (int)q->basis));
    if (q->cards != 0) strbuf_addf(out, ":%d", (int)q->cards);
    if (q->role != ROLE_LIST) strbuf_addf(out, " %s", word_text(VOCABULARY_ROLE, (int)q->role));
    if (q->bound != BOUND_EXACT) strbuf_addf(out, " %s", word_text(VOCABULARY_BOUND, (int)q->bound));
    if (q->months != 0) strbuf_addf(out, " m%d", (int)q->months);
    if (q->tax != TAX_UNKNOWN) strbuf_addf(out, " tax-%s", word_text(VOCABULARY_TAX, (int)q->tax));
    if (q->is_upfront) strbuf_adds(out, " upfront");
    show_conditions(out, q->conditions, q->condition_count);
}

static inline void show_discount(struct strbuf *out, const struct discount *d)
{
    char text[MONEY_TEXT_MAX];
    if (d->amount_off_nano != 0)
        strbuf_addf(out, "-%s %s", money_format(d->amount_off_nano, text), d->currency.code[0] != '\0' ? d->currency.code : "-");
    else if (d->factor_nano != 0) strbuf_addf(out, "x%s", money_format(d->factor_nano, text));
    else strbuf_addf(out, "x?%s", money_format(d->factor_alt_nano, text));
    if (d->factor_nano != 0 && d->factor_alt_nano != 0) strbuf_addf(out, " or %s", money_format(d->factor_alt_nano, text));
    if (d->is_upto) strbuf_adds(out, " upto");
    if (d->stacks != STACKS_UNKNOWN) strbuf_addf(out, " stacks-%s", word_text(VOCABULARY_STACKS, (int)d->stacks));
    if (d->is_inferred) strbuf_adds(out, " inferred");
    show_conditions(out, d->conditions, d->condition_count);
}

/* The whole reading, parts joined by "; ". */
static inline void show_reading(struct strbuf *out, const struct price_reading *r)
{
    const char *joint = "";
    for (size_t i = 0; i < r->item_count; i++, joint = "; ") {
        strbuf_adds(out, joint);
        show_quote(out, &r->items[i].quote);
    }
    for (size_t i = 0; i < r->discount_count; i++, joint = "; ") {
        strbuf_adds(out, joint);
        show_discount(out, &r->discounts[i]);
    }
    if (r->refused_all.len > 0) {
        strbuf_addf(out, "%s!%.*s", joint, GT_STR_ARG(r->refused_all));
        joint = "; ";
    }
    if (r->availability != AVAIL_UNKNOWN) {
        strbuf_addf(out, "%s%s", joint, word_text(VOCABULARY_AVAIL, (int)r->availability));
        joint = "; ";
    }
    if (r->is_quote_only) {
        strbuf_addf(out, "%squote-only", joint);
        joint = "; ";
    }
    if (r->is_free) strbuf_addf(out, "%sfree", joint);
}

#endif
