/* Price, discount and promotion fields of a row: each read as a phrase, in the light of its heading, its name and its row. */
#include "pricing/listing_row.h"
#include "pricing/listing_terms.h"
#include "pricing/listing_words.h"
#include "pricing/net_price_quote.h"

enum { WHERE_MAX = 120 };

/* Conditions appended to those that are there; a kind that is there already is not said twice. */
static const struct condition *with_conditions(struct listing_row *row, const struct condition *conditions, size_t *count,
                                               const struct condition *more, size_t more_count)
{
    if (more_count == 0) return conditions;
    struct condition *all = arena_array(row->page->arena, *count + more_count, sizeof *all);
    if (all == NULL) {
        row->err = GT_ENOMEM;
        return conditions;
    }
    size_t used = *count;
    if (used > 0) memcpy(all, conditions, used * sizeof *all);
    for (size_t i = 0; i < more_count && used < CONDITIONS_MAX; i++)
        if (!conditions_have(all, used, more[i].kind)) all[used++] = more[i];
    *count = used;
    return all;
}

/* What the field's name says, where the text did not say otherwise. */
static void quote_apply(struct listing_row *row, struct quote *quote, const struct listing_tags *tags)
{
    bool names_basis = words_have(quote->raw, "卡") || words_have(quote->raw, "gpu") || words_have(quote->raw, "台");
    /* The words around a price ("1 * V100") give way to a name that says what the column holds; its own words do not. */
    if (tags->basis != BASIS_UNKNOWN && !names_basis) quote->basis = tags->basis;
    if (tags->has_role && quote->role == ROLE_LIST) quote->role = tags->role;
    if (tags->has_bound && quote->bound == BOUND_EXACT) quote->bound = tags->bound;
    if (tags->months != 0 && quote->months == 0) quote->months = tags->months;
    if (tags->period_count > 1 && quote->period == tags->period && quote->period_count <= 1)
        quote->period_count = tags->period_count;
    if (tags->is_upfront) quote->is_upfront = 1;
    if (quote->cards > CARDS_MAX) quote->cards = 0;
    quote->conditions = with_conditions(row, quote->conditions, &quote->condition_count, tags->conditions, tags->condition_count);
}

/* Adds what words ask for; a kind that is there already is not said twice. */
static void terms_add(struct listing_row *row, struct gt_str words, bool is_plan, struct listing_terms *terms)
{
    struct condition found[CONDITIONS_MAX];
    size_t count = 0;
    if (words.len == 0) return;
    if (price_terms_read(words, is_plan, row->page->arena, found, &count) == GT_ENOMEM) row->err = GT_ENOMEM;
    if (terms_is_promotion(words) && count < CONDITIONS_MAX) found[count++] = (struct condition){.kind = COND_PROMOTION};
    for (size_t i = 0; i < count && terms->count < CONDITIONS_MAX; i++)
        if (!conditions_have(terms->items, terms->count, found[i].kind)) terms->items[terms->count++] = found[i];
}

/* How many months a condition binds for; INT64_MAX for one that is not about time. */
static int64_t months_of(const struct condition *condition)
{
    if (condition->kind == COND_PREPAY_MONTH) return 1;
    if (condition->kind == COND_PREPAY_YEAR) return QUOTE_MONTHS_OF_A_YEAR;
    return condition->kind == COND_MIN_MONTHS ? condition->n : INT64_MAX;
}

/* Conditions of the row's own words, or of a heading's. A price that is paid for as long or binds as long says so itself. */
static void terms_apply(struct listing_row *row, struct quote *quote, const struct listing_terms *terms)
{
    struct condition own[CONDITIONS_MAX];
    int32_t paid = quote_term(quote).months_paid, months = paid > quote->months ? paid : quote->months;
    size_t count = 0;
    for (size_t i = 0; i < terms->count; i++)
        if (months < months_of(&terms->items[i])) own[count++] = terms->items[i];
    quote->conditions = with_conditions(row, quote->conditions, &quote->condition_count, own, count);
}

