/* Numbers alone: which separators are read how, and which amounts are refused. */
#include "pricing/price_text.h"
#include "tests/unit/table.h"

/* What is known of the decimal sign: unknown, point, comma. */
#define U DECIMAL_UNKNOWN
#define P DECIMAL_POINT
#define C DECIMAL_COMMA

struct number {
    const char *name;
    const char *text;     /* before "/月" is put behind it */
    const char *currency; /* the site's */
    enum decimal_sign decimal;
    const char *amount; /* or "!reason" */
};

static const struct number numbers[] = {
    {"plain digits", "12800 元", "", U, "12800"},
    {"a decimal point", "1.57元", "", U, "1.57"},
    {"nine places", "0.000000001 元", "", U, "0.000000001"},
    {"ten places", "0.0000000011 元", "", U, "!precision"},
    {"ten places, the last one zero", "0.0000000010 元", "", U, "0.000000001"},
    {"a point without a zero before it", "$.76", "", U, "0.76"},
    {"thousands by comma", "12,800元", "", U, "12800"},
    {"thousands by comma and decimals", "1,299.00 元", "", U, "1299"},
    {"one comma before three digits, in yuan", "1,299 元", "", U, "1299"},
    {"one comma before three digits, in dollars", "$1,299", "", U, "1299"},
    {"one comma before three digits, in euro", "€1,299", "", U, "!ambiguous"},
    {"the same with a known comma", "€1,299", "", C, "1.299"},
    {"the same with a known point", "€1,299", "", P, "1299"},
    {"one point before three digits, in yuan", "1.299 元", "", U, "1.299"},
    {"one point before three digits, in euro", "1.299 €", "", U, "!ambiguous"},
    {"the same with a known comma", "1.299 €", "", C, "1299"},
    {"a bare amount on a site in euro", "1.299", "EUR", U, "!ambiguous"},
    {"a zero before the point settles it", "0.299 €", "", U, "0.299"},
    {"a zero before the comma settles it", "0,299 €", "", U, "0.299"},
    {"four digits before the point settle it", "1234.567 €", "", U, "1234.567"},
    {"decimals by comma in euro", "1,5 €", "", U, "1.5"},
    {"both signs, the German way", "1.299,00 €", "", U, "1299"},
    {"another number of the text shows the sign", "0,69 € / 1.299 €", "", U, "1299"},
    {"decimals by comma in yuan may be a slip", "1,50元", "", U, "!ambiguous"},
    {"a comma against a known point", "1,50元", "", P, "!ambiguous"},
    {"a point against a known comma", "1.5元", "", C, "!ambiguous"},
    {"millions by comma", "1,234,567元", "", U, "1234567"},
    {"lakhs", "₹1,80,000", "", U, "180000"},
    {"groups that are none", "12,34元", "", U, "!ambiguous"},
    {"a group too long", "1,2345元", "", U, "!ambiguous"},
    {"apostrophes", "1'299 CHF", "", U, "1299"},
    {"typographic apostrophes and decimals", "CHF 1’299.50", "", U, "1299.5"},
    {"no-break blanks",
     "1\xC2\xA0"
     "649 €",
     "", U, "1649"},
    {"narrow no-break blanks and a comma",
     "1\xE2\x80\xAF"
     "649,50 €",
     "", U, "1649.5"},
    {"thin blanks",
     "12\xE2\x80\x89"
     "800 元",
     "", U, "12800"},
    {"plain blanks behind a currency sign", "$1 649", "", U, "1649"},
    {"plain blanks without one", "1 649 元", "", U, "!ambiguous"},
    {"a card's number is no thousand", "RTX 4090 800 元", "", U, "800"},
    {"full-width digits", "１２，８００元", "", U, "12800"},
    {"a full-width comma between plain digits", "12，800元", "", U, "!ambiguous"},
    {"ten thousands", "4.5万", "CNY", U, "45000"},
    {"thousands by letter", "$1.5k", "", U, "1500"},
    {"watts are no ten thousands", "700w 1.2w", "CNY", U, "12000"},
    {"digits behind 万", "1万5", "CNY", U, "!ambiguous"},
    {"fen and jiao behind yuan", "5元3角", "", U, "!ambiguous"},
    {"cents apart", "$3 99", "", U, "!ambiguous"},
    {"a foot note's digit", "¥1.96¹", "CNY", U, "1.96"},
    {"a raised digit inside", "¥1²3", "CNY", U, "!ambiguous"},
    {"a mask", "$5XX", "", U, "!ambiguous"},
    {"an exponent", "¥1.5e3", "CNY", U, "!ambiguous"},
    {"minus", "¥-5", "CNY", U, "!ambiguous"},
    {"nothing", "¥0.00", "CNY", U, "!zero"},
    {"more than can be kept", "¥99999999999", "CNY", U, "!out-of-range"},
    {"Chinese numerals", "三万二千元", "", U, "32000"},
    {"a fraction", "1/2元", "", U, "!ambiguous"},
};

static void check_number(void **state)
{
    const struct number *row = *state;
    char text[128], amount[MONEY_TEXT_MAX];
    struct price_context context = {.currency = currency_from(gt_str_from(row->currency)), .decimal = row->decimal};
    struct price_reading reading = {0};
    struct arena *arena = arena_new(1 << 20);
    snprintf(text, sizeof text, "%s/月", row->text);
    enum gt_err err = price_text_read(gt_str_from(text), &context, arena, &reading);
    if (row->amount[0] == '!') {
        assert_int_equal(err, GT_ENOPRICE);
        assert_str(reading.refused_all, row->amount + 1);
    } else {
        assert_int_equal(err, GT_OK);
        assert_string_equal(money_format(reading.items[reading.item_count - 1].quote.amount_nano, amount), row->amount);
    }
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(numbers, check_number);
}
