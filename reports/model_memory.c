#include "reports/model_memory.h"

#include "pricing/money.h"

enum {
    KV_BYTES = 2,
    TRAINED_BYTES = 16,      /* a trained parameter in all */
    TRAINED_BESIDE_BYTES = 14, /* beside its weight of two bytes */
    LORA_PERCENT = 1,
    LAYER_ASPECT = 128,      /* width / layers */
    BLOCK_FACTOR = 12,       /* weights of a block / width^2 */
    ACTIVATION_LAYER = 34,   /* bytes a token and number of width, one layer in full */
    NODE_CARDS = 8,
};

/* Half bytes of a weight. */
static const struct precision {
    const char *name;
    int half_bytes;
} precisions[MODEL_PRECISION_COUNT] = {
    [MODEL_FP16] = {"fp16", 4}, [MODEL_BF16] = {"bf16", 4}, [MODEL_FP8] = {"fp8", 2}, [MODEL_INT8] = {"int8", 2}, [MODEL_INT4] = {"int4", 1},
};

static const char *const methods[MODEL_METHOD_COUNT] = {
    [MODEL_INFER] = "infer", [MODEL_LORA] = "lora", [MODEL_QLORA] = "qlora", [MODEL_FULL] = "full"};

bool model_precision_find(struct gt_str word, enum model_precision *ret_precision)
{
    for (int i = 0; i < MODEL_PRECISION_COUNT; i++)
        if (gt_str_is(word, precisions[i].name)) return *ret_precision = (enum model_precision)i, true;
    return false;
}

bool model_method_find(struct gt_str word, enum model_method *ret_method)
{
    for (int i = 0; i < MODEL_METHOD_COUNT; i++)
        if (gt_str_is(word, methods[i])) return *ret_method = (enum model_method)i, true;
    return false;
}

const char *model_precision_name(enum model_precision precision)
{
    return precisions[precision].name;
}

const char *model_method_name(enum model_method method)
{
    return methods[method];
}

/* ---- the count of parameters ---- */

/* Parameters = the number's nano-units x num / den. The longest ending first: 万亿 ends in 亿. */
static const struct params_unit {
    const char *text;
    int64_t num, den;
} params_units[] = {{"万亿", 1000, 1}, {"亿", 1, 10}, {"T", 1000, 1}, {"t", 1000, 1}, {"B", 1, 1},
                    {"b", 1, 1},       {"M", 1, 1000}, {"m", 1, 1000}, {"", 1, NANO}};

enum gt_err model_params_read(struct gt_str text, int64_t *ret_params, struct gt_errinfo *info)
{
    const struct params_unit *unit = params_units;
    struct gt_str given = text = gt_str_trim(text);
    int64_t nano, params;
    while (!gt_str_ends(text, gt_str_from(unit->text))) unit++;
    text = gt_str_trim(gt_str_slice(text, 0, text.len - strlen(unit->text)));
    if (money_parse(text, &nano) != GT_OK || nano <= 0 || nano % unit->den != 0 ||
        __builtin_mul_overflow(nano / unit->den, unit->num, &params) || params > MODEL_PARAMS_MAX)
        return gt_fail(info, GT_EUSAGE, "--params takes a model's size such as 70B, 1.5B, 350M or 700亿, not \"%.*s\"",
                       GT_STR_ARG(gt_str_cut(given, 64)));
    *ret_params = params;
    return GT_OK;
}

/* ---- the estimate ---- */

int32_t model_layers_assumed(int64_t params)
{
    int32_t layers = 1;
    while (layers < MODEL_LAYERS_MAX && (int64_t)BLOCK_FACTOR * LAYER_ASPECT * LAYER_ASPECT * layers * layers * layers < params) layers++;
    return layers;
}

/* a x b; *is_over stays set once it did not fit. */
static int64_t times(int64_t a, int64_t b, bool *is_over)
{
    int64_t product = 0;
    *is_over |= __builtin_mul_overflow(a, b, &product);
    return product;
}

static int64_t plus(int64_t a, int64_t b, bool *is_over)
{
    int64_t sum = 0;
    *is_over |= __builtin_add_overflow(a, b, &sum);
    return sum;
}

/* a x num / den, up. */
static int64_t share(int64_t a, int64_t num, int64_t den, bool *is_over)
{
    return plus(times(a, num, is_over), den - 1, is_over) / den;
}

