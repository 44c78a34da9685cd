#include "reports/advice_words.h"

enum { DIGITS_MAX = 18 }; /* more than any range has */

/* `otherwise` when nothing is said. */
static const struct {
    const char *name;
    int64_t low, high, otherwise; /* high 0: no number */
} rules[ADVICE_WORDS] = {
    [ADVICE_PARAMS] = {"params", 0, 0, 0},
    [ADVICE_METHOD] = {"method", 0, 0, 0},
    [ADVICE_PRECISION] = {"precision", 0, 0, 0},
    [ADVICE_CONTEXT] = {"context", 1, MODEL_CONTEXT_MAX, MODEL_CONTEXT_DEFAULT},
    [ADVICE_BATCH] = {"batch", 1, MODEL_BATCH_MAX, 1},
    [ADVICE_HOURS] = {"hours", 1, ADVICE_HOURS_MAX, 0},
    [ADVICE_MONTHS] = {"months", 1, ADVICE_MONTHS_MAX, 0},
    [ADVICE_STORAGE] = {"storage", 0, ADVICE_GB_MAX, 0},
    [ADVICE_EGRESS] = {"egress", 0, ADVICE_GB_MAX, 0},
    [ADVICE_CARDS] = {"cards", 1, ADVICE_CARDS_MAX, 0},
    [ADVICE_LAYERS] = {"layers", 1, MODEL_LAYERS_MAX, 0},
    [ADVICE_KV_WIDTH] = {"kv-width", 1, MODEL_KV_WIDTH_MAX, 0},
};

const char *advice_word_name(enum advice_word word)
{
    return rules[word].name;
}

bool advice_word_range(enum advice_word word, int64_t *ret_low, int64_t *ret_high)
{
    *ret_low = rules[word].low;
    *ret_high = rules[word].high;
    return rules[word].high > 0;
}

/* A whole number in its range. */
static enum gt_err number_read(enum advice_word word, struct gt_str text, const char *dashes, int64_t *ret_number, struct gt_errinfo *info)
{
    int64_t number = 0;
    size_t at = 0;
    while (at < text.len && at < DIGITS_MAX && text.ptr[at] >= '0' && text.ptr[at] <= '9') number = number * 10 + (text.ptr[at++] - '0');
    *ret_number = text.len > 0 ? number : rules[word].otherwise;
    if (text.len == 0 || (at == text.len && number >= rules[word].low && number <= rules[word].high)) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "%s%s takes a whole number from %lld to %lld, not \"%.*s\"", dashes, rules[word].name, (long long)rules[word].low,
                   (long long)rules[word].high, GT_STR_ARG(text));
}

/* The size, and how the model is run: qlora is int4 and everything else fp16 unless said otherwise. */
static enum gt_err model_read(const struct gt_str words[ADVICE_WORDS], const char *dashes, struct model_need *model, struct gt_errinfo *info)
{
    struct gt_str method = words[ADVICE_METHOD], precision = words[ADVICE_PRECISION];
    if (words[ADVICE_PARAMS].len == 0)
        return gt_fail(info, GT_EUSAGE, "advise needs the model's size: %sparams%s70B", dashes, dashes[0] != '\0' ? " " : "=");
    if (method.len > 0 && !model_method_find(method, &model->method))
        return gt_fail(info, GT_EUSAGE, "%smethod takes infer, lora, qlora or full, not \"%.*s\"", dashes, GT_STR_ARG(method));
    model->precision = model->method == MODEL_QLORA ? MODEL_INT4 : MODEL_FP16;
    if (precision.len > 0 && !model_precision_find(precision, &model->precision))
        return gt_fail(info, GT_EUSAGE, "%sprecision takes fp16, bf16, fp8, int8 or int4, not \"%.*s\"", dashes, GT_STR_ARG(precision));
    return model_params_read(words[ADVICE_PARAMS], &model->params, info);
}

enum gt_err advice_words_read(const struct gt_str words[ADVICE_WORDS], const char *dashes, struct advice_need *ret_need, struct gt_errinfo *info)
{
    struct advice_need need = {0};
    struct model_memory memory;
    int64_t numbers[ADVICE_WORDS] = {0};
    enum gt_err err = model_read(words, dashes, &need.model, info);
    for (int i = 0; i < ADVICE_WORDS && err == GT_OK; i++)
        if (rules[i].high > 0) err = number_read((enum advice_word)i, words[i], dashes, &numbers[i], info);
    if (err == GT_OK && words[ADVICE_HOURS].len > 0 && words[ADVICE_MONTHS].len > 0)
        err = gt_fail(info, GT_EUSAGE, "one of %shours, %smonths", dashes, dashes);
    if (err != GT_OK) return err;
    need.model.context = numbers[ADVICE_CONTEXT];
    need.model.batch = numbers[ADVICE_BATCH];
    need.model.layers = (int32_t)numbers[ADVICE_LAYERS];
    need.model.kv_width = (int32_t)numbers[ADVICE_KV_WIDTH];
    need.hours = numbers[ADVICE_HOURS];
    need.months = (int32_t)numbers[ADVICE_MONTHS];
    need.storage_gb = numbers[ADVICE_STORAGE];
    need.egress_gb = numbers[ADVICE_EGRESS];
    need.cards_max = (int32_t)numbers[ADVICE_CARDS];
    err = model_memory_compute(&need.model, &memory, info);
    if (err == GT_OK) *ret_need = need;
    return err;
}
