/* Who asks: decides which discounts and terms apply. */
#ifndef GT_PRICING_PERSONA_H
#define GT_PRICING_PERSONA_H

#include "common/arena.h"
#include "common/err.h"
#include "pricing/offer.h"

/* The default pays monthly for one card, is nobody special, takes no spot. */
struct persona {
    enum period pay;          /* HOUR, MONTH or YEAR */
    int32_t months;           /* how long it stays; 1 by default */
    int32_t hours_per_month;  /* hours of use; 0: all of them */
    int32_t cards;            /* 1 */
    uint8_t is_student, is_enterprise, is_new_customer, takes_spot;
    struct gt_str member;     /* level; empty: none */
    int market;               /* enum market, or -1: any */
};

/* The default persona. */
struct persona persona_default(void);

/* Reads a preset (individual startup inference training domestic overseas) or
 * "pay=month,months=12,student,cards=8,member=LEVEL,spot, hours=200,market=domestic"; a preset may stand first in the list. An
 * empty text is the default. GT_EUSAGE with the nearest word. */
enum gt_err persona_read(struct gt_str text, struct persona *ret_persona, struct gt_errinfo *info);

/* Writes the persona in one line, all fields that differ from the default, for reports: "pay=month,cards=8". Into the arena. */
struct gt_str persona_print(const struct persona *persona, struct arena *arena);

#endif
