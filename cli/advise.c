/* `advise`: what to rent for a model of a given size. */
#include "cli/report.h"
#include "reports/advice_words.h"

enum { OPTION_BYTES = 32 };

static int run_advise(struct cli *cli, const struct arguments *args)
{
    struct gt_str words[ADVICE_WORDS];
    struct advice_need need;
    for (int i = 0; i < ADVICE_WORDS; i++) {
        char option[OPTION_BYTES];
        snprintf(option, sizeof option, "--%s", advice_word_name((enum advice_word)i));
        words[i] = gt_str_from(argument_get(args, option));
    }
    if (advice_words_read(words, "--", &need, &cli->info) != GT_OK) return EXIT_USAGE;
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