static enum gt_err need_check(const struct model_need *need, struct gt_errinfo *info)
{
    if (need->params < 1 || need->params > MODEL_PARAMS_MAX) return gt_fail(info, GT_EUSAGE, "a model has parameters: --params 70B");
    if (need->context < 1 || need->context > MODEL_CONTEXT_MAX) return gt_fail(info, GT_EUSAGE, "--context takes 1 to %d tokens", MODEL_CONTEXT_MAX);
    if (need->batch < 1 || need->batch > MODEL_BATCH_MAX) return gt_fail(info, GT_EUSAGE, "--batch takes 1 to %d sequences", MODEL_BATCH_MAX);
    if (need->layers < 0 || need->layers > MODEL_LAYERS_MAX) return gt_fail(info, GT_EUSAGE, "--layers takes 1 to %d", MODEL_LAYERS_MAX);
    if (need->kv_width < 0 || need->kv_width > MODEL_KV_WIDTH_MAX) return gt_fail(info, GT_EUSAGE, "--kv-width takes 1 to %d", MODEL_KV_WIDTH_MAX);
    if (need->method == MODEL_FULL && precisions[need->precision].half_bytes != 4)
        return gt_fail(info, GT_EUSAGE, "full fine-tuning is reckoned in fp16 or bf16, not in %s", precisions[need->precision].name);
    if (need->method == MODEL_QLORA && need->precision != MODEL_INT4)
        return gt_fail(info, GT_EUSAGE, "qlora keeps the weights in int4; for %s say --method lora", precisions[need->precision].name);
    return GT_OK;
}

enum gt_err model_memory_compute(const struct model_need *need, struct model_memory *ret_memory, struct gt_errinfo *info)
{
    enum gt_err err = need_check(need, info);
    if (err != GT_OK) return err;
    bool is_over = false;
    struct model_memory memory = {.layers = need->layers > 0 ? need->layers : model_layers_assumed(need->params),
                                  .kv_width = need->kv_width > 0 ? need->kv_width : MODEL_KV_WIDTH_DEFAULT};
    int64_t tokens = times(need->context, need->batch, &is_over);
    memory.width = memory.layers * LAYER_ASPECT;
    memory.weights_bytes = share(need->params, precisions[need->precision].half_bytes, 2, &is_over);
    memory.overhead_bytes = share(memory.weights_bytes, MODEL_OVERHEAD_PERCENT, 100, &is_over);
    if (need->method == MODEL_INFER)
        memory.kv_bytes = times(times(2 * (int64_t)memory.layers, memory.kv_width * (int64_t)KV_BYTES, &is_over), tokens, &is_over);
    else
        memory.activation_bytes = times(times(tokens, memory.width, &is_over), 2 * (int64_t)memory.layers + ACTIVATION_LAYER, &is_over);
    if (need->method == MODEL_FULL) memory.train_bytes = times(need->params, TRAINED_BESIDE_BYTES, &is_over);
    if (need->method == MODEL_LORA || need->method == MODEL_QLORA)
        memory.train_bytes = times(share(need->params, LORA_PERCENT, 100, &is_over), TRAINED_BYTES, &is_over);
    memory.total_bytes = plus(memory.weights_bytes, memory.overhead_bytes, &is_over);
    memory.total_bytes = plus(memory.total_bytes, memory.kv_bytes, &is_over);
    memory.total_bytes = plus(memory.total_bytes, memory.train_bytes, &is_over);
    memory.total_bytes = plus(memory.total_bytes, memory.activation_bytes, &is_over);
    if (is_over) return gt_fail(info, GT_EOVERFLOW, "the memory that this needs is beyond any number of cards");
    *ret_memory = memory;
    return GT_OK;
}

int32_t model_cards_needed(int64_t bytes, int64_t vram_bytes, int32_t cards_max)
{
    int64_t usable = vram_bytes / 100 * (100 - MODEL_FREE_PERCENT) + vram_bytes % 100 * (100 - MODEL_FREE_PERCENT) / 100;
    if (usable <= 0 || bytes <= 0) return 0;
    int64_t least = bytes / usable + (bytes % usable != 0), cards = 1;
    while (cards < least && cards < NODE_CARDS) cards *= 2;
    if (least > cards) cards = (least - 1) / NODE_CARDS * NODE_CARDS + NODE_CARDS;
    return cards <= cards_max ? (int32_t)cards : 0;
}
