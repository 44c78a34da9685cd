/* explain discount: the factors and conditions of a text; with --price the whole stack, step by step: which discounts a persona
 * has, in which order they are taken, what is paid. The arithmetic is the one that reports use. */
#include <stdlib.h>

#include <jansson.h>

#include "cli/explain.h"
#include "cli/json_offer.h"
#include "pricing/listing_row.h"
#include "pricing/net_price.h"
#include "pricing/net_price_reading.h"
#include "pricing/net_price_terms.h"

enum { UNIT_CARDS_MAX = 1024 };

/* One text of discounts on one price, asked by one persona. */
struct stack_case {
    struct offer offer;
    struct net_rules rules;
    struct persona persona;
    struct discount_stack stack;
    struct net_price net;
};

/* The facts of --site, or those of a page without a section. */
static enum gt_err facts_read(struct cli *cli, const struct arguments *args, struct site_facts *ret_facts)
{
    const char *site = argument_get(args, "--site");
    const struct conf_section *section = NULL;
    if (site != NULL) {
        enum gt_err err = cli_conf_open(cli);
        if (err != GT_OK) return err;
        section = conf_find(cli->conf, "site", gt_str_from(site));
        if (section == NULL) return gt_fail(&cli->info, GT_EUSAGE, "no [site %s] in the configuration", site);
    }
    return site_facts_from_conf(section, ret_facts, &cli->info);
}

/* The unit sold: a price, its cards, the discounts. */
static enum gt_err offer_build(struct cli *cli, const struct arguments *args, const struct price_context *context,
                               const struct price_reading *discounts, struct offer *ret_offer)
{
    struct price_reading price = {0};
    int64_t count;
    if (!argument_number(cli, args, "--cards", 1, UNIT_CARDS_MAX, 1, &count)) return GT_EUSAGE;
    enum gt_err err = price_text_read(gt_str_from(argument_get(args, "--price")), context, cli->arena, &price);
    if (err != GT_OK || price.item_count == 0) return gt_fail(&cli->info, GT_EUSAGE, "--price holds no price: %.*s", GT_STR_ARG(price.refused_all));
    struct quote *quotes = arena_array(cli->arena, price.item_count, sizeof *quotes);
    if (quotes == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < price.item_count; i++) quotes[i] = price.items[i].quote;
    *ret_offer = (struct offer){.attributes = {.cards = (int32_t)count, .sku_status = SKU_EXACT, .tier = TIER_ON_DEMAND},
                                .record = {.quotes = quotes,
                                           .quote_count = price.item_count,
                                           .discounts = discounts->discounts,
                                           .discount_count = discounts->discount_count,
                                           .currency = quotes[0].currency},
                                .stock = -1};
    return GT_OK;
}

/* The question as a report asks it: who pays by the hour asks for an hour. */
static struct net_ask ask_of(const struct stack_case *which, int64_t now_unix_s)
{
    enum period term = which->persona.pay == PERIOD_HOUR ? PERIOD_HOUR : PERIOD_MONTH;
    return (struct net_ask){&which->offer, &which->rules, &which->persona, now_unix_s, term, false};
}

/* What a least spend is held against. */
static int64_t bill_of(const struct net_ask *ask)
{
    return quote_bill_nano(ask, &ask->offer->record.quotes[0]);
}

/* The same functions that a crawl uses, on an offer made of the words: what is explained is what happens. */
static enum gt_err case_build(struct cli *cli, const struct arguments *args, const struct price_context *context,
                              const struct price_reading *reading, struct stack_case *ret)
{
    struct site_facts facts = {0};
    enum gt_err err = facts_read(cli, args, &facts);
    if (err == GT_OK) err = persona_read(gt_str_from(argument_get(args, "--persona")), &ret->persona, &cli->info);
    if (err == GT_OK) err = offer_build(cli, args, context, reading, &ret->offer);
    if (err != GT_OK) return err;
    if (facts.currency.code[0] == '\0') facts.currency = ret->offer.record.currency;
    listing_normalise(&ret->offer, &facts);
    ret->rules = net_rules_from_facts(&facts);
    int64_t now_unix_s = clock_unix_s(&cli->clock);
    err = net_price_compute(&ret->offer, &ret->rules, &ret->persona, now_unix_s, cli->arena, &ret->net);
    if (err != GT_OK) return gt_fail(&cli->info, err, "reckoning: %s", gt_err_text(err));
    struct net_ask ask = ask_of(ret, now_unix_s);
    discounts_choose(&ask, bill_of(&ask), false, &ret->stack);
    return GT_OK;
}

/* The place of a discount in the stack, from 1; 0 when it is not taken. */
static int place_of(const struct discount_stack *stack, const struct discount *discount)
{
    int place = 0;
    for (size_t i = 0; i < stack->site_count; i++)
        if (++place && stack->site[i] == discount) return place;
    for (size_t i = 0; i < stack->label_count; i++)
        if (++place && stack->labels[i] == discount) return place;
    for (size_t i = 0; i < stack->off_count; i++)
        if (++place && stack->off[i] == discount) return place;
    return 0;
}

