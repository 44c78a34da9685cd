/* What headings and pages say, by their words. */
#include "common/strbuf.h"
#include "common/utf8.h"
#include "parsers/auto.h"

enum { HEADING_BYTES_MAX = 300, EVIDENCE_BYTES_MAX = 512 * 1024, KEY_MAX = 120 };

static const struct {
    enum auto_role role;
    const char *words; /* separated by '|' */
} ROLES[] = {
#define AUTO_WORD(role, words) {AUTO_##role, words},
#include "parsers/auto_words.def"
#undef AUTO_WORD
};

/* Words of renting by time, and of buying hardware. */
static const char RENTAL[] = "per hour|/hour|/hr|/h|gpu-hour|gpu hour|hourly|on-demand|on demand|spot instance|preemptible|pay "
                             "as you go|pay-as-you-go|rent|rental|cloud gpu|"
                             "gpu cloud|instance|instances|gpu instance|bare metal|service unit|su hour|billing|per "
                             "second|/s|per month|小时|时租|按量|按需|包月|月租|租用|租赁|出租|算力|云服务器|gpu云|云主机|"
                             "竞价|抢占|裸金属|容器云|计费|资费|收费标准|机时|核时|核·时|卡时|卡·时|/时|/月|serverless|vcpu|cluster";
static const char PURCHASE[] =
    "add to cart|buy now|in stock|out of stock|free shipping|shipping|msrp|warranty|checkout|retail price|best buy|newegg|"
    "ajouter au panier|livraison|in den warenkorb|lieferzeit|añadir al carrito|envío gratis|aggiungi al carrello|spedizione|dodaj do koszyka|"
    "カートに入れる|送料無料|장바구니|加入購物車|"
    "加入购物车|立即购买|京东|天猫|淘宝|包邮|到手价|首发价|保修|质保|现货|显卡天梯|零售价|促销价|商品|二手";

/* Words of events, adverts, memberships, energy and earnings, which name cards and money by time too. */
static const char OTHER[] =
    "electricity|kwh|hashrate|mh/s|profitability|earnings|payout|passive income|维保|驻场|人天|电费|挖矿|membership|cloud gaming|playtime|fps|compute "
    "unit|session length|colocation|"
    "remote hands|rack space|your own hardware|自带设备|机柜|网咖|网吧|通宵|散客|未成年|ticket|attendee|early bird|"
    "keynote|speaker|agenda|venue|salary|salaries|wage|pay range|job posting|job advert|open position|vacancies|job description|apply now|"
    "full-time|tuition|门票|早鸟|嘉宾|议程|薪资|薪酬|"
    "insurance|bootcamp|curriculum|课程|岗位职责|任职要求|招聘|工程师|投递|简历|学费|课时|家教|教员|时薪|车位|停车";

/* Words of pages about cards. */
static const char CARDS[] =
    "gpu|gpus|nvidia|tesla|geforce|rtx|quadro|cuda|vram|accelerator|graphics card|instinct|radeon|amd|tpu|npu|"
    "a100|h100|h200|v100|h800|a800|b200|l40|l40s|3090|4090|5090|910b|显卡|显存|算力|昇腾|加速卡|英伟达|训练";

/* Words beside a count of cards that make it a bound of what may be ordered, or what there is of them: no count of a price's cards. */
static const char BOUNDS[] = "max|min|maximum|minimum|limit|quota|most|least|up to|available|in stock|remaining|free|idle|"
                             "最大|最小|最多|最少|最高|最低|上限|下限|限额|配额|库存|可用|空闲|剩余|可订|可租|起";

/* Hours of a core, as computing centres count them. */
static const char CORE_HOURS[] = "core hour|core-hour|corehour|cpu hour|cpu-hour|cpu core|core/hour|core/h|per core|cpu/h|cpu/hour|核时|核·时|核小时|"
                                 "kodolstunda|kodolstundu|tuumatund|kärntimme|kjernetime|kernetime|kernstunde|kernstunden|core-stunde|cpu-stunde|"
                                 "heure cœur|heure coeur|heure-cœur|hora de cpu|hora cpu|ora core|コア時間";

/* Cards whose names plans and sizes bear too. */
static const char SHORT_NAMES[] = "t4|l4|a2|a10|a10g|a16|a30|a40|l20|p4|p40|m60|k80|p100";

/* Words of machines that are told by their processors: without a word about cards they have none. */
static const char PROCESSORS[] = "epyc|xeon|ryzen|threadripper|ampere altra|core i5|core i7|core i9";

