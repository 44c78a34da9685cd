#include "cli/quote_text.h"
#include "pricing/words.h"

void quote_print(FILE *out, const struct quote *quote)
{
    char amount[MONEY_TEXT_MAX];
    fputs(money_format(quote->amount_nano, amount), out);
    if (quote->amount_high_nano != 0) fprintf(out, " to %s", money_format(quote->amount_high_nano, amount));
    fprintf(out, " %s per ", quote->currency.code[0] != '\0' ? quote->currency.code : "(currency not known)");
    const char *period = quote->period != PERIOD_NONE ? word_text(VOCABULARY_PERIOD, (int)quote->period) : "(not known)";
    if (quote->period_count > 1) fprintf(out, "%d %ss", quote->period_count, period);
    else fputs(period, out);
}