/* What the heading says, read once a page. NULL where it cannot be read: then the phrase's reader says why. */
static const struct listing_heading *heading_of(struct listing_row *row, struct gt_str words)
{
    struct listing_page *page = row->page;
    struct listing_heading heading = {.words = words};
    if (words.len == 0) return NULL;
    for (size_t i = 0; i < page->heading_count; i++)
        if (gt_str_eq(page->headings[i].words, words)) return &page->headings[i];
    if (page->heading_count == LISTING_HEADINGS_MAX || price_around_read(words, page->arena, &heading.read) != GT_OK) return NULL;
    terms_add(row, words, false, &heading.terms);
    page->headings[page->heading_count] = heading;
    return &page->headings[page->heading_count++];
}

/* Past OFFER_QUOTES_MAX a row is a table of its own, and what follows is left out. */
static void quote_add(struct listing_row *row, const struct quote *quote, const struct listing_field *field,
                      const struct listing_tags *tags)
{
    if (row->quote_count >= OFFER_QUOTES_MAX) return;
    struct quote *added = &row->quotes[row->quote_count++];
    *added = *quote;
    added->where = words_cut(field->header.len > 0 ? field->header : field->name, WHERE_MAX);
    quote_apply(row, added, tags);
    terms_apply(row, added, &row->terms);
    /* 学生价, Off-peak: the heading's reader knows months and roles, and a name that says either was given by who read the heading. */
    const struct listing_heading *heading = tags->has_role || tags->condition_count > 0 ? NULL : heading_of(row, field->header);
    if (heading != NULL) terms_apply(row, added, &heading->terms);
}

/* A discount with the conditions of its words, its field's name and, where these name none, its heading. */
static void discount_add(struct listing_row *row, const struct discount *discount, const struct listing_tags *tags,
                         const struct listing_field *field)
{
    /* What a phrase's own figures suggest (9900, 折后 7920) is for the page's solver to infer, from all rows. */
    if (discount->is_inferred || row->discount_count >= OFFER_DISCOUNTS_MAX) return;
    struct discount *added = &row->discounts[row->discount_count++];
    enum cond_kind headed = discount->condition_count == 0 ? terms_condition(field->header) : COND_WORDS;
    struct condition from_header = {.kind = headed};
    *added = *discount;
    added->conditions = with_conditions(row, added->conditions, &added->condition_count, tags->conditions, tags->condition_count);
    if (tags->months > 0) {
        struct condition term = {.kind = COND_MIN_MONTHS, .n = tags->months};
        added->conditions = with_conditions(row, added->conditions, &added->condition_count, &term, 1);
    }
    if (headed != COND_WORDS && added->condition_count == 0)
        added->conditions = with_conditions(row, added->conditions, &added->condition_count, &from_header, 1);
}

/* A cell that prints no number says nothing that could be refused. */
static bool has_digit(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') return true;
    return false;
}

/* Refusals of a phrase are the page's: `parse` lists them, so that a rule that reads the wrong cell shows. */
static void note_refused(struct listing_row *row, const struct price_reading *reading, struct gt_str text)
{
    for (size_t i = 0; i < reading->refused_count && row->err == GT_OK; i++)
        row->err = listing_refuse(row->page, reading->refused[i].raw, reading->refused[i].reason);
    row->was_refused |= reading->refused_count > 0;
    bool is_silent = reading->item_count == 0 && reading->discount_count == 0 && reading->refused_count == 0;
    if (!is_silent || !has_digit(text) || reading->refused_all.len == 0) return;
    if (row->err == GT_OK) row->err = listing_refuse(row->page, text, reading->refused_all);
    row->was_refused = true;
}

/* Likewise the row's words, once a row. */
static const struct price_around *words_of(struct listing_row *row)
{
    const struct price_around *read = row->context_read;
    if (read == NULL && row->context.len > 0 && price_around_read(row->context, row->page->arena, &read) == GT_OK) row->context_read = read;
    return read;
}

