/* The vocabulary of price texts: one sorted table of words, each with its part of speech.
 * price_word.def is the list. */
#ifndef GT_PRICING_PRICE_WORD_H
#define GT_PRICING_PRICE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/str.h"
#include "pricing/money.h"

/* What a token is. The first ones come from the reader of characters, the others from the
 * vocabulary. `value` and `arg` mean what stands behind each. */
enum price_kind {
    PK_END,       /* behind the last token */
    PK_NUMBER,    /* digits (or a Chinese numeral) with their separators */
    PK_IDENT,     /* letters and digits in one: a model or a machine's name */
    PK_OTHER,     /* a word that the vocabulary lacks */
    PK_PUNCT,     /* value: the ASCII character */
    PK_DATE,      /* a calendar date */
    PK_BREAK,     /* , ; | 。 、 and a full stop before a blank: ends a clause */
    PK_CURRENCY,  /* value: enum price_currency; arg: enum price_side */
    PK_CENTS,     /* value: enum price_currency or 0; arg: power of ten below one unit */
    PK_SCALE,     /* arg: power of ten; value 1: only when glued to a number (k, w) */
    PK_PERIOD,    /* value: enum period; arg 1: a single letter, read in unit places only */
    PK_RATE,      /* value: enum period; arg: enum price_style */
    PK_HEAD,      /* 每, 按, 包 before a period make a RATE; value: the kind it is elsewhere, arg: enum price_style */
    PK_TAIL,      /* 租, 付, 均 behind a period make a RATE; value and arg as for HEAD */
    PK_CARD,      /* a card as a unit */
    PK_EACH_CARD, /* 单卡, 每卡 */
    PK_NODE,      /* arg 1: stands alone as "the whole node"; 0: only after "per"; 2: a slice of a card */
    PK_CARD_TIME, /* 卡时; value: enum period */
    PK_NODE_TIME, /* 台时; value: enum period */
    PK_CORE_TIME, /* 核时 */
    PK_CORE,      /* arg 1: counts cores; 0: the word CPU */
    PK_BYTES,     /* arg 1: memory or storage; 2: bandwidth; 3: power; 4: another measure */
    PK_VRAM,      /* 显存 */
    PK_TOKENS,    /* tokens of a language model */
    PK_TASK,      /* a unit of work, arg 1: a user or seat: never a rental */
    PK_PIECE,     /* a thing sold */
    PK_PER,       /* per, each, 每; a and an with arg 1 */
    PK_MUL,       /* x × * */
    PK_RANGE,     /* - – ~ 至 to; arg: enum price_range_mark */
    PK_EQUAL,     /* = */
    PK_ROLE,      /* value: enum role; arg 1: a promotion's word */
    PK_BOUND,     /* value: enum bound; arg 0: stands before the amount, 1: behind it, 2: on either side */
    PK_DERIVED,   /* 即, 折合: what follows is computed from what was before */
    PK_ZHE,       /* 折; arg 0: 折, 1: 折后, 2: 折起 */
    PK_HALF,      /* 半价, 对折 */
    PK_ZHEKOU,    /* 折扣: a percentage beside it can be read two ways */
    PK_OFF,       /* a cut; arg 0: the figure stands before it ("% off"), 1: behind ("省"), 2: either */
    PK_MINUS,     /* an amount off: 立减; arg as PK_OFF */
    PK_PAYS,      /* "of" and 价格 after a percentage: what is paid */
    PK_ENJOY,     /* 享, 立享 */
    PK_COMPARE,   /* 较, than */
    PK_COND,      /* value: enum cond_kind; arg: enum price_also */
    PK_MIN_COUNT, /* 起租, 至少: the count beside it is a minimum */
    PK_ABOVE,     /* 以上, "or more" */
    PK_FULL,      /* 满: a threshold follows */
    PK_TERM,      /* 租期, reserved: the term beside it is a commitment; arg 1: paid at once */
    PK_BILLING,   /* 计费, billed: the period beside it is how bills are made */
    PK_UNTIL,     /* 截至, until */
    PK_STACK,     /* value: enum stacks */
    PK_TAX,       /* value: enum tax */
    PK_AVAIL,     /* value: enum availability */
    PK_OFFERS,    /* 支持, 可选: the count behind it can be had, and is not what the price buys */
    PK_STOCK,     /* 库存, idle: counts beside it are stock */
    PK_QUOTE,     /* 面议 */
    PK_FREE,      /* 免费 */
    PK_PRICE,     /* 价格, price: says that a number is one */
    PK_FILL,      /* may stand between a mark and its amount */
    PK_MEAN,      /* average */
    PK_ESTIMATE,  /* 估算 */
    PK_BRAND,     /* RTX, 昇腾: the number behind it is a model's */
    PK_STORAGE,   /* 云盘, disk: as the subject of a price; arg 1: a place for a machine of one's own (托管) */
    PK_HARDWARE,  /* 服务器: a thing that can also be bought */
    PK_REFUSE,    /* value: enum refusal_reason; arg 1: holds even beside a rental period; 2: 合计, the sum of what is bought;
                     3: holds so right before the amount alone: "降价 0.4 元/时" */
    PK_CLAIM,     /* 普遍: a statement about a market */
    PK_PLAN,      /* Pro, 专业版, plan, license: what is billed by the month where no card is named */
    PK_MOVE,      /* 上调至: news of a price that was another one before */
    PK_SELLER,    /* AWS, 阿里云: whom others compare themselves with */
    PK_NOTHING,   /* listed so that no shorter word is found inside */
    PK_COUNT
};

