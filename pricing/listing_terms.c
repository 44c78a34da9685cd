/* Closed lists of words in the two languages that price pages use. The first word in the text decides, not the first in the
 * list: "按量（可转包月）" is on demand. What no list knows stays unknown; nothing is concluded from a site's name or from a price. */
#include "pricing/listing_terms.h"

#include "pricing/listing_spec.h"
#include "pricing/listing_words.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

#define SIGNS(table) table, sizeof(table) / sizeof(table)[0]

/* The first word in the text decides: what a product is called comes before what it can run ("裸金属, 支持 Docker"). */
enum delivery terms_delivery(struct gt_str words, enum delivery otherwise)
{
    static const struct word_sign signs[] = {
        {"裸金属", DELIVERY_BARE_METAL},
        {"裸机", DELIVERY_BARE_METAL},
        {"物理机", DELIVERY_BARE_METAL},
        {"bare metal", DELIVERY_BARE_METAL},
        {"bare-metal", DELIVERY_BARE_METAL},
        {"baremetal", DELIVERY_BARE_METAL},
        {"容器", DELIVERY_CONTAINER},
        {"container", DELIVERY_CONTAINER},
        {"docker", DELIVERY_CONTAINER},
        {"pod", DELIVERY_CONTAINER},
        {"pods", DELIVERY_CONTAINER},
        {"云主机", DELIVERY_VM},
        {"虚拟机", DELIVERY_VM},
        {"云服务器", DELIVERY_VM},
        {"virtual machine", DELIVERY_VM},
        {"vm", DELIVERY_VM},
        {"serverless", DELIVERY_SERVERLESS},
        {"无服务器", DELIVERY_SERVERLESS},
        {"函数计算", DELIVERY_SERVERLESS},
    };
    return (enum delivery)words_first(words, SIGNS(signs), (int)otherwise);
}

/* Leases by the month or year are on demand here: a tier says whether it can be taken away, not how it is paid. */
enum tier terms_tier(struct gt_str words, enum tier otherwise)
{
    static const struct word_sign signs[] = {
        {"抢占", TIER_SPOT},           {"竞价", TIER_SPOT},          {"spot", TIER_SPOT},
        {"preemptible", TIER_SPOT},    {"interruptible", TIER_SPOT}, {"可中断", TIER_SPOT},
        {"按量", TIER_ON_DEMAND},      {"按需", TIER_ON_DEMAND},     {"on-demand", TIER_ON_DEMAND},
        {"on demand", TIER_ON_DEMAND}, {"包月", TIER_ON_DEMAND},     {"包年", TIER_ON_DEMAND},
        {"月租", TIER_ON_DEMAND},      {"月付", TIER_ON_DEMAND},     {"pay as you go", TIER_ON_DEMAND},
        {"reserved", TIER_ON_DEMAND},  {"预留", TIER_ON_DEMAND},
    };
    return (enum tier)words_first(words, SIGNS(signs), (int)otherwise);
}

/* "1351/2288": free of all. */
static bool read_counts(struct gt_str cell, int64_t *ret_free)
{
    struct spec_number number;
    size_t at = 0;
    if (!spec_number_next(cell, &at, &number) || number.is_glued || number.milli % 1000 != 0) return false;
    *ret_free = number.milli / 1000;
    return true;
}

enum availability terms_stock(struct gt_str cell, int64_t *ret_stock)
{
    static const struct word_sign signs[] = {
        {"售罄", AVAIL_SOLD_OUT},
        {"售空", AVAIL_SOLD_OUT},
        {"sold out", AVAIL_SOLD_OUT},
        {"sold_out", AVAIL_SOLD_OUT},
        {"无货", AVAIL_SOLD_OUT},
        {"缺货", AVAIL_SOLD_OUT},
        {"out of stock", AVAIL_SOLD_OUT},
        {"unavailable", AVAIL_SOLD_OUT},
        {"暂无", AVAIL_SOLD_OUT},
        {"满租", AVAIL_SOLD_OUT},
        {"false", AVAIL_SOLD_OUT},
        {"none", AVAIL_SOLD_OUT},
        {"not available", AVAIL_SOLD_OUT},
        {"no capacity", AVAIL_SOLD_OUT},
        {"waitlist", AVAIL_SOLD_OUT},
        {"紧张", AVAIL_LIMITED},
        {"仅剩", AVAIL_LIMITED},
        {"limited", AVAIL_LIMITED},
        {"low", AVAIL_LIMITED},
        {"少量", AVAIL_LIMITED},
        {"充足", AVAIL_IN_STOCK},
        {"有货", AVAIL_IN_STOCK},
        {"in stock", AVAIL_IN_STOCK},
        {"available", AVAIL_IN_STOCK},
        {"现货", AVAIL_IN_STOCK},
        {"可租", AVAIL_IN_STOCK},
        {"high", AVAIL_IN_STOCK},
        {"medium", AVAIL_IN_STOCK},
        {"true", AVAIL_IN_STOCK},
        {"sell", AVAIL_IN_STOCK},
    };
    int64_t free_units = -1;
    bool is_counted = read_counts(cell, &free_units);
    int said = words_first(cell, SIGNS(signs), AVAIL_UNKNOWN);
    *ret_stock = free_units;
    /* "售罄0/8" says it twice; "可租16/16满租" contradicts itself and stays unknown. */
    if (!is_counted) return (enum availability)said;
    bool is_full = words_have(cell, "满租");
    if (is_full && free_units > 0) return AVAIL_UNKNOWN;
    if (free_units == 0) return AVAIL_SOLD_OUT;
    return said == AVAIL_UNKNOWN ? AVAIL_IN_STOCK : (enum availability)said;
}

