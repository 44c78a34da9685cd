/* Which sign parts decimals, by the amounts of a page. */
#include "pricing/price_text.h"

#include "tests/unit/table.h"

struct sign_case {
    const char *name;
    const char *text;
    enum decimal_sign sign;
};

static const struct sign_case signs[] = {
    {"commas before a euro", "489,00 € / Monat", DECIMAL_COMMA},
    {"behind one", "ab € 0,35", DECIMAL_COMMA},
    {"a code", "0,35 EUR je Stunde", DECIMAL_COMMA},
    {"thousands and commas", "1.299,00 €", DECIMAL_COMMA},
    {"beside an amount that is open", "489,00 € 1.199 €", DECIMAL_COMMA},
    {"versions are no money", "CUDA 12.4, 489,00 €", DECIMAL_COMMA},
    {"points as well", "489,00 € 0.49 €", DECIMAL_UNKNOWN},
    {"three digits of dollars as well", "2,05 € $1.990/hr", DECIMAL_UNKNOWN},
    {"points only", "489.00 €", DECIMAL_UNKNOWN},
    {"an open amount only", "1.199 €", DECIMAL_UNKNOWN},
    {"commas that part a list", "24,48 GB", DECIMAL_UNKNOWN},
    {"nothing", "", DECIMAL_UNKNOWN},
    {"a sign at the end", "€ 1,", DECIMAL_UNKNOWN},
};

static void check_sign(void **state)
{
    const struct sign_case *row = *state;
    struct price_decimals decimals = {0};
    price_decimals_count(gt_str_from(row->text), &decimals);
    assert_int_equal(price_decimals_sign(&decimals), row->sign);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(signs, check_sign);
}
