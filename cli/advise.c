/* `advise`: what to rent for a model of a given size. */
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "reports/advice.h"

/* A whole number from `low` to `high`; `otherwise` when the option is not given. False, with a message, when it is none. */
static bool number_of(struct cli *cli, const struct arguments *args, const char *name, int64_t low, int64_t high, int64_t otherwise, int64_t *ret)
{
    const char *text = argument_get(args, name);
    *ret = otherwise;
    if (text == NULL) return true;
    if (text[0] != '\0' && strlen(text) <= 18 && strspn(text, "0123456789") == strlen(text)) {
        *ret = strtoll(text, NULL, 10);
        if (*ret >= low && *ret <= high) return true;
    }
    cli_usage(cli, "%s takes a whole number from %lld to %lld, not \"%s\"", name, (long long)low, (long long)high, text);
    return false;
}

/* --params, --precision, --method and the model's shape. qlora is int4 and everything else fp16 unless said otherwise. */
static int model_of(struct cli *cli, const struct arguments *args, struct model_need *model)
{
    const char *params = argument_get(args, "--params"), *precision = argument_get(args, "--precision"), *method = argument_get(args, "--method");
    int64_t layers, kv_width;
    if (params == NULL) return cli_usage(cli, "advise needs the model's size: --params 70B");
    if (model_params_read(gt_str_from(params), &model->params, &cli->info) != GT_OK) return EXIT_USAGE;
    if (method != NULL && !model_method_find(gt_str_from(method), &model->method))
        return cli_usage(cli, "--method takes infer, lora, qlora or full, not \"%s\"", method);
    model->precision = model->method == MODEL_QLORA ? MODEL_INT4 : MODEL_FP16;
    if (precision != NULL && !model_precision_find(gt_str_from(precision), &model->precision))
        return cli_usage(cli, "--precision takes fp16, bf16, fp8, int8 or int4, not \"%s\"", precision);
    if (!number_of(cli, args, "--context", 1, MODEL_CONTEXT_MAX, MODEL_CONTEXT_DEFAULT, &model->context) ||
        !number_of(cli, args, "--batch", 1, MODEL_BATCH_MAX, 1, &model->batch) ||
        !number_of(cli, args, "--layers", 1, MODEL_LAYERS_MAX, 0, &layers) ||
        !number_of(cli, args, "--kv-width", 1, MODEL_KV_WIDTH_MAX, 0, &kv_width))
        return EXIT_USAGE;
    model->layers = (int32_t)layers;
    model->kv_width = (int32_t)kv_width;
    struct model_memory memory;
    return exit_from_err(model_memory_compute(model, &memory, &cli->info));
}

static int run_advise(struct cli *cli, const struct arguments *args)
{
    struct advice_need need = {0};
    int64_t months, cards;
    int code = model_of(cli, args, &need.model);
    if (code != EXIT_DONE) return code;
    if (argument_has(args, "--hours") && argument_has(args, "--months")) return cli_usage(cli, "one of --hours, --months");
    if (!number_of(cli, args, "--hours", 1, ADVICE_HOURS_MAX, 0, &need.hours) ||
        !number_of(cli, args, "--months", 1, ADVICE_MONTHS_MAX, 0, &months) ||
        !number_of(cli, args, "--storage", 0, ADVICE_GB_MAX, 0, &need.storage_gb) ||
        !number_of(cli, args, "--egress", 0, ADVICE_GB_MAX, 0, &need.egress_gb) ||
        !number_of(cli, args, "--cards", 1, ADVICE_CARDS_MAX, 0, &cards))
        return EXIT_USAGE;
    need.months = (int32_t)months;
    need.cards_max = (int32_t)cards;
    return cli_report_print(cli, args, &report_advise, &need);
}

static const struct option_spec advise_options[] = {
    {"--params", "70B", "the model's parameters: 70B, 1.5B, 350M, 700亿"},
    {"--precision", "fp16", "of the weights: fp16, bf16, fp8, int8, int4"},
    {"--method", "infer", "infer, lora, qlora or full fine-tuning"},
    {"--context", "N", "tokens of one sequence; 4096"},
    {"--batch", "N", "sequences at a time; 1"},
    {"--layers", "N", "of the model; by default assumed from its size"},
    {"--kv-width", "N", "KV heads times their size; 1024"},
    {"--hours", "N", "of use, in all"},
    {"--months", "N", "of use; 1"},
    {"--storage", "GB", "kept all the time"},
    {"--egress", "GB", "that leave, in all"},
    {"--cards", "N", "at most so many cards; 8"},
    PERSONA_OPTIONS,
    IN_OPTION,
    SINK_OPTIONS,
    {NULL, NULL, NULL}};

const struct command command_advise = {.name = "advise",
                                       .usage = "--params 70B [--method M] [--hours N | --months N] [--storage GB] [--egress GB] [QUERY]",
                                       .summary = "memory that a model needs, the offers that hold it, what they cost with all fees",
                                       .options = advise_options,
                                       .needs = NEEDS_CONF,
                                       .run = run_advise};