enum tax terms_tax(struct gt_str words, enum tax otherwise)
{
    static const struct word_sign signs[] = {
        {"不含税", TAX_EXCLUDED},    {"未税", TAX_EXCLUDED},          {"未含税", TAX_EXCLUDED},       {"税前", TAX_EXCLUDED},
        {"excl. vat", TAX_EXCLUDED}, {"excluding tax", TAX_EXCLUDED}, {"plus vat", TAX_EXCLUDED},     {"含税", TAX_INCLUDED},
        {"incl. vat", TAX_INCLUDED}, {"including tax", TAX_INCLUDED}, {"tax included", TAX_INCLUDED},
    };
    return (enum tax)words_first(words, SIGNS(signs), (int)otherwise);
}

/* Whole phrases: "秒" alone stands in prices by the second, which are no step of the bill. */
int32_t terms_billing_step_s(struct gt_str words)
{
    static const struct word_sign signs[] = {
        {"按秒计费", 1},
        {"per-second billing", 1},
        {"billed per second", 1},
        {"billed by the second", 1},
        {"按分钟计费", MINUTE_S},
        {"per-minute billing", MINUTE_S},
        {"billed per minute", MINUTE_S},
        {"billed by the minute", MINUTE_S},
        {"按小时计费", HOUR_S},
        {"按时计费", HOUR_S},
        {"billed hourly", HOUR_S},
        {"billed per hour", HOUR_S},
        {"按天计费", DAY_S},
        {"billed daily", DAY_S},
    };
    return words_first(words, SIGNS(signs), 0);
}

/* From the first link named to the last, with what is printed between: "NVLink + 3.2T RoCE". */
struct gt_str terms_interconnect(struct gt_str words)
{
    static const char *const links[] = {"nvlink", "nvswitch", "hccs",      "infiniband", "ib",   "roce",
                                        "rocev2", "rdma",     "metaxlink", "mtlink",     "xgmi", "infinity fabric"};
    size_t first = SIZE_MAX, end = 0;
    struct words_pairs pairs = words_pairs(words);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (!words_may_have(&pairs, links[i])) continue;
        for (size_t at = words_find(words, links[i], 0); at != SIZE_MAX; at = words_find(words, links[i], at + 1)) {
            if (at < first) first = at;
            if (at + strlen(links[i]) > end) end = at + strlen(links[i]);
        }
    }
    return first == SIZE_MAX ? (struct gt_str){NULL, 0} : gt_str_slice(words, first, end - first);
}

/* The first word decides; words that are none of these stay a condition in words, which holds for nobody. */
enum cond_kind terms_condition(struct gt_str words)
{
    static const struct word_sign signs[] = {
        {"月付", COND_PREPAY_MONTH},    {"包月", COND_PREPAY_MONTH},     {"month", COND_PREPAY_MONTH},
        {"monthly", COND_PREPAY_MONTH}, {"年付", COND_PREPAY_YEAR},      {"包年", COND_PREPAY_YEAR},
        {"year", COND_PREPAY_YEAR},     {"yearly", COND_PREPAY_YEAR},    {"annual", COND_PREPAY_YEAR},
        {"学生", COND_STUDENT},         {"教育", COND_STUDENT},          {"student", COND_STUDENT},
        {"企业", COND_ENTERPRISE},      {"enterprise", COND_ENTERPRISE}, {"新人", COND_NEW_CUSTOMER},
        {"新用户", COND_NEW_CUSTOMER},  {"首单", COND_NEW_CUSTOMER},     {"new-customer", COND_NEW_CUSTOMER},
        {"会员", COND_MEMBER},          {"member", COND_MEMBER},         {"夜间", COND_NIGHT},
        {"闲时", COND_NIGHT},           {"night", COND_NIGHT},           {"节日", COND_HOLIDAY},
        {"节假日", COND_HOLIDAY},       {"holiday", COND_HOLIDAY},       {"活动", COND_PROMOTION},
        {"promotion", COND_PROMOTION},  {"促销", COND_PROMOTION},        {"promo", COND_PROMOTION},
    };
    return (enum cond_kind)words_first(words, SIGNS(signs), COND_WORDS);
}

bool terms_is_promotion(struct gt_str words)
{
    static const char *const signs[] = {"活动期",   "活动价", "活动中",      "促销价",     "限时价",
                                        "限时特价", "秒杀",   "promo price", "promotional"};
    struct words_pairs pairs = words_pairs(words);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (words_may_have(&pairs, signs[i]) && words_have(words, signs[i])) return true;
    return false;
}

/* Rows that price a core, a disk or traffic stand in the same tables as cards, and would be the cheapest cards of all. */
bool terms_is_component(struct gt_str label, const char **ret_reason)
{
    enum { CPU, STORAGE };
    static const struct word_sign signs[] = {
        {"cpu", CPU},        {"vcpu", CPU},          {"vcpus", CPU},       {"cores", CPU},    {"core", CPU},
        {"memory", STORAGE}, {"ram", STORAGE},       {"storage", STORAGE}, {"disk", STORAGE}, {"volume", STORAGE},
        {"egress", STORAGE}, {"bandwidth", STORAGE}, {"存储", STORAGE},    {"硬盘", STORAGE}, {"云盘", STORAGE},
        {"数据盘", STORAGE}, {"内存", STORAGE},      {"带宽", STORAGE},    {"流量", STORAGE}, {"快照", STORAGE},
        {"镜像", STORAGE},   {"公网", STORAGE},      {"无卡", CPU},
    };
    int kind = words_first(label, SIGNS(signs), -1);
    if (kind >= 0) *ret_reason = kind == CPU ? "cpu" : "storage";
    return kind >= 0;
}
