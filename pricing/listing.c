/* The order of work for a page: each row by itself, then what only the page as a whole shows (rows that say the same, the common
 * factor), then the normal form. Rows are isolated: what one of them cannot be read as costs that row and is listed with a
 * reason. */
#include "pricing/listing.h"

#include "pricing/discount_solve.h"
#include "pricing/listing_row.h"
#include "pricing/listing_terms.h"
#include "pricing/listing_words.h"

enum { RAW_SHOWN_MAX = 200 };

struct gt_str listing_get(const struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->field_count; i++)
        if (gt_str_is(listing->fields[i].name, name)) return listing->fields[i].text;
    return (struct gt_str){NULL, 0};
}

enum gt_err listing_refuse(struct listing_page *page, struct gt_str raw, struct gt_str reason)
{
    if (page->refused_count >= LISTING_REFUSED_MAX) return GT_OK;
    void *items = page->refused;
    if (!arena_grow(page->arena, &items, page->refused_count, &page->refused_cap, sizeof *page->refused)) return GT_ENOMEM;
    page->refused = items;
    page->refused[page->refused_count++] = (struct refusal){words_cut(raw, RAW_SHOWN_MAX), reason};
    return GT_OK;
}

/* Hands the row's arrays over to the offer. */
static enum gt_err keep(struct listing_row *row)
{
    struct offer_record *record = &row->offer->record;
    struct quote *quotes = arena_array(row->page->arena, row->quote_count, sizeof *quotes);
    struct discount *discounts = arena_array(row->page->arena, row->discount_count, sizeof *discounts);
    if (quotes == NULL || discounts == NULL) return GT_ENOMEM;
    if (row->quote_count > 0) memcpy(quotes, row->quotes, row->quote_count * sizeof *quotes);
    if (row->discount_count > 0) memcpy(discounts, row->discounts, row->discount_count * sizeof *discounts);
    record->quotes = quotes;
    record->quote_count = row->quote_count;
    record->discounts = discounts;
    record->discount_count = row->discount_count;
    if (record->availability == AVAIL_UNKNOWN) record->availability = row->availability;
    return GT_OK;
}

/* Why a row that was read is no offer; NULL when it is one. A card that is sold out is one even where no price is printed, and
 * so is one whose price cell prints a dash. A cell that is missing is not the same: there a rule may have lost its hold. */
static const char *reason_against(const struct listing_row *row)
{
    const char *reason = NULL;
    bool is_unmapped = row->offer->attributes.sku_status == SKU_UNMAPPED;
    /* "Memory $0.00000222 /GB/s" stands in the same table as the cards; a card's name beside such a word is a card. */
    if (is_unmapped && terms_is_component(row->offer->identity.label, &reason)) return reason;
    if (row->quote_count > 0 || row->offer->record.availability == AVAIL_SOLD_OUT || row->availability == AVAIL_SOLD_OUT)
        return NULL;
    if (row->is_quote_only) return "quote-only";
    return (row->discount_count > 0 || row->has_dash) && !is_unmapped ? NULL : "none";
}

/* Reads one row into *offer. *ret_taken is false when it is none (the page's refusals say why). */
static enum gt_err read_row(struct listing_page *page, const struct listing *listing, struct offer *offer, bool *ret_taken)
{
    struct listing_row row = {.page = page, .listing = listing, .offer = offer, .currency = page->facts->currency};
    *offer = (struct offer){.stock = -1, .confidence_permille = listing->confidence_permille, .reasons = listing->reasons};
    *ret_taken = false;
    if (!listing_identity(&row)) return row.err;
    listing_attributes(&row);
    listing_prices(&row);
    if (row.err != GT_OK) return row.err;
    const char *reason = reason_against(&row);
    if (reason != NULL) {
        /* A phrase that was refused with its own reason need not be listed again as "none". */
        bool is_told = row.was_refused && strcmp(reason, "none") == 0;
        return is_told ? GT_OK : listing_refuse(page, offer->identity.label, gt_str_from(reason));
    }
    listing_discounts_settle(&row);
    listing_terms_from_prices(&row);
    *ret_taken = row.err == GT_OK;
    return row.err == GT_OK ? keep(&row) : row.err;
}

/* Which sign parts decimals, by the site's section or by all rows' own prices. */
static enum decimal_sign decimal_of(const struct listing *listings, size_t count, const struct site_facts *facts)
{
    struct price_decimals decimals = {0};
    if (facts->decimal != DECIMAL_UNKNOWN) return facts->decimal;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < listings[i].field_count; k++) {
            const struct listing_field *field = &listings[i].fields[k];
            if (gt_str_starts(field->name, GT_STR("price"))) price_decimals_count(field->text, &decimals);
        }
    }
    return price_decimals_sign(&decimals);
}

enum gt_err listing_read(const struct listing *listings, size_t count, const struct site_facts *facts, struct gt_str part,
                         struct arena *arena, struct reading *ret_reading)
{
    struct listing_page page = {.facts = facts, .decimal = decimal_of(listings, count, facts), .part = part, .arena = arena};
    struct solved_factor solved;
    size_t taken = 0;
    if (count > LISTINGS_MAX) return GT_ELIMIT;
    struct offer *offers = arena_array(arena, count, sizeof *offers);
    if (offers == NULL) return GT_ENOMEM;
    enum gt_err err = site_aliases_read(facts->section, arena, &page.aliases);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        bool is_taken;
        err = read_row(&page, &listings[i], &offers[taken], &is_taken);
        taken += err == GT_OK && is_taken;
    }
    /* Repeats go before the solver looks: a table that is printed twice is no evidence twice. */
    if (err == GT_OK) err = listing_drop_repeats(offers, &taken, arena);
    if (err == GT_OK) err = discount_solve(offers, taken, arena, &solved);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < taken; i++) listing_normalise(&offers[i], facts);
    *ret_reading = (struct reading){offers, taken, page.refused, page.refused_count};
    return GT_OK;
}