/* What is known beside the words. Words win over all of it. */
static struct price_context context_of(struct listing_row *row, const struct listing_field *field,
                                       const struct listing_tags *tags, bool is_price)
{
    const struct site_facts *facts = row->page->facts;
    const struct listing_heading *heading = heading_of(row, field->header);
    return (struct price_context){
        .currency = row->currency,
        .decimal = row->page->decimal,
        .period = tags->period != PERIOD_NONE ? tags->period : facts->period,
        .basis = tags->basis != BASIS_UNKNOWN ? tags->basis : facts->basis,
        .header = field->header,
        .context = row->context,
        .header_read = heading != NULL ? heading->read : NULL,
        .context_read = words_of(row),
        .scale_num = facts->scale_num,
        .scale_den = facts->scale_den,
        .bare_number = is_price,
    };
}

/* Reads the text of a field; false when nothing came of it. */
static bool phrase_read(struct listing_row *row, const struct listing_field *field, const struct listing_tags *tags,
                        bool is_price, struct price_reading *reading)
{
    struct price_context context = context_of(row, field, tags, is_price);
    enum gt_err err = price_text_read(field->text, &context, row->page->arena, reading);
    if (err == GT_ELIMIT) {
        row->err = listing_refuse(row->page, field->text, refusal_code(REFUSAL_RANGE));
        return false;
    }
    if (err != GT_OK && err != GT_ENOPRICE) row->err = err;
    return row->err == GT_OK;
}

/* A statement about a market ("普遍超 50 元") or somebody's estimate is no price of this row. */
static bool is_hearsay(const struct price_item *item)
{
    for (size_t i = 0; i < item->flag_count; i++)
        if (gt_str_is(item->flags[i], "claim") || gt_str_is(item->flags[i], "estimate")) return true;
    return false;
}

/* Adds the prices of a phrase. One that a promotion's words stand before ("活动期低至 ¥18800/月") is the promotion's. */
static void items_add(struct listing_row *row, const struct price_reading *reading, const struct listing_field *field,
                      const struct listing_tags *tags)
{
    size_t from = 0;
    for (size_t i = 0; i < reading->item_count; i++) {
        const struct price_item *item = &reading->items[i];
        struct listing_tags own = *tags;
        size_t end = item->offset + item->len;
        bool is_promotion = end > from && terms_is_promotion(gt_str_slice(field->text, from, end - from));
        from = end;
        if (is_hearsay(item)) {
            if (row->err == GT_OK) row->err = listing_refuse(row->page, item->quote.raw, refusal_code(REFUSAL_CLAIM));
            row->was_refused = true;
            continue;
        }
        if (is_promotion && own.condition_count < CONDITIONS_MAX)
            own.conditions[own.condition_count++] = (struct condition){.kind = COND_PROMOTION};
        quote_add(row, &item->quote, field, &own);
    }
}

/* "—", "--", "N/A": the cell says that there is no price. */
static bool is_dash(struct gt_str text)
{
    static const struct gt_str marks[] = {{"-", 1}, {"–", 3}, {"—", 3}, {"－", 3}, {"/", 1}};
    struct gt_str rest = gt_str_trim(text);
    if (gt_str_eq_nocase(rest, GT_STR("n/a"))) return true;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        while (gt_str_starts(rest, marks[i])) rest = gt_str_slice(rest, marks[i].len, SIZE_MAX);
    return rest.len == 0;
}

/* A cell of prices, which may hold discounts and words of stock as well. */
static void read_price(struct listing_row *row, const struct listing_field *field)
{
    struct listing_tags tags = listing_tags_read(field->name);
    struct price_reading reading = {0};
    if (is_dash(field->text)) {
        row->has_dash = true;
        return;
    }
    if (!phrase_read(row, field, &tags, true, &reading)) return;
    items_add(row, &reading, field, &tags);
    struct listing_tags none = {0};
    for (size_t i = 0; i < reading.discount_count; i++) discount_add(row, &reading.discounts[i], &none, field);
    if (reading.availability != AVAIL_UNKNOWN) row->availability = reading.availability;
    row->is_quote_only |= reading.is_quote_only != 0;
    note_refused(row, &reading, field->text);
}

