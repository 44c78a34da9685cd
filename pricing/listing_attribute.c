/* What the printed words of a row say about the thing that is rented out. */
#include "pricing/listing_row.h"
#include "pricing/listing_spec.h"
#include "pricing/listing_terms.h"
#include "pricing/listing_words.h"
#include "pricing/net_price_quote.h"
#include "pricing/offer_sku.h"

enum { VCPU_MAX = 8192, MIN_CARDS_MAX = 4096, NOTE_IN_CONTEXT_MAX = 120 };

/* Adds to `all`, behind `joint`, all fields of a name, white space normalised. */
static struct gt_str joined_to(struct listing_row *row, struct gt_str all, const char *name, const char *joint)
{
    bool is_joined = false;
    for (size_t i = 0; i < row->listing->field_count; i++) {
        const struct listing_field *field = &row->listing->fields[i];
        if (!gt_str_is(field->name, name) || field->text.len == 0) continue;
        struct gt_str text = words_normalise(field->text, row->page->arena);
        if (text.ptr == NULL) row->err = GT_ENOMEM;
        if (text.len == 0) continue;
        is_joined |= all.len > 0;
        all = all.len == 0 ? text : arena_printf(row->page->arena, "%.*s%s%.*s", GT_STR_ARG(all), joint, GT_STR_ARG(text));
        if (all.ptr == NULL) row->err = GT_ENOMEM;
    }
    /* Texts that were normalised each by itself may be too long together. */
    return is_joined ? words_normalise(all, row->page->arena) : all;
}

/* All fields of a name in one. */
static struct gt_str joined(struct listing_row *row, const char *name, const char *joint)
{
    return joined_to(row, (struct gt_str){"", 0}, name, joint);
}

/* The cells that tell rows of one label apart. Where the rules name none and the site prints no key, those of the machine's
 * size do: one card or eight, 40 GB or 80. Disk and stock stay out: they change without the offer being another one. */
static struct gt_str variant_of(struct listing_row *row)
{
    static const char *const sizes[] = {"cards", "vram", "vcpu", "ram"};
    struct gt_str variant = joined(row, "variant", " | ");
    if (variant.len > 0 || row->offer->identity.key.len > 0) return variant;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) variant = joined_to(row, variant, sizes[i], " | ");
    return variant;
}

/* One cell, trimmed; empty when the row has none. */
static struct gt_str field_of(struct listing_row *row, const char *name)
{
    return gt_str_trim(listing_get(row->listing, name));
}

/* Label, plan and variant in one; the remark too where it is short. */
static void set_words(struct listing_row *row)
{
    const struct offer_identity *identity = &row->offer->identity;
    /* A long remark is prose about many things; a short one belongs to the row. */
    struct gt_str note = field_of(row, "note");
    if (note.len > NOTE_IN_CONTEXT_MAX) note.len = 0;
    row->words = arena_printf(row->page->arena, "%.*s %.*s %.*s %.*s", GT_STR_ARG(identity->label), GT_STR_ARG(identity->plan),
                              GT_STR_ARG(identity->variant), GT_STR_ARG(note));
    if (row->words.ptr == NULL) row->err = GT_ENOMEM;
    row->context = words_cut(row->words, LISTING_CONTEXT_MAX);
}

/* Printed words alone, white space normalised: what is derived from them may change with the catalogue, and history must not break there. */
bool listing_identity(struct listing_row *row)
{
    struct offer_identity *identity = &row->offer->identity;
    identity->part = row->page->part;
    identity->label = joined(row, "label", " ");
    identity->plan = joined(row, "plan", " ");
    identity->region = joined(row, "region", " ");
    identity->key = joined(row, "key", " ");
    identity->variant = variant_of(row);
    if (identity->region.len == 0) identity->region = row->page->facts->region;
    set_words(row);
    if (row->err == GT_OK && identity->label.len == 0) {
        row->err = listing_refuse(row->page, row->words, refusal_code(REFUSAL_NO_LABEL));
        return false;
    }
    return row->err == GT_OK;
}