/* Why a discount is taken or not, in one word. */
static const char *why_of(const struct stack_case *which, const struct discount *discount, int64_t now_unix_s)
{
    struct net_ask ask = ask_of(which, now_unix_s);
    if (discount->factor_alt_nano != 0) return "two-readings";
    if (discount->is_upto) return "bound";
    if (!conditions_hold(&ask, discount->conditions, discount->condition_count, bill_of(&ask))) return "condition";
    if (place_of(&which->stack, discount) != 0) return "taken";
    return discount->amount_off_nano > 0 && ask.term == PERIOD_HOUR ? "not-by-the-hour" : "replaced";
}

static json_t *json_of_stack(struct cli *cli, const struct stack_case *which)
{
    json_t *steps = json_array();
    int64_t now_unix_s = clock_unix_s(&cli->clock);
    for (size_t i = 0; i < which->offer.record.discount_count; i++) {
        const struct discount *discount = &which->offer.record.discounts[i];
        json_t *step = json_of_discount(discount);
        json_object_set_new(step, "place", json_of_count(place_of(&which->stack, discount)));
        json_object_set_new(step, "why", json_string(why_of(which, discount, now_unix_s)));
        json_array_append_new(steps, step);
    }
    const struct net_price *net = &which->net;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "steps", steps, "currency",
                     json_of_text(gt_str_from(net->currency.code)), "hour_list", json_of_money(net->hour_list_nano), "hour_net",
                     json_of_money(net->hour_net_nano), "month_list", json_of_money(net->month_list_nano), "month_net",
                     json_of_money(net->month_net_nano), "month_alt", json_of_money(net->month_alt_nano), "node_month_net",
                     json_of_money(net->node_month_net_nano), "evidence", json_of_word(VOCABULARY_EVIDENCE, (int)net->evidence), "formula",
                     json_of_text(net->formula), "hours_per_month", json_of_count(which->rules.hours_per_month));
}

static void print_stack(struct cli *cli, const struct stack_case *which)
{
    char text[MONEY_TEXT_MAX];
    int64_t now_unix_s = clock_unix_s(&cli->clock);
    const struct net_price *net = &which->net;
    for (size_t i = 0; i < which->offer.record.discount_count; i++) {
        const struct discount *discount = &which->offer.record.discounts[i];
        int place = place_of(&which->stack, discount);
        fprintf(cli->out, "\"%.*s\": ", GT_STR_ARG(discount->raw));
        if (place != 0) fprintf(cli->out, "taken, step %d\n", place);
        else fprintf(cli->out, "not taken (%s)\n", why_of(which, discount, now_unix_s));
    }
    if (net->hour_net_nano != 0) fprintf(cli->out, "by the hour %s %s\n", money_format(net->hour_net_nano, text), net->currency.code);
    if (net->month_net_nano != 0) fprintf(cli->out, "a month, per card %s %s\n", money_format(net->month_net_nano, text), net->currency.code);
    if (net->node_month_net_nano != 0) fprintf(cli->out, "a month, the whole unit %s\n", money_format(net->node_month_net_nano, text));
    if (net->month_alt_nano != 0) fprintf(cli->out, "another reading of the month %s\n", money_format(net->month_alt_nano, text));
    fprintf(cli->out, "%.*s\n", GT_STR_ARG(net->formula));
}

static int run(struct cli *cli, const struct arguments *args)
{
    struct price_context context;
    struct price_reading reading = {0};
    struct stack_case which = {0};
    bool has_price = argument_has(args, "--price");
    struct gt_str text = argument_words(cli, args, 1);
    if (text.len == 0) return cli_usage(cli, "explain discount wants a text");
    enum gt_err err = explain_context_read(cli, args, &context);
    if (err != GT_OK) return exit_from_err(err);
    err = price_text_read(text, &context, cli->arena, &reading);
    if (err != GT_OK && err != GT_ENOPRICE) return exit_from_err(gt_fail(&cli->info, err, "the text cannot be read: %s", gt_err_text(err)));
    err = has_price ? case_build(cli, args, &context, &reading, &which) : GT_OK;
    if (err != GT_OK) return exit_from_err(err);
    if (argument_has(args, "--json")) {
        json_t *json = explain_reading_json(&reading);
        if (json != NULL) json_object_set_new(json, "stack", has_price ? json_of_stack(cli, &which) : json_null());
        return exit_from_err(cli_json_write(cli, json));
    }
    explain_reading_print(cli, &reading);
    if (has_price) print_stack(cli, &which);
    return EXIT_DONE;
}

const struct explainer explainer_discount = {"discount", "TEXT", run};
