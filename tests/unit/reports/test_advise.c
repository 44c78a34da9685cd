/* Memory and costs worked by hand: every figure in a name or beside a row was reckoned on paper, not by the program. */
#include "reports/advice.h"
#include "tests/unit/reports/market.h"

/* ---- the memory a model needs, in bytes; 10^9 are a GB ---- */

struct memory_row {
    const char *name;
    const char *params;
    enum model_precision precision;
    enum model_method method;
    int64_t context, batch;
    int32_t layers, kv_width;
    int64_t expected; /* 0: refused */
};

#define M(words, size, how, method, context, batch, ...) {words, size, MODEL_##how, MODEL_##method, context, batch, __VA_ARGS__}
static const struct memory_row memories[] = {
    M("7B fp16, one token: 14 GB x 1.2, 33 layers x 1024 x 4 bytes x 1", "7B", FP16, INFER, 1, 1, 0, 0, 16800000000 + 135168),
    M("bf16 is as large as fp16", "7B", BF16, INFER, 1, 1, 0, 0, 16800000000 + 135168),
    M("7B int8: 7 GB x 1.2", "7B", INT8, INFER, 1, 1, 0, 0, 8400000000 + 135168),
    M("fp8 is as large as int8", "7B", FP8, INFER, 1, 1, 0, 0, 8400000000 + 135168),
    M("7B int4: 3.5 GB x 1.2", "7B", INT4, INFER, 1, 1, 0, 0, 4200000000 + 135168),
    M("7B, 4096 tokens: 135168 x 4096 = 553648128", "7B", FP16, INFER, 4096, 1, 0, 0, 16800000000 + 553648128),
    M("eight at a time: eight times the cache", "7B", FP16, INFER, 4096, 8, 0, 0, 16800000000 + 4429185024),
    M("the shape is named: 32 layers, 8 heads of 128: 131072 a token", "8B", FP16, INFER, 1000, 1, 32, 1024, 19200000000 + 131072000),
    M("all heads keep their own keys: 2 x 32 x 4096 x 2 = 524288 a token", "7B", FP16, INFER, 2048, 1, 32, 4096, 16800000000 + 1073741824),
    M("70B fp16: 140 x 1.2 = 168, 71 layers: 290816 a token, x 4096", "70B", FP16, INFER, 4096, 1, 0, 0, 168000000000 + 1191182336),
    M("70B with its real 80 layers: 327680 a token", "70B", FP16, INFER, 4096, 1, 80, 0, 168000000000 + 1342177280),
    M("70B int4: 35 x 1.2 = 42", "70B", INT4, INFER, 4096, 1, 80, 0, 42000000000 + 1342177280),
    M("13B: 26 x 1.2 = 31.2, 41 layers: 167936 a token", "13B", FP16, INFER, 2, 1, 0, 0, 31200000000 + 335872),
    M("405B fp8: 405 x 1.2 = 486, 128 layers: 524288 a token", "405B", FP8, INFER, 1, 1, 0, 0, 486000000000 + 524288),
    M("1.5B: 3 x 1.2 = 3.6; 20 layers (12 x 128^2 x 20^3 = 1572864000): 81920", "1.5B", FP16, INFER, 1, 1, 0, 0, 3600000000 + 81920),
    M("350M: 0.7 x 1.2 = 0.84; 13 layers (12 x 128^2 x 13^3 = 431947776): 53248", "350M", FP16, INFER, 1, 1, 0, 0, 840000000 + 53248),
    M("a single parameter, and half a byte counts up: 1 + 1 + 1 layer 4096", "0.000000001B", INT4, INFER, 1, 1, 0, 0, 2 + 4096),
    M("700亿 is 70B", "700亿", FP16, INFER, 4096, 1, 80, 0, 168000000000 + 1342177280),
    M("0.1万亿 is 100B: 200 x 1.2, 80 layers", "0.1万亿", FP16, INFER, 1, 1, 80, 0, 240000000000 + 327680),
    M("1T: 2000 x 1.2 = 2400, one layer of one", "1T", FP16, INFER, 1, 1, 1, 1, 2400000000000 + 4),
    M("a plain count", "7000000000", FP16, INFER, 1, 1, 1, 1, 16800000000 + 4),
    M("full: 7 x (2 x 1.2 + 14) = 114.8; 4224 wide x (66 + 34) = 422400 a token", "7B", BF16, FULL, 1, 1, 0, 0, 114800000000 + 422400),
    M("full, 2048 tokens, four at a time: 422400 x 8192", "7B", BF16, FULL, 2048, 4, 0, 0, 114800000000 + 3460300800),
    M("full 70B: 70 x 16.4 = 1148; 9088 x (142 + 34) = 1599488", "70B", FP16, FULL, 1, 1, 0, 0, 1148000000000 + 1599488),
    M("lora 7B: 16.8 + 0.07 x 16 = 1.12; 422400", "7B", FP16, LORA, 1, 1, 0, 0, 17920000000 + 422400),
    M("lora over int8 weights: 8.4 + 1.12", "7B", INT8, LORA, 1, 1, 0, 0, 9520000000 + 422400),
    M("qlora 7B: 4.2 + 1.12", "7B", INT4, QLORA, 1, 1, 0, 0, 5320000000 + 422400),
    M("qlora 70B: 42 + 11.2", "70B", INT4, QLORA, 1, 1, 0, 0, 53200000000 + 1599488),
    M("lora in 32 layers: 4096 x (64 + 34) = 401408 a token, x 1024", "7B", FP16, LORA, 1024, 1, 32, 0, 17920000000 + 411041792),
    M("training keeps no cache: the KV width changes nothing", "7B", FP16, LORA, 1, 1, 0, 9999, 17920000000 + 422400),
    M("full in int8 is refused", "7B", INT8, FULL, 1, 1, 0, 0, 0),
    M("full in int4 is refused", "7B", INT4, FULL, 1, 1, 0, 0, 0),
    M("full in fp8 is refused", "7B", FP8, FULL, 1, 1, 0, 0, 0),
    M("qlora in fp16 is a contradiction", "7B", FP16, QLORA, 1, 1, 0, 0, 0),
    M("no context", "7B", FP16, INFER, 0, 1, 0, 0, 0),
    M("a negative context", "7B", FP16, INFER, -1, 1, 0, 0, 0),
    M("a context beyond all models", "7B", FP16, INFER, MODEL_CONTEXT_MAX + 1, 1, 0, 0, 0),
    M("no batch", "7B", FP16, INFER, 1, 0, 0, 0, 0),
    M("a batch beyond all cards", "7B", FP16, INFER, 1, MODEL_BATCH_MAX + 1, 0, 0, 0),
    M("layers below none", "7B", FP16, INFER, 1, 1, -1, 0, 0),
    M("a width below none", "7B", FP16, INFER, 1, 1, 0, -1, 0),
    M("a cache that no number holds", "7B", FP16, INFER, MODEL_CONTEXT_MAX, MODEL_BATCH_MAX, MODEL_LAYERS_MAX, MODEL_KV_WIDTH_MAX, 0),
    M("activations that no number holds", "70B", FP16, FULL, MODEL_CONTEXT_MAX, MODEL_BATCH_MAX, 0, 0, 0),
    M("no parameters", "0B", FP16, INFER, 1, 1, 0, 0, 0),
    M("parameters below none", "-7B", FP16, INFER, 1, 1, 0, 0, 0),
    M("no size", "", FP16, INFER, 1, 1, 0, 0, 0),
    M("a unit alone", "B", FP16, INFER, 1, 1, 0, 0, 0),
    M("an unknown unit", "7G", FP16, INFER, 1, 1, 0, 0, 0),
    M("half a parameter", "0.5", FP16, INFER, 1, 1, 0, 0, 0),
    M("a tenth of a thousandth of a parameter", "0.0000001M", FP16, INFER, 1, 1, 0, 0, 0),
    M("more than are believed", "101T", FP16, INFER, 1, 1, 0, 0, 0),
    M("more than a number holds", "9000000000T", FP16, INFER, 1, 1, 0, 0, 0),
    M("two sizes", "7B 70B", FP16, INFER, 1, 1, 0, 0, 0),
    M("a range", "7-8B", FP16, INFER, 1, 1, 0, 0, 0),
    M("a thousands separator", "7,000M", FP16, INFER, 1, 1, 0, 0, 0),
};

