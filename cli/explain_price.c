/* explain price: one phrase through the price reader. */
#include <string.h>

#include <jansson.h>

#include "cli/explain.h"
#include "cli/json_offer.h"
#include "cli/quote_text.h"
#include "common/utf8.h"

/* What the options say of the surroundings. */
enum gt_err explain_context_read(struct cli *cli, const struct arguments *args, struct price_context *ret)
{
    const char *site = argument_get(args, "--site"), *currency = argument_get(args, "--currency");
    const char *decimal = argument_get(args, "--decimal");
    *ret = (struct price_context){.header = gt_str_from(argument_get(args, "--header")),
                                  .context = gt_str_from(argument_get(args, "--context"))};
    if (site != NULL) {
        struct site_facts facts;
        enum gt_err err = cli_conf_open(cli);
        if (err != GT_OK) return err;
        const struct conf_section *section = conf_find(cli->conf, "site", gt_str_from(site));
        if (section == NULL) return gt_fail(&cli->info, GT_EUSAGE, "no [site %s] in the configuration", site);
        err = site_facts_from_conf(section, &facts, &cli->info);
        if (err != GT_OK) return err;
        ret->currency = facts.currency;
        ret->decimal = facts.decimal;
        ret->period = facts.period;
        ret->basis = facts.basis;
        ret->scale_num = facts.scale_num;
        ret->scale_den = facts.scale_den;
    }
    if (currency != NULL) ret->currency = currency_from(gt_str_from(currency));
    if (decimal != NULL && strcmp(decimal, ".") != 0 && strcmp(decimal, ",") != 0)
        return gt_fail(&cli->info, GT_EUSAGE, "--decimal takes . or ,");
    if (decimal != NULL) ret->decimal = decimal[0] == '.' ? DECIMAL_POINT : DECIMAL_COMMA;
    ret->bare_number = ret->header.len > 0;
    return GT_OK;
}

static json_t *json_of_flags(const struct gt_str *flags, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(array, json_of_text(flags[i]));
    return array;
}

json_t *explain_reading_json(const struct price_reading *reading)
{
    json_t *readings = json_array(), *discounts = json_array();
    for (size_t i = 0; i < reading->item_count; i++) {
        const struct price_item *item = &reading->items[i];
        json_t *object = json_of_quote(&item->quote);
        json_object_set_new(object, "flags", json_of_flags(item->flags, item->flag_count));
        json_object_set_new(object, "offset", json_integer((json_int_t)item->offset));
        json_array_append_new(readings, object);
    }
    for (size_t i = 0; i < reading->discount_count; i++) {
        const struct discount *discount = &reading->discounts[i];
        json_t *object = json_of_discount(discount), *flags = json_array();
        if (discount->factor_alt_nano != 0) json_array_append_new(flags, json_string("ambiguous"));
        if (discount->is_upto) json_array_append_new(flags, json_string("upto"));
        json_object_set_new(object, "flags", flags);
        json_array_append_new(discounts, object);
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "readings", readings, "discounts", discounts, "refused",
                     json_of_text(reading->refused_all), "availability", json_of_word(VOCABULARY_AVAIL, (int)reading->availability),
                     "quote_only", reading->is_quote_only, "free", reading->is_free, "not_taken",
                     json_of_refusals(reading->refused, reading->refused_count));
}

static void print_item(struct cli *cli, const struct price_item *item)
{
    const struct quote *q = &item->quote;
    quote_print(cli->out, q);
    fprintf(cli->out, "; basis %s", word_text(VOCABULARY_BASIS, (int)q->basis));
    if (q->cards != 0) fprintf(cli->out, " of %d cards", q->cards);
    fprintf(cli->out, "; %s, %s; from \"%.*s\"", word_text(VOCABULARY_ROLE, (int)q->role), word_text(VOCABULARY_BOUND, (int)q->bound),
            GT_STR_ARG(utf8_printable(q->raw, cli->arena)));
    for (size_t i = 0; i < item->flag_count; i++) fprintf(cli->out, " [%.*s]", GT_STR_ARG(item->flags[i]));
    fputc('\n', cli->out);
}

static void print_discount(struct cli *cli, const struct discount *discount)
{
    char text[MONEY_TEXT_MAX];
    if (discount->factor_nano != 0) fprintf(cli->out, "discount: pays %s of the price", money_format(discount->factor_nano, text));
    else if (discount->factor_alt_nano != 0)
        fprintf(cli->out, "discount: two readings, one of them %s", money_format(discount->factor_alt_nano, text));
    else fprintf(cli->out, "discount: %s off", money_format(discount->amount_off_nano, text));
    json_t *conditions = json_of_conditions(discount->conditions, discount->condition_count);
    for (size_t i = 0; i < json_array_size(conditions); i++)
        fprintf(cli->out, "%s%s", i > 0 ? ", " : "; if ", json_string_value(json_array_get(conditions, i)));
    json_decref(conditions);
    fprintf(cli->out, "; from \"%.*s\"\n", GT_STR_ARG(utf8_printable(discount->raw, cli->arena)));
}

void explain_reading_print(struct cli *cli, const struct price_reading *reading)
{
    for (size_t i = 0; i < reading->item_count; i++) print_item(cli, &reading->items[i]);
    for (size_t i = 0; i < reading->discount_count; i++) print_discount(cli, &reading->discounts[i]);
    for (size_t i = 0; i < reading->refused_count; i++)
        fprintf(cli->out, "not taken (%.*s): %.*s\n", GT_STR_ARG(reading->refused[i].reason),
                GT_STR_ARG(utf8_printable(reading->refused[i].raw, cli->arena)));
    if (reading->availability != AVAIL_UNKNOWN) fprintf(cli->out, "availability: %s\n", word_text(VOCABULARY_AVAIL, (int)reading->availability));
    if (reading->item_count == 0) fprintf(cli->out, "no price%s%.*s\n", reading->refused_all.len > 0 ? ": " : "", GT_STR_ARG(reading->refused_all));
}

static int run_price(struct cli *cli, const struct arguments *args)
{
    struct price_context context;
    struct price_reading reading = {0};
    enum gt_err err = explain_context_read(cli, args, &context);
    if (err != GT_OK) return exit_from_err(err);
    struct gt_str text = argument_words(cli, args, 1);
    if (text.len == 0) return cli_usage(cli, "explain %s wants a text", args->words[0]);
    err = price_text_read(text, &context, cli->arena, &reading);
    if (err != GT_OK && err != GT_ENOPRICE) return exit_from_err(gt_fail(&cli->info, err, "the text cannot be read: %s", gt_err_text(err)));
    if (argument_has(args, "--json")) return exit_from_err(cli_json_write(cli, explain_reading_json(&reading)));
    explain_reading_print(cli, &reading);
    return EXIT_DONE;
}

const struct explainer explainer_price = {"price", "TEXT", run_price};
