/* How much card memory a language model needs: an estimate whose every step is shown. */
#ifndef GT_REPORTS_MODEL_MEMORY_H
#define GT_REPORTS_MODEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum model_precision { MODEL_FP16, MODEL_BF16, MODEL_FP8, MODEL_INT8, MODEL_INT4, MODEL_PRECISION_COUNT };
enum model_method { MODEL_INFER, MODEL_LORA, MODEL_QLORA, MODEL_FULL, MODEL_METHOD_COUNT };

enum {
    MODEL_CONTEXT_DEFAULT = 4096,
    MODEL_CONTEXT_MAX = 100 * 1000 * 1000,
    MODEL_BATCH_MAX = 1000 * 1000,
    MODEL_LAYERS_MAX = 10000,
    MODEL_KV_WIDTH_MAX = 1 << 20,
    MODEL_KV_WIDTH_DEFAULT = 1024, /* eight heads of 128: grouped-query attention, as most models since 2023 have it */
    MODEL_OVERHEAD_PERCENT = 20,   /* of the weights: the runtime's own memory, buffers, fragmentation */
    MODEL_FREE_PERCENT = 10,       /* of each card that is not planned for */
};

/* The most parameters that are believed: a hundred thousand billion. */
#define MODEL_PARAMS_MAX 100000000000000LL

/* What is to be run. Zero is the default of `layers` and `kv_width` alone. */
struct model_need {
    int64_t params;
    enum model_precision precision;
    enum model_method method;
    int64_t context; /* tokens of one sequence */
    int64_t batch;   /* sequences at a time */
    int32_t layers;  /* 0: assumed from the parameters */
    int32_t kv_width; /* key (or value) numbers a token and layer: KV heads x head size; 0: MODEL_KV_WIDTH_DEFAULT */
};

/* Bytes of each part; 10^9 bytes are a GB here and on the cards, so bytes are nano-GB. */
struct model_memory {
    int64_t weights_bytes;
    int64_t overhead_bytes;
    int64_t kv_bytes;         /* infer: keys and values of all tokens, two bytes a number whatever the weights have */
    int64_t train_bytes;      /* gradients, master weights, Adam's two moments */
    int64_t activation_bytes; /* training, with recomputation in the backward pass */
    int64_t total_bytes;
    int32_t layers, width, kv_width; /* used or assumed */
};

/* Reads "70B", "1.5b", "350M", "1T", "700亿", "1.3万亿" or a plain count. GT_OK; GT_EUSAGE with a message. */
enum gt_err model_params_read(struct gt_str text, int64_t *ret_params, struct gt_errinfo *info);

/* The value of a word ("fp16", "lora"), or false. */
bool model_precision_find(struct gt_str word, enum model_precision *ret_precision);
bool model_method_find(struct gt_str word, enum model_method *ret_method);

/* The word of a value. Static storage. */
const char *model_precision_name(enum model_precision precision);
const char *model_method_name(enum model_method method);

/* Layers of a dense decoder of so many parameters: the least L for which 12 x L x (128 x L)^2 reaches them. 12 x L x d^2 are the
 * weights of L blocks of width d; d = 128 x L is the shape of the published models (7B 32, 13B 40, 70B 80, 405B 126; this
 * gives 33, 41, 71, 128). */
int32_t model_layers_assumed(int64_t params);

/* Estimates the memory:
 *
 *  weights      params x bytes (fp16 bf16 2, fp8 int8 1, int4 and qlora 0.5)
 *  overhead     20 % of the weights
 *  KV cache     infer: 2 x layers x kv_width x 2 bytes x context x batch
 *  training     full: 14 bytes a parameter beside the 2 of the weights: gradient 2, master copy 4, Adam 4 + 4 (ZeRO, arXiv 1910.02054:
 *               16 bytes a parameter in all); lora, qlora: 16 bytes for each of 1 % of the parameters
 *  activations  training: context x batch x width x (2 x layers + 34) bytes: the layers' inputs, and one layer at a time in full
 *               (arXiv 2205.05198 without the attention matrix)
 *
 * GT_OK; GT_EUSAGE (full in less than 16 bits, qlora in another precision than int4, a number out of its range); GT_EOVERFLOW.
 * On failure ret_memory is untouched. */
enum gt_err model_memory_compute(const struct model_need *need, struct model_memory *ret_memory, struct gt_errinfo *info);

/* The least number of cards of `vram_bytes` that hold `bytes`, each with MODEL_FREE_PERCENT kept free: 1, 2, 4, 8, then
 * multiples of 8, since attention heads are split evenly. 0 when vram_bytes is not positive or more than `cards_max` are needed. */
int32_t model_cards_needed(int64_t bytes, int64_t vram_bytes, int32_t cards_max);

#endif