/* The label names the card; where it does not (an instance type), the other printed words of the row may. */
static struct sku_match match_of(struct listing_row *row, int32_t vram_gb)
{
    const struct offer_identity *identity = &row->offer->identity;
    struct gt_str cards = field_of(row, "cards");
    const struct sku_clues clues = {.texts = {identity->label, identity->key, identity->variant, cards, identity->plan},
                                    .aliases = &row->page->aliases};
    return offer_sku_match(&clues, vram_gb);
}

/* Memory of one card: its own cell, words of the row, else what stands beside the card's name. More than any card has is a
 * misreading, and none. */
static int32_t vram_of(struct listing_row *row)
{
    enum { VRAM_GB_MAX = 2048 };
    int32_t vram_gb = spec_gb_read(field_of(row, "vram"));
    if (vram_gb <= 0) vram_gb = spec_vram_find(row->words);
    return vram_gb <= VRAM_GB_MAX ? vram_gb : 0;
}

/* Cards in the unit sold: the cell, the words of the label, what is glued to the card's name, other words, the section. */
static void set_cards(struct listing_row *row, const struct sku_match *match)
{
    struct offer_attributes *attributes = &row->offer->attributes;
    struct spec_cards cell = spec_cards_read(field_of(row, "cards"));
    int32_t glued = match->is_type_count ? 0 : match->cards, known = match->is_type_count ? match->cards : 0;
    /* In the order of how directly they speak of the unit sold: what is printed, what the machine's name is known to stand for;
     * the section speaks last, since it speaks of all rows. */
    const int32_t readings[] = {cell.cards, spec_cards_find(row->offer->identity.label), glued, spec_cards_find(row->words),
                                known,      row->page->facts->cards};
    attributes->slice_num = cell.slice_den > 0 ? cell.slice_num : match->slice_num;
    attributes->slice_den = cell.slice_den > 0 ? cell.slice_den : match->slice_den;
    for (size_t i = 0; i < sizeof readings / sizeof readings[0] && attributes->slice_den == 0; i++)
        if (readings[i] > 0 && readings[i] <= CARDS_MAX) {
            attributes->cards = readings[i];
            return;
        }
}

/* The first that is known. */
static int32_t first_of(int32_t a, int32_t b)
{
    return a != 0 ? a : b;
}

/* Sizes of the unit sold, and the least that can be taken. */
static void set_sizes(struct listing_row *row)
{
    struct offer_attributes *attributes = &row->offer->attributes;
    attributes->vcpu = first_of(spec_int_read(field_of(row, "vcpu"), VCPU_MAX), spec_vcpu_find(row->words));
    attributes->ram_gb = first_of(spec_gb_read(field_of(row, "ram")), spec_ram_find(row->words));
    attributes->disk_gb = first_of(spec_gb_read(field_of(row, "disk")), spec_disk_find(row->words));
    attributes->min_cards = first_of(spec_int_read(field_of(row, "min_cards"), MIN_CARDS_MAX), spec_min_cards_find(row->words));
    attributes->min_months = first_of(spec_months_read(field_of(row, "min_months")), spec_min_months_find(row->words));
}

/* Links between cards and fabrics between nodes, as printed; whether the card can have them is for the audit. */
static void set_links(struct listing_row *row)
{
    struct offer_attributes *attributes = &row->offer->attributes;
    struct gt_str cell = words_normalise(field_of(row, "interconnect"), row->page->arena);
    attributes->interconnect = cell.len > 0 ? cell : terms_interconnect(row->words);
    attributes->fabric_gbps = first_of(spec_fabric_find(cell), spec_fabric_find(row->words));
}