static void check_memory(void **state)
{
    const struct memory_row *row = *state;
    struct model_need need = {.precision = row->precision, .method = row->method, .context = row->context, .batch = row->batch,
                              .layers = row->layers, .kv_width = row->kv_width};
    struct model_memory memory = {.total_bytes = -1};
    struct gt_errinfo info = {0};
    enum gt_err err = model_params_read(gt_str_from(row->params), &need.params, &info);
    if (err == GT_OK) err = model_memory_compute(&need, &memory, &info);
    if (row->expected == 0) {
        assert_true(err == GT_EUSAGE || err == GT_EOVERFLOW);
        assert_true(info.text[0] != '\0');
        assert_int_equal(memory.total_bytes, -1);
        return;
    }
    assert_int_equal(err, GT_OK);
    assert_int_equal(memory.total_bytes, row->expected);
    assert_int_equal(memory.weights_bytes + memory.overhead_bytes + memory.kv_bytes + memory.train_bytes + memory.activation_bytes, memory.total_bytes);
}

/* ---- how many cards hold it: nine tenths of each ---- */

struct cards_row {
    const char *name;
    int64_t gb_milli, vram_gb; /* thousandths of a GB */
    int32_t max, expected;
};

static const struct cards_row cards_rows[] = {
    {"21.6 of 24 GB are usable", 21600, 24, 8, 1},
    {"a thousandth more takes two", 21601, 24, 8, 2},
    {"two hold 43.2", 43200, 24, 8, 2},
    {"three would, four are taken", 43201, 24, 8, 4},
    {"four hold 86.4", 86400, 24, 8, 4},
    {"five would, eight are taken", 86401, 24, 8, 8},
    {"eight hold 172.8: 70B in fp16", 169191, 24, 8, 8},
    {"eight do not hold 172.801", 172801, 24, 8, 0},
    {"sixteen do", 172801, 24, 16, 16},
    {"seventeen would, twenty-four are taken", 345601, 24, 24, 24},
    {"one H20 holds 86.4", 86400, 96, 8, 1},
    {"70B in fp16 takes two of them", 169191, 96, 8, 2},
    {"no more than one is wanted", 86401, 96, 1, 0},
    {"three are too few when four are taken", 43201, 24, 3, 0},
    {"memory that is not known", 1000, 0, 8, 0},
    {"memory below none", 1000, -24, 8, 0},
};

