/* Price phrases. Input: header, context, then the phrase. What is given out was printed: each reading points at its words, and an
 * amount that is printed again is read as the same amount. */
#include "pricing/price_text.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024, PHRASE_BYTES_MAX = 100 };

static void check_quote(const struct quote *quote)
{
    FUZZ_CHECK("an amount is not negative", quote->amount_nano >= 0);
    FUZZ_CHECK("the upper end is above", quote->amount_high_nano == 0 || quote->amount_high_nano >= quote->amount_nano);
    FUZZ_CHECK("a period has a count", quote->period_count >= 1);
    FUZZ_CHECK("words of the vocabularies", (int)quote->period < PERIOD_WORDS && (int)quote->basis < BASIS_WORDS &&
                                                (int)quote->role < ROLE_WORDS && (int)quote->bound < BOUND_WORDS &&
                                                (int)quote->tax < TAX_WORDS);
    FUZZ_CHECK("cards and months are counts", quote->cards >= 0 && quote->cards <= CARDS_MAX && quote->months >= 0);
    FUZZ_CHECK("conditions fit", quote->condition_count <= CONDITIONS_MAX);
}

/* The amount as money prints it, in a phrase that nobody can misread, must come back. */
static void check_printed(int64_t amount_nano, struct arena *arena)
{
    char amount[MONEY_TEXT_MAX], phrase[PHRASE_BYTES_MAX];
    struct price_context context = {.decimal = DECIMAL_POINT};
    struct price_reading reading;
    int64_t nano = 0;
    FUZZ_CHECK("a printed amount is read", money_parse(gt_str_from(money_format(amount_nano, amount)), &nano) == GT_OK);
    FUZZ_CHECK("as it was", nano == amount_nano);
    if (amount_nano == 0) return;
    snprintf(phrase, sizeof phrase, "%s CNY/小时", amount);
    enum gt_err err = price_text_read(gt_str_from(phrase), &context, arena, &reading);
    if (err != GT_OK || reading.item_count != 1 || reading.items[0].quote.amount_nano != amount_nano)
        fprintf(stderr, "%s\n", phrase);
    FUZZ_CHECK("a printed price is read", err == GT_OK && reading.item_count == 1);
    FUZZ_CHECK("with its amount", reading.items[0].quote.amount_nano == amount_nano);
    FUZZ_CHECK("and its unit", reading.items[0].quote.period == PERIOD_HOUR &&
                                   gt_str_is(gt_str_from(reading.items[0].quote.currency.code), "CNY"));
}

static void check_reading(const struct price_reading *reading, struct gt_str text, struct arena *arena)
{
    size_t offset = 0;
    FUZZ_CHECK("lists fit", reading->item_count <= PRICE_QUOTES_MAX && reading->discount_count <= OFFER_DISCOUNTS_MAX);
    for (size_t i = 0; i < reading->item_count; i++) {
        const struct price_item *item = &reading->items[i];
        FUZZ_CHECK("a reading points into the text", item->offset <= text.len && item->len <= text.len - item->offset);
        FUZZ_CHECK("at its own words", gt_str_eq(gt_str_slice(text, item->offset, item->len), item->quote.raw));
        FUZZ_CHECK("in the order printed", item->offset >= offset);
        FUZZ_CHECK("flags fit", item->flag_count <= PRICE_FLAGS_MAX);
        offset = item->offset;
        check_quote(&item->quote);
        check_printed(item->quote.amount_nano, arena);
    }
    for (size_t i = 0; i < reading->discount_count; i++) {
        const struct discount *discount = &reading->discounts[i];
        FUZZ_CHECK("a factor is between nothing and the whole", discount->factor_nano >= 0 && discount->factor_nano <= NANO);
        FUZZ_CHECK("an amount off is not negative", discount->amount_off_nano >= 0);
        FUZZ_CHECK("conditions fit", discount->condition_count <= CONDITIONS_MAX);
    }
    for (size_t i = 0; i < reading->refused_count; i++) FUZZ_CHECK("a refusal has a reason", reading->refused[i].reason.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str rest = fuzz_input(data, size);
    struct gt_str header = fuzz_copy(fuzz_line(&rest)), row = fuzz_copy(fuzz_line(&rest)), text = fuzz_copy(rest);
    struct price_context context = {.header = header, .context = row, .bare_number = (uint8_t)(size & 1)};
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct price_reading reading, again;
    if (arena == NULL) return 0;
    enum gt_err err = price_text_read(text, &context, arena, &reading);
    FUZZ_CHECK("a known result", err == GT_OK || err == GT_ENOPRICE || err == GT_ELIMIT);
    if (err != GT_ELIMIT) {
        FUZZ_CHECK("a price or discount, or none", (err == GT_OK) == (reading.item_count + reading.discount_count > 0));
        check_reading(&reading, text, arena);
        FUZZ_CHECK("the same again",
                   price_text_read(text, &context, arena, &again) == err && again.item_count == reading.item_count &&
                       again.discount_count == reading.discount_count && again.refused_count == reading.refused_count);
    }
    arena_free(arena);
    fuzz_free(header);
    fuzz_free(row);
    fuzz_free(text);
    return 0;
}