/* Lower case, NFKC, blanks as they are and for the underscores of keys. */
static struct gt_str fold(struct auto_page *page, struct gt_str text)
{
    struct utf8_folded folded;
    if (utf8_fold(text, page->scratch, &folded) != GT_OK) {
        auto_fail_full(page);
        return GT_STR("");
    }
    char *bytes = (char *)(uintptr_t)folded.text.ptr; /* the scratch arena's, ours */
    for (size_t i = 0; i < folded.text.len; i++) {
        if (bytes[i] >= 'A' && bytes[i] <= 'Z') bytes[i] = (char)(bytes[i] - 'A' + 'a');
        if (bytes[i] == '_') bytes[i] = ' ';
    }
    return folded.text;
}

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* True when the word stands at `at` by itself, where its ends are letters or digits. */
static bool stands_alone(struct gt_str text, size_t at, struct gt_str word)
{
    size_t end = at + word.len;
    if (is_alnum(word.ptr[0]) && at > 0 && is_alnum(text.ptr[at - 1])) return false;
    if (!is_alnum(word.ptr[word.len - 1])) return true;
    if (end < text.len && text.ptr[end] == 's') end++;
    return end >= text.len || !is_alnum(text.ptr[end]);
}

static bool has_word(struct gt_str folded, struct gt_str word)
{
    for (size_t at = gt_str_find(folded, word, 0); at != SIZE_MAX; at = gt_str_find(folded, word, at + 1)) {
        if (stands_alone(folded, at, word)) return true;
    }
    return false;
}

/* How many of the words occur, at most `enough`. */
static int count_words(struct gt_str folded, const char *words, int enough)
{
    struct gt_str rest = gt_str_from(words), word;
    int found = 0;
    while (found < enough && gt_str_split(&rest, '|', &word)) found += has_word(folded, word);
    return found;
}

bool auto_has_words(struct auto_page *page, struct gt_str text, const char *words)
{
    return count_words(fold(page, gt_str_slice(text, 0, HEADING_BYTES_MAX)), words, 1) > 0;
}

bool auto_has_role(struct auto_page *page, struct gt_str heading, enum auto_role role)
{
    struct gt_str folded = fold(page, gt_str_slice(heading, 0, HEADING_BYTES_MAX));
    for (size_t i = 0; i < sizeof ROLES / sizeof ROLES[0]; i++) {
        if (ROLES[i].role == role && count_words(folded, ROLES[i].words, 1) > 0) return true;
    }
    return false;
}

enum auto_role auto_role_of(struct auto_page *page, struct gt_str heading)
{
    struct gt_str folded = fold(page, gt_str_slice(heading, 0, HEADING_BYTES_MAX));
    for (size_t i = 0; i < sizeof ROLES / sizeof ROLES[0]; i++) {
        if (count_words(folded, ROLES[i].words, 1) == 0) continue;
        bool is_bound = ROLES[i].role == AUTO_CARDS && count_words(folded, BOUNDS, 1) > 0;
        return is_bound ? AUTO_EXCLUDED : ROLES[i].role;
    }
    return AUTO_NONE;
}

struct gt_str auto_price_name(struct auto_page *page, struct gt_str heading)
{
    static const struct {
        const char *words;
        const char *name;
    } NAMES[] = {{"hour|1 hour|hr|1 hr|h|小时|1小时|1 小时|时", "price.hour"},
                 {"day|1 day|天|1天|1 天|日", "price.day"},
                 {"week|1 week|周|1周", "price.week"},
                 {"month|1 month|mo|月|1个月|1 个月|1月|一个月", "price.month"},
                 {"year|1 year|年|1年|1 年|一年", "price.year"}};
    struct gt_str folded = gt_str_trim(fold(page, gt_str_slice(heading, 0, HEADING_BYTES_MAX)));
    bool is_package = gt_str_find(folded, GT_STR("包"), 0) != SIZE_MAX;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        struct gt_str rest = gt_str_from(NAMES[i].words), word;
        while (gt_str_split(&rest, '|', &word)) {
            /* Below "包年包月（元）" a term is what the amount is for. */
            bool is_term = is_package && gt_str_ends(folded, word) && word.len > 3;
            if (is_term || gt_str_eq(word, folded)) return gt_str_from(NAMES[i].name);
        }
    }
    return GT_STR("price");
}

