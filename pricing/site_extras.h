/* What a [site] section says beside prices: fees on top of the rent (`fee.*`), and what was found out about the platform
 * (`fact.*`), each with its source. Nothing has a default: a fee that the section does not name is not known. */
#ifndef GT_PRICING_SITE_EXTRAS_H
#define GT_PRICING_SITE_EXTRAS_H

#include "common/arena.h"
#include "common/conf.h"
#include "pricing/offer.h"

enum { SITE_FACTS_MAX = 64, SITE_FEE_TEXT_MAX = 128 };

/* One fee for each GB. */
struct site_fee {
    bool is_known;
    bool is_approx;           /* printed with "~" */
    int64_t amount_nano;      /* for one GB; 0: included in the rent */
    struct currency currency; /* "" when included */
    enum period period;       /* MONTH or DAY of a stored GB; NONE for a GB that is moved */
};

/* The fees of one site. */
struct site_fees {
    struct site_fee storage;      /* a GB kept for a month or a day */
    struct site_fee stopped_disk; /* the same while the instance is stopped, where it differs */
    struct site_fee traffic;      /* a GB that leaves */
    int64_t replicas_nano;        /* how many times a stored GB is billed: 3 copies are 3 * NANO; NANO when not named */
    int64_t management_nano;      /* percent of the rent, in nano-units */
    bool is_management_known;
};

/* One thing that was found out about a platform. Texts are borrowed from the conf. */
struct site_fact {
    struct gt_str name;   /* "tax", "billing_step" … */
    struct gt_str value;  /* "-": looked for and not found */
    struct gt_str source; /* an address or a document's name */
    struct gt_str date;   /* the day it was true: "2026-09-20" */
};

/* All of it for one site. */
struct site_extras {
    struct gt_str site, title;
    struct site_fees fees;
    const struct site_fact *facts; /* in the order of the section's keys; several of one name where sources differ */
    size_t fact_count;
};

/* Reads "AMOUNT CUR/GB", "AMOUNT CUR/GB/month", "AMOUNT CUR/GB/day" ("~" before it: about), or "included". `is_stored` says
 * that a period must stand there; without it none may. False when the text is none of them. */
bool site_fee_read(struct gt_str text, bool is_stored, struct site_fee *ret_fee);

/* Reads a [site] section's `fee.*` and `fact.*` keys. GT_OK; GT_ECONF with file:line in `info`; GT_ENOMEM; GT_ELIMIT past
 * SITE_FACTS_MAX facts. */
enum gt_err site_extras_from_conf(const struct conf_section *section, struct arena *arena, struct site_extras *ret_extras,
                                  struct gt_errinfo *info);

/* What `gb` of storage cost over some months, of which the instance is stopped for `stopped_hours`. Adds nothing when the fee
 * is not known. GT_OK; GT_EOVERFLOW.
 *
 *  months           whole months that the data is kept
 *  hours_per_month  what the site reckons a month at; a day is 24 of them */
enum gt_err site_fees_storage(const struct site_fees *fees, int64_t gb, int64_t months, int64_t stopped_hours,
                              int32_t hours_per_month, int64_t *ret_nano);

/* What is said of a site, or NULL when none of `count` carries its name. */
const struct site_extras *site_extras_find(const struct site_extras *extras, size_t count, struct gt_str site);

#endif