/* Currencies by index. The signs ¥ and $ are shared by several. */
enum price_currency {
    PRICE_CUR_NONE,
    PRICE_CUR_YEN_SIGN,
    PRICE_CUR_DOLLAR_SIGN,
    PRICE_CUR_CNY,
    PRICE_CUR_USD,
    PRICE_CUR_EUR,
    PRICE_CUR_GBP,
    PRICE_CUR_INR,
    PRICE_CUR_JPY,
    PRICE_CUR_HKD,
    PRICE_CUR_KRW,
    PRICE_CUR_SGD,
    PRICE_CUR_AUD,
    PRICE_CUR_CAD,
    PRICE_CUR_TWD,
    PRICE_CUR_NZD,
    PRICE_CUR_BRL,
    PRICE_CUR_RUB,
    PRICE_CUR_CHF,
    PRICE_CUR_SEK,
    PRICE_CUR_NOK,
    PRICE_CUR_DKK,
    PRICE_CUR_PLN,
    PRICE_CUR_TRY,
    PRICE_CUR_AED,
    PRICE_CUR_SAR,
    PRICE_CUR_THB,
    PRICE_CUR_MYR,
    PRICE_CUR_IDR,
    PRICE_CUR_VND,
    PRICE_CUR_ILS,
    PRICE_CUR_CZK,
    PRICE_CUR_ZAR,
    PRICE_CUR_MXN,
    PRICE_CUR_MOP,
    PRICE_CUR_PKR,
    PRICE_CUR_HUF,
    PRICE_CUR_UAH,
    PRICE_CUR_NGN,
    PRICE_CUR_EGP,
    PRICE_CUR_QAR,
    PRICE_CUR_KWD,
    PRICE_CUR_SDD,
    PRICE_CURRENCIES
};

/* On which side of its number a currency word may stand. */
enum price_side { PRICE_SIDE_BOTH, PRICE_SIDE_AFTER, PRICE_SIDE_BEFORE };

/* How a word names a period. */
enum price_style {
    PRICE_STYLE_EACH, /* 每月, and 元一小时: may stand behind the amount */
    PRICE_STYLE_RENT, /* 月租, hourly */
    PRICE_STYLE_BY,   /* 按月 */
    PRICE_STYLE_PACK, /* 包月: the whole period is bought */
    PRICE_STYLE_PAY,  /* 月付: how one pays */
    PRICE_STYLE_MEAN, /* 月均: an average over the period */
};

/* What a mark between two numbers may be beside a range. */
enum price_range_mark { PRICE_RANGE_DASH, PRICE_RANGE_TILDE, PRICE_RANGE_WORD };

/* What a condition's word says beside the condition. */
enum price_also { PRICE_ALSO_NOTHING, PRICE_ALSO_LEVEL };

enum {
    PRICE_WORD_MAX = 28,  /* bytes of the longest word */
    PRICE_TEXT_AHEAD = 8, /* bytes behind a folded text that can be read, so that looking ahead needs no test */
};

struct price_word {
    char
        text[PRICE_WORD_MAX]; /* lower case; a blank stands for blanks and hyphens; inline, so that a search stays in one table */
    uint8_t len;
    uint8_t kind; /* enum price_kind */
    uint8_t value;
    uint8_t arg;
};

/* The longest word of the vocabulary that `text` (folded, lower case, PRICE_TEXT_AHEAD readable bytes behind it) holds at `at`; NULL when
 * there is none. A word that ends in a letter or digit matches only where none follows. */
const struct price_word *price_word_find(struct gt_str text, size_t at);

/* The code of a currency: "" for NONE and the yen sign (which of two it is the words do not say),
 * "USD" for the dollar sign. */
struct currency price_currency_code(enum price_currency currency);

/* True for currencies of countries that write decimals with a comma: "1.299" in them can be read
 * two ways. */
bool price_currency_has_comma(struct currency currency);

/* The vocabulary itself, for the test that it is sorted. */
const struct price_word *price_words(size_t *ret_count);

#endif