/* A cell that holds a bare fraction, as JSON answers do: "0.95". Anything above one could be percent or 折 and is not taken. */
static void read_fraction(struct listing_row *row, const struct listing_field *field, const struct listing_tags *tags)
{
    struct discount discount = {.raw = field->text};
    bool is_fraction = money_parse(gt_str_trim(field->text), &discount.factor_nano) == GT_OK && discount.factor_nano > 0 &&
                       discount.factor_nano < NANO;
    if (is_fraction) discount_add(row, &discount, tags, field);
    else if (has_digit(field->text) && row->err == GT_OK)
        row->err = listing_refuse(row->page, field->text, refusal_code(REFUSAL_AMBIGUOUS));
}

/* A cell of discounts, which may hold the price that they lead to. */
static void read_discount(struct listing_row *row, const struct listing_field *field)
{
    struct listing_tags tags = listing_tags_read(field->name), none = {0};
    struct price_reading reading = {0};
    int64_t nano;
    /* A plain number is read here: as a phrase it would be a price. 1 is what JSON answers print for "no discount". */
    if (money_parse(gt_str_trim(field->text), &nano) == GT_OK) {
        if (nano != NANO) read_fraction(row, field, &tags);
        return;
    }
    if (!phrase_read(row, field, &tags, false, &reading)) return;
    for (size_t i = 0; i < reading.item_count; i++) quote_add(row, &reading.items[i].quote, field, &none);
    for (size_t i = 0; i < reading.discount_count; i++) discount_add(row, &reading.discounts[i], &tags, field);
    note_refused(row, &reading, field->text);
}

/* A promotion's prices and discounts carry the condition, whatever else they say: none of them is ever the net price. */
static void read_promotion(struct listing_row *row, const struct listing_field *field)
{
    struct listing_tags tags = {
        .conditions = {{.kind = COND_PROMOTION}}, .condition_count = 1, .role = ROLE_SALE, .has_role = true};
    struct price_reading reading = {0};
    if (!phrase_read(row, field, &tags, false, &reading)) return;
    for (size_t i = 0; i < reading.item_count; i++) quote_add(row, &reading.items[i].quote, field, &tags);
    for (size_t i = 0; i < reading.discount_count; i++) discount_add(row, &reading.discounts[i], &tags, field);
    note_refused(row, &reading, field->text);
}

/* Remarks are read for discounts and terms; an amount in a remark is seldom the row's price. */
static void read_note(struct listing_row *row, const struct listing_field *field)
{
    struct listing_tags none = {0};
    struct price_reading reading = {0};
    if (!phrase_read(row, field, &none, false, &reading)) return;
    for (size_t i = 0; i < reading.discount_count; i++) discount_add(row, &reading.discounts[i], &none, field);
    if (reading.availability != AVAIL_UNKNOWN) row->availability = reading.availability;
    row->is_quote_only |= reading.is_quote_only != 0;
}

/* What label, plan and variant ask for holds for every price of the row. */
static void read_terms(struct listing_row *row)
{
    const struct offer_identity *identity = &row->offer->identity;
    terms_add(row, identity->label, false, &row->terms);
    terms_add(row, identity->plan, true, &row->terms);
    terms_add(row, identity->variant, false, &row->terms);
}

/* "price" and "price.hour", but not "prices". */
static bool is_named(struct gt_str name, struct gt_str stem)
{
    return gt_str_starts(name, stem) && (name.len == stem.len || name.ptr[stem.len] == '.');
}

void listing_prices(struct listing_row *row)
{
    struct gt_str currency = gt_str_trim(listing_get(row->listing, "currency"));
    /* A cell of its own, as JSON answers have it; anything but an ISO code leaves the section's currency in force. */
    if (currency.len == 3) row->currency = currency_from(currency);
    read_terms(row);
    for (size_t i = 0; i < row->listing->field_count && row->err == GT_OK; i++) {
        const struct listing_field *field = &row->listing->fields[i];
        if (field->text.len == 0) continue;
        if (is_named(field->name, GT_STR("price"))) read_price(row, field);
        else if (is_named(field->name, GT_STR("discount"))) read_discount(row, field);
        else if (gt_str_is(field->name, "promo")) read_promotion(row, field);
        else if (gt_str_is(field->name, "note")) read_note(row, field);
    }
}
