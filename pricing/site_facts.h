/* What a site's section in sites.conf says that the pages do not print: currency, units, how the site rounds. */
#ifndef GT_PRICING_SITE_FACTS_H
#define GT_PRICING_SITE_FACTS_H

#include "common/conf.h"
#include "pricing/offer.h"

/* Which sign separates decimals on the site; UNKNOWN lets the page's own numbers decide, or the amount is ambiguous. */
enum decimal_sign { DECIMAL_UNKNOWN, DECIMAL_POINT, DECIMAL_COMMA };

struct site_facts {
    struct gt_str site;       /* the section's name */
    struct gt_str title;
    enum site_kind kind;
    enum market market;
    struct currency currency; /* what a bare ¥ or number is in; "" when not stated */
    enum decimal_sign decimal;
    int64_t scale_num, scale_den; /* printed number x num / den = units: 厘 is 1/1000; default 1/1 */
    enum period period;       /* of a price that names none; NONE when not stated */
    enum basis basis;         /* of a price that names none */
    enum delivery delivery;   /* of a row that names none */
    enum tier tier;           /* of a row that names none */
    enum tax tax;
    enum includes includes;
    int32_t cards;            /* cards in every unit sold, when the section says so; 0 else */
    int32_t hours_per_month;  /* 720 unless the section says otherwise */
    int64_t round_site_nano;  /* after the site-wide factor; default 0.01; 0 = none */
    int64_t round_label_nano; /* after each labelled factor; default none (0) */
    int64_t round_month_nano; /* of a month; default 1 */
    struct gt_str region;     /* of every row, when the section says so */
    const struct conf_section *section; /* borrowed; for its card aliases (pricing/site_alias.h) */
};

/* Reads a [site] section (defaults applied); NULL gives the facts of a page without a section. GT_OK, or GT_ECONF with
 * file:line in `info`. Texts are borrowed from the conf. */
enum gt_err site_facts_from_conf(const struct conf_section *section, struct site_facts *ret_facts, struct gt_errinfo *info);

#endif