static void check_cards(void **state)
{
    const struct cards_row *row = *state;
    assert_int_equal(model_cards_needed(row->gb_milli * 1000000, row->vram_gb * NANO, row->max), row->expected);
}

/* ---- offers and costs ---- */

enum { DEALS_MAX = 4 };

struct deal {
    const char *site;
    int64_t hour_nano, month_nano; /* per card; per unit */
    int32_t cards, vram_gb;        /* 0: 1, 24 */
    int32_t min_months, min_cards, hours_per_month, billing_step_s;
    const char *currency;          /* NULL: CNY */
    enum tier tier;
    enum bound bound;
    enum includes includes;
    const char *link;
    const char *sku; /* NULL: NVIDIA-RTX-4090 */
    bool is_doubted, is_sold_out, counts_no_cards, has_no_memory, is_slice;
};

struct cost_row {
    const char *name;
    int64_t gb; /* of the model, roughly: parameters in int8 without overhead */
    const char *persona;
    struct advice_need need; /* all but the model */
    struct deal deals[DEALS_MAX];
    const char *extras; /* sites.conf sections */
    const char *expected; /* "site pay unitsxcards rent+fees=total try trial [gaps] *cheapest"; parts joined by "; " */
};

#define H(x) UNITS(x)
#define C(x) CENTS(x)
#define D(who, hour, month, ...) {.site = who, .hour_nano = hour, .month_nano = month, __VA_ARGS__}
#define ONE .cards = 0
#define DISK "[site a]\ntitle = A\nfee.storage = 0.5 CNY/GB/month\n"
static const struct cost_row costs[] = {
    {"nothing is offered", 1, "", {.hours = 0}, {{.site = NULL}}, "", ""},
    {"100 hours at 2: 200", 1, "", {.hours = 100}, {D("a", C(200), 0, ONE)}, "", "a hour 1x1 200+0=200 try 2 *!"},
    {"a month is 720 hours when nothing is said: 1440", 1, "", {.hours = 0}, {D("a", C(200), 0, ONE)}, "", "a hour 1x1 1440+0=1440 try 2 *!"},
    {"three months: 2160 hours", 1, "", {.months = 3}, {D("a", C(200), 0, ONE)}, "", "a hour 1x1 4320+0=4320 try 2 *!"},
    {"a site of 730 hours: 1460", 1, "", {.hours = 0}, {D("a", C(200), 0, .hours_per_month = 730)}, "", "a hour 1x1 1460+0=1460 try 2 *!"},
    {"the persona's hours a month count: 160 x 2 x 2 months", 1, "hours=160", {.months = 2}, {D("a", C(200), 0, ONE)}, "", "a hour 1x1 640+0=640 try 2 *!"},
    {"a month's price: 1000", 1, "", {.hours = 0}, {D("a", 0, H(1000), ONE)}, "", "a month 1x1 1000+0=1000 try 1000 *!"},
    {"100 hours on a monthly price cost a month", 1, "", {.hours = 100}, {D("a", 0, H(1000), ONE)}, "", "a month 1x1 1000+0=1000 try 1000 *!"},
    {"721 hours cost two", 1, "", {.hours = 721}, {D("a", 0, H(1000), ONE)}, "", "a month 1x1 2000+0=2000 try 1000 *!"},
    {"both ways to pay stand side by side: 600 hours", 1, "", {.hours = 600}, {D("a", C(200), H(1000), ONE)}, "",
     "a hour 1x1 1200+0=1200 try 2 *!; a month 1x1 1000+0=1000 try 1000 *"},
    {"a year is paid: 12 x 900, and begun again for the thirteenth month", 1, "pay=year,months=12", {.months = 13}, {D("a", 0, H(900), ONE)}, "",
     "a year 1x1 21600+0=21600 try 10800 *!"},
    {"the shortest term is six months: six are paid for one", 1, "", {.hours = 0}, {D("a", 0, H(1000), .min_months = 6)}, "", "a month 1x1 6000+0=6000 try 6000 *!"},
    {"what has a least term has no price by the hour", 1, "", {.hours = 10}, {D("a", C(200), 0, .min_months = 1)}, "", "(1 no price)"},
    {"billed by the day: 24 hours to try", 1, "", {.hours = 100}, {D("a", C(200), 0, .billing_step_s = 86400)}, "", "a hour 1x1 200+0=200 try 48 *!"},
    {"billed by the second: an hour to try", 1, "", {.hours = 100}, {D("a", C(200), 0, .billing_step_s = 1)}, "", "a hour 1x1 200+0=200 try 2 *!"},
    {"two cards: 30 x 1.2 = 36 GB, 2 x 21.6 hold it", 30, "", {.hours = 10}, {D("a", C(200), 0, ONE)}, "", "a hour 2x1 40+0=40 try 4 [one-node] *!"},
    {"four: 40 x 1.2 = 48", 40, "", {.hours = 10}, {D("a", C(200), 0, ONE)}, "", "a hour 4x1 80+0=80 try 8 [one-node] *!"},
    {"two units of two", 40, "", {.hours = 10}, {D("a", C(200), 0, .cards = 2)}, "", "a hour 2x2 80+0=80 try 8 [one-node] *!"},
    {"an eight-card node is one unit: 7920 as printed", 40, "", {.hours = 0}, {D("a", 0, H(7920), .cards = 8)}, "", "a month 1x8 7920+0=7920 try 7920 *!"},
    {"not 8 x 1989: 15910 as printed", 40, "", {.hours = 0}, {D("a", 0, H(15910), .cards = 8)}, "", "a month 1x8 15910+0=15910 try 15910 *!"},
    {"who needs one card of a node pays the node", 1, "", {.hours = 0}, {D("a", 0, H(7920), .cards = 8)}, "", "a month 1x8 7920+0=7920 try 7920 *!"},
    {"at least four cards are let", 1, "", {.hours = 10}, {D("a", C(200), 0, .min_cards = 4)}, "", "a hour 4x1 80+0=80 try 8 *!"},
    {"the persona wants eight", 1, "cards=8", {.hours = 10}, {D("a", C(200), 0, ONE)}, "", "a hour 8x1 160+0=160 try 16 *!"},
    {"eight cards do not hold it: 150 x 1.2 = 180 > 172.8", 150, "", {.hours = 10}, {D("a", C(200), 0, ONE)}, "", "(1 too many cards)"},
    {"sixteen do", 150, "", {.hours = 10, .cards_max = 16}, {D("a", C(200), 0, .cards = 8)}, "", "a hour 2x8 320+0=320 try 32 [one-node] *!"},
    {"a node of eight is more than four", 1, "", {.hours = 10, .cards_max = 4}, {D("a", C(200), 0, .cards = 8)}, "", "(1 too many cards)"},
    {"nobody counts the cards", 1, "", {.hours = 10}, {D("a", C(200), 0, .counts_no_cards = true)}, "", "(1 unknown)"},
    {"nobody says the memory", 1, "", {.hours = 10}, {D("a", C(200), 0, .has_no_memory = true)}, "", "(1 unknown)"},
    {"a quarter card", 1, "", {.hours = 10}, {D("a", C(200), 0, .is_slice = true)}, "", "(1 unknown)"},
    {"no price at all", 1, "", {.hours = 10}, {D("a", 0, 0, ONE)}, "", "(1 no price)"},
    {"spot is left out for who takes none", 1, "", {.hours = 10}, {D("a", C(200), 0, .tier = TIER_SPOT)}, "", ""},
    {"and shown to who does", 1, "spot", {.hours = 10}, {D("a", C(200), 0, .tier = TIER_SPOT)}, "", "a hour 1x1 20+0=20 try 2 *!"},
    {"a doubted price is shown and not called cheap", 1, "", {.hours = 10}, {D("a", C(100), 0, .is_doubted = true), D("b", C(200), 0, ONE)}, "",
     "b hour 1x1 20+0=20 try 2 *!; a hour 1x1 10+0=10 try 1"},
    {"nor one that is sold out", 1, "", {.hours = 10}, {D("a", C(100), 0, .is_sold_out = true)}, "", "a hour 1x1 10+0=10 try 1"},
    {"the cheapest stands first", 1, "", {.hours = 10}, {D("a", C(200), 0, ONE), D("b", C(150), 0, ONE)}, "",
     "b hour 1x1 15+0=15 try 1.5 *!; a hour 1x1 20+0=20 try 2"},
    {"the cheap hour of a card too small costs more: 2 x 1.2 against 2", 30, "", {.hours = 10},
     {D("a", C(120), 0, ONE), D("b", C(200), 0, .vram_gb = 48, .sku = "NVIDIA-RTX-4090-48G")}, "",
     "b hour 1x1 20+0=20 try 2 *!; a hour 2x1 24+0=24 try 2.4 [one-node] *"},
    {"currencies stay apart, each with its own smallest trial", 1, "", {.hours = 10}, {D("a", C(200), 0, ONE), D("b", C(30), 0, .currency = "USD")}, "",
     "a hour 1x1 20+0=20 try 2 *!; b hour 1x1 3+0=3 try 0.3 *!"},
    {"CPU and memory billed apart are said", 1, "", {.hours = 10}, {D("a", C(200), 0, .includes = INCLUDES_GPU_ONLY)}, "", "a hour 1x1 20+0=20 try 2 [host-price] *!"},
    {"printed links of several cards", 40, "", {.hours = 10}, {D("a", C(200), 0, .cards = 4, .link = "NVLink")}, "", "a hour 1x4 80+0=80 try 8 *!"},
    {"a card of which nobody knows the link", 40, "", {.hours = 10}, {D("a", C(200), 0, .cards = 4, .sku = "X")}, "", "a hour 1x4 80+0=80 try 8 [interconnect] *!"},
    {"200 GB for a month at 0.5: 100", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, DISK, "a hour 1x1 200+100=300 try 2 33.33% *!"},
    {"over two months: 200", 1, "", {.hours = 721, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, DISK, "a hour 1x1 1442+200=1642 try 2 12.18% *!"},
    {"three copies: 300", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, DISK "fee.replicas = 3\n", "a hour 1x1 200+300=500 try 2 60% *!"},
    {"0.01 a day: 200 x 0.01 x 30 = 60", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, "[site a]\nfee.storage = 0.01 CNY/GB/day\n",
     "a hour 1x1 200+60=260 try 2 23.08% *!"},
    {"stopped for 360 of 720 hours at 1: 200 x (0.25 + 0.5) = 150", 1, "", {.hours = 360, .storage_gb = 200}, {D("a", C(200), 0, ONE)},
     DISK "fee.stopped_disk = 1 CNY/GB/month\n", "a hour 1x1 720+150=870 try 2 17.24% *!"},
    {"who pays the month never stops: 100", 1, "", {.hours = 360, .storage_gb = 200}, {D("a", 0, H(1000), ONE)},
     DISK "fee.stopped_disk = 1 CNY/GB/month\n", "a month 1x1 1000+100=1100 try 1000 9.09% *!"},
    {"storage is included", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, "[site a]\nfee.storage = included\n", "a hour 1x1 200+0=200 try 2 *!"},
    {"about 0.5: said", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, "[site a]\nfee.storage = ~0.5 CNY/GB/month\n",
     "a hour 1x1 200+100=300 try 2 33.33% [approximate-fee] *!"},
    {"storage is asked and its fee not known: never the cheapest", 1, "", {.hours = 100, .storage_gb = 200}, {D("b", C(100), 0, ONE), D("a", C(200), 0, ONE)}, DISK,
     "a hour 1x1 200+100=300 try 2 33.33% *; b hour 1x1 100+0=100 try 1 [storage-fee]!"},
    {"a fee in dollars beside a rent in yuan is not added", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, "[site a]\nfee.storage = 0.5 USD/GB/month\n",
     "a hour 1x1 200+0=200 try 2 [storage-fee]!"},
    {"nobody asks for storage: no gap", 1, "", {.hours = 100}, {D("a", C(200), 0, ONE)}, DISK, "a hour 1x1 200+0=200 try 2 *!"},
    {"100 GB leave at 0.8: 80", 1, "", {.hours = 100, .egress_gb = 100}, {D("a", C(200), 0, ONE)}, "[site a]\nfee.traffic = 0.8 CNY/GB\n",
     "a hour 1x1 200+80=280 try 2 28.57% *!"},
    {"traffic is not known", 1, "", {.hours = 100, .egress_gb = 100}, {D("a", C(200), 0, ONE)}, "", "a hour 1x1 200+0=200 try 2 [traffic-fee]!"},
    {"ten percent of the rent, not of the storage: 20 + 100", 1, "", {.hours = 100, .storage_gb = 200}, {D("a", C(200), 0, ONE)}, DISK "fee.management = 10\n",
     "a hour 1x1 200+120=320 try 2 37.5% *!"},
    {"all of it turns the order: 200 + 100 + 80 + 20 against 300", 1, "", {.hours = 100, .storage_gb = 200, .egress_gb = 100},
     {D("a", C(200), 0, ONE), D("b", C(300), 0, ONE)}, DISK "fee.traffic = 0.8 CNY/GB\nfee.management = 10\n[site b]\nfee.storage = included\nfee.traffic = included\n",
     "b hour 1x1 300+0=300 try 3 *; a hour 1x1 200+200=400 try 2 50%!"},
};

/* One row of the board. */
static struct board_row deal_row(struct arena *arena, const struct deal *deal, uint64_t id)
{
    int32_t cards = deal->counts_no_cards ? 0 : deal->cards != 0 ? deal->cards : 1;
    const struct market_offer offer = {.id = id, .site = deal->site, .title = deal->site, .label = "x", .currency = deal->currency ? deal->currency : "CNY",
                                       .sku = deal->sku ? deal->sku : "NVIDIA-RTX-4090", .vram_gb = deal->has_no_memory ? 0 : deal->vram_gb ? deal->vram_gb : 24,
                                       .status = SKU_EXACT, .delivery = DELIVERY_CONTAINER, .seen_unix_s = JYGPU_SEEN, .is_listed = true,
                                       .is_doubted = deal->is_doubted, .hour_nano = deal->hour_nano,
                                       .month_nano = deal->month_nano, .bound = deal->bound,
                                       .availability = deal->is_sold_out ? AVAIL_SOLD_OUT : AVAIL_UNKNOWN};
    struct board_row row = market_row(arena, &offer);
    row.offer.record = market_record_of_both(arena, &offer, cards);
    row.offer.attributes.cards = cards;
    row.offer.attributes.min_cards = deal->min_cards;
    row.offer.attributes.min_months = deal->min_months;
    row.offer.attributes.billing_step_s = deal->billing_step_s;
    row.offer.attributes.includes = deal->includes;
    row.offer.attributes.slice_num = row.offer.attributes.slice_den = 0;
    if (deal->is_slice) row.offer.attributes.slice_num = 1, row.offer.attributes.slice_den = 4;
    if (deal->link != NULL) row.offer.attributes.interconnect = gt_str_from(deal->link);
    if (deal->tier != TIER_UNKNOWN) row.offer.attributes.tier = deal->tier;
    if (deal->hours_per_month != 0) row.net_rules.hours_per_month = deal->hours_per_month;
    return row;
}

/* The gaps that are not said of every row here: nobody states tax or a management fee. */
static void tell_gaps(unsigned gaps, char *words, size_t max)
{
    static const char *const names[] = {"storage-fee", "traffic-fee", NULL, NULL, "interconnect", "one-node", "host-price", "approximate-fee"};
    words[0] = '\0';
    for (size_t i = 0; i < COUNT(names); i++)
        if ((gaps & 1u << i) && names[i] != NULL) snprintf(words + strlen(words), max - strlen(words), "%s%s", words[0] ? " " : " [", names[i]);
    if (words[0] != '\0') snprintf(words + strlen(words), max - strlen(words), "]");
}

static void tell(const struct advice *advice, char *words, size_t max)
{
    words[0] = '\0';
    for (size_t i = 0; i < advice->count; i++) {
        const struct advice_item *item = &advice->items[i];
        char rent[MONEY_TEXT_MAX], extra[MONEY_TEXT_MAX], total[MONEY_TEXT_MAX], trial[MONEY_TEXT_MAX], percent[MONEY_TEXT_MAX], gaps[128];
        int64_t rounded = 0;
        tell_gaps(item->gaps, gaps, sizeof gaps);
        money_round(item->hidden_percent_nano, NANO / 100, ROUND_HALF_UP, &rounded);
        money_format(rounded, percent);
        snprintf(words + strlen(words), max - strlen(words), "%s%.*s %s %dx%d %s+%s=%s try %s%s%s%s%s%s%s", i > 0 ? "; " : "",
                 GT_STR_ARG(item->entry->row->site), word_text(VOCABULARY_PERIOD, (int)item->pay), (int)item->units,
                 (int)item->entry->row->offer.attributes.cards, money_format(item->rent_nano, rent), money_format(item->total_nano - item->rent_nano, extra),
                 money_format(item->total_nano, total), money_format(item->trial_nano, trial), rounded != 0 ? " " : "", rounded != 0 ? percent : "",
                 rounded != 0 ? "%" : "", gaps, item->is_cheapest ? " *" : "", item->is_smallest_trial ? "!" : "");
    }
    if (advice->too_large > 0) snprintf(words + strlen(words), max - strlen(words), "(%zu too many cards)", advice->too_large);
    if (advice->unknown_memory > 0) snprintf(words + strlen(words), max - strlen(words), "(%zu unknown)", advice->unknown_memory);
    if (advice->no_price > 0) snprintf(words + strlen(words), max - strlen(words), "(%zu no price)", advice->no_price);
}

/* The sections' extras, in the arena. */
static struct site_extras *extras_read(struct conf *conf, const char *text, struct arena *arena, size_t *ret_count)
{
    struct gt_errinfo info = {0};
    struct site_extras *extras = arena_array(arena, DEALS_MAX, sizeof *extras);
    assert_int_equal(conf_read_text(conf, "test", gt_str_from(text), &info), GT_OK);
    const struct conf_section *const *sections = conf_sections(conf, "site");
    for (*ret_count = 0; sections[*ret_count] != NULL; (*ret_count)++)
        assert_int_equal(site_extras_from_conf(sections[*ret_count], arena, &extras[*ret_count], &info), GT_OK);
    return extras;
}

static void check_cost(void **state)
{
    const struct cost_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct conf *conf = conf_new();
    struct board_row board_rows[DEALS_MAX];
    struct board_view view = {.now_unix_s = JYGPU_SEEN};
    struct advice_need need = row->need;
    struct advice advice = {0};
    struct gt_errinfo info = {0};
    char words[1024];
    size_t count = 0, extra_count = 0;
    for (; count < DEALS_MAX && row->deals[count].site != NULL; count++) board_rows[count] = deal_row(arena, &row->deals[count], count + 1);
    struct site_extras *extras = extras_read(conf, row->extras, arena, &extra_count);
    assert_int_equal(persona_read(gt_str_from(row->persona), &view.persona, &info), GT_OK);
    need.model = (struct model_need){.params = row->gb * NANO, .precision = MODEL_INT8, .context = 1, .batch = 1, .layers = 1, .kv_width = 1};
    assert_int_equal(advice_compute(&(struct board_rows){board_rows, count}, &view, &need, extras, extra_count, arena, &advice, &info), GT_OK);
    tell(&advice, words, sizeof words);
    assert_string_equal(words, row->expected);
    conf_free(conf);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(memories, check_memory) + TABLE_RUN(cards_rows, check_cards) + TABLE_RUN(costs, check_cost);
}