/* Words of the cell first, then of the row, then the section's. */
static void set_terms(struct listing_row *row)
{
    const struct site_facts *facts = row->page->facts;
    struct offer_attributes *attributes = &row->offer->attributes;
    int64_t stock = -1;
    attributes->delivery = terms_delivery(field_of(row, "delivery"), terms_delivery(row->words, facts->delivery));
    attributes->tier = terms_tier(field_of(row, "tier"), terms_tier(row->words, facts->tier));
    attributes->tax = terms_tax(field_of(row, "tax"), terms_tax(row->words, facts->tax));
    attributes->billing_step_s = terms_billing_step_s(row->words);
    attributes->includes = facts->includes;
    attributes->market = facts->market;
    attributes->kind = facts->kind;
    row->offer->record.availability = terms_stock(field_of(row, "stock"), &stock);
    row->offer->stock = stock;
}

/* Card before counts and links: the same words ("8", "NVLink") mean different things for different cards. */
void listing_attributes(struct listing_row *row)
{
    int32_t printed_gb = vram_of(row);
    struct sku_match match = match_of(row, printed_gb);
    row->offer->attributes.vram_gb = row->offer->attributes.vram_printed_gb = printed_gb;
    set_terms(row);
    offer_sku_set(&row->offer->attributes, &match, row->page->arena);
    set_cards(row, &match);
    set_sizes(row);
    set_links(row);
}

/* Longer than a week is a lease, and a lease is not taken away. */
static bool is_lease(const struct listing_row *row)
{
    for (size_t i = 0; i < row->quote_count; i++)
        if (quote_term(&row->quotes[i]).months_paid > 0) return true;
    for (size_t i = 0; i < row->discount_count; i++)
        if (conditions_have(row->discounts[i].conditions, row->discounts[i].condition_count, COND_PREPAY_MONTH)) return true;
    return false;
}

/* No price but spot prices: the row is a spot offer even if no word says so. */
static bool is_all_spot(const struct listing_row *row)
{
    for (size_t i = 0; i < row->quote_count; i++)
        if (row->quotes[i].role != ROLE_SPOT) return false;
    return row->quote_count > 0;
}

/* The least number of cards that one price asks for; 0 when it asks for none. */
static int32_t least_of(const struct quote *quote)
{
    for (size_t i = 0; i < quote->condition_count; i++)
        if (quote->conditions[i].kind == COND_MIN_CARDS && quote->conditions[i].n <= MIN_CARDS_MAX)
            return (int32_t)quote->conditions[i].n;
    return 0;
}

/* The offer asks for as many cards as the least demanding of its prices does: one price for eight beside one for a single card
 * is a reduction for eight, not a minimum. */
static int32_t least_of_prices(const struct listing_row *row)
{
    int32_t least = 0;
    for (size_t i = 0; i < row->quote_count; i++) {
        int32_t own = least_of(&row->quotes[i]);
        if (own == 0) return 0;
        if (least == 0 || own < least) least = own;
    }
    return least;
}

void listing_terms_from_prices(struct listing_row *row)
{
    struct offer_attributes *attributes = &row->offer->attributes;
    if (attributes->tier == TIER_UNKNOWN && is_all_spot(row)) attributes->tier = TIER_SPOT;
    if (attributes->tier == TIER_UNKNOWN && is_lease(row)) attributes->tier = TIER_ON_DEMAND;
    for (size_t i = 0; i < row->quote_count; i++) {
        const struct quote *quote = &row->quotes[i];
        if (attributes->tax == TAX_UNKNOWN) attributes->tax = quote->tax;
        if (attributes->cards == 0 && quote->basis == BASIS_NODE && attributes->slice_den == 0) attributes->cards = quote->cards;
    }
    if (attributes->min_cards == 0) attributes->min_cards = least_of_prices(row);
    /* The prices are handed over later; whether one of them is a node's decides here. */
    struct offer seen = *row->offer;
    seen.record.quotes = row->quotes;
    seen.record.quote_count = row->quote_count;
    if (attributes->cards == 0 && offer_sells_single(&seen)) attributes->cards = 1;
}