/* What 元 is on a page: yuan, or the dollars of Taiwan where it names them; nothing where it speaks of yen. */
static struct gt_str yuan_of(struct gt_str folded)
{
    if (count_words(folded, "新台幣|新臺幣|新台币|ntd|twd|nt$", 1) > 0) return GT_STR("TWD");
    bool is_yuan = count_words(folded, "元|人民币|rmb|cny", 1) > 0 && count_words(folded, "日元|円|jpy|yen", 1) == 0;
    return is_yuan ? GT_STR("CNY") : GT_STR("");
}

struct auto_evidence auto_evidence_of(struct auto_page *page, struct gt_str text)
{
    struct gt_str folded = fold(page, gt_str_slice(text, 0, EVIDENCE_BYTES_MAX));
    struct price_decimals decimals = {0};
    price_decimals_count(text, &decimals);
    bool lacks_cards = count_words(folded, CARDS, 1) == 0, has_processors = count_words(folded, PROCESSORS, 1) > 0;
    return (struct auto_evidence){.rental = count_words(folded, RENTAL, 100),
                                  .purchase = count_words(folded, PURCHASE, 100),
                                  .other = count_words(folded, OTHER, 100),
                                  .lacks_cards = lacks_cards,
                                  .lacks_names = lacks_cards && (has_processors || count_words(folded, SHORT_NAMES, 2) < 2),
                                  .speaks_of_energy = count_words(folded, "electricity|kwh|电费|电价|度电", 1) > 0,
                                  .rates_cores = count_words(folded, CORE_HOURS, 1) > 0,
                                  .decimal = price_decimals_sign(&decimals),
                                  .yuan = yuan_of(folded)};
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Words that keys have glued to a card's name ("costv100", "pricertx6000ada"). */
static size_t glued_len(struct gt_str key)
{
    static const struct gt_str WORDS[] = {{"cost", 4}, {"price", 5}, {"rate", 4}, {"usd", 3}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (gt_str_starts(key, WORDS[i]) &&
            sku_resolve(gt_str_slice(key, WORDS[i].len, SIZE_MAX), 0, NULL, 0).status != SKU_UNMAPPED)
            return WORDS[i].len;
    }
    return 0;
}

/* What only keys are written with: "dph_total"; "price_min", whose "min" is no minute as long as it is not paid per one; terms whose
 * number is a word, "sixMonthPrice" ("one year" is a year). */
static struct gt_str spell_out(struct auto_page *page, struct gt_str words)
{
    static const char *const PAIRS[][2] = {{"dph", "$ per hour"},     {"three month", "3 month"}, {"six month", "6 month"},
                                           {"twelve month", "12 month"}, {"two year", "2 year"},     {"three year", "3 year"}, {"min", "minimum"}};
    static const struct gt_str PARTS[] = {{"dph", 3}, {"onth", 4}, {"ear", 3}, {"in", 2}};
    struct gt_str copy = arena_dup(page->arena, words), folded = GT_STR("");
    /* Most keys have none of it: the folded text is made for the others. */
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0] && folded.len == 0; i++)
        if (gt_str_find(words, PARTS[i], 0) != SIZE_MAX) folded = fold(page, words);
    for (size_t i = 0; folded.len > 0 && i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        struct gt_str from = gt_str_from(PAIRS[i][0]);
        size_t at = gt_str_find(folded, from, 0);
        if (at == SIZE_MAX || !stands_alone(folded, at, from)) continue;
        bool is_minute = gt_str_is(from, "min") && (count_words(folded, "per", 1) > 0 || !auto_has_role(page, words, AUTO_PRICE));
        if (is_minute) continue;
        copy = arena_printf(page->arena, "%.*s%s%.*s", (int)at, copy.ptr, PAIRS[i][1], GT_STR_ARG(gt_str_slice(copy, at + from.len, SIZE_MAX)));
        folded = fold(page, copy);
    }
    return copy.ptr != NULL ? copy : GT_STR("");
}

struct gt_str auto_key_words(struct auto_page *page, struct gt_str prefix, struct gt_str key)
{
    struct strbuf text;
    strbuf_init(&text, KEY_MAX * 3);
    if (prefix.len > 0) strbuf_addf(&text, "%.*s ", GT_STR_ARG(prefix));
    size_t glued = glued_len(key);
    key = gt_str_slice(key, 0, KEY_MAX);
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        bool is_hump = i > 0 && c >= 'A' && c <= 'Z' && is_lower(key.ptr[i - 1]);
        if (is_hump || (glued > 0 && i == glued)) strbuf_addc(&text, ' ');
        strbuf_addc(&text, c == '_' || c == '-' || c == '.' ? ' ' : c);
    }
    struct gt_str copy = spell_out(page, strbuf_str(&text));
    strbuf_done(&text);
    return copy;
}
