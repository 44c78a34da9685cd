/* Events as one line of text. */
#include "alerts/event.h"
#include "common/utf8.h"
#include "reports/labels.h"

/* How a kind is told where no price is. %s: the detail, when there is one. */
struct saying {
    const char *what;
    const char *zh, *en;
};

static const struct saying sayings[] = {
    {"sold-out", "售罄", "sold out"},
    {"back-in-stock", "恢复有货", "back in stock"},
    {"delisted", "下架", "delisted"},
    {"relisted", "重新上架", "listed again"},
    {"appeared", "新上架", "new"},
    {"promotion-began", "促销开始", "promotion began"},
    {"promotion-ended", "促销结束", "promotion ended"},
    {"terms", "条款变化", "terms changed"},
    {"unit", "计价单位变化", "unit changed"},
    {"doubted", "待核", "doubted"},
    {"source-failed", "来源抓取失败", "source failed"},
    {"source-recovered", "来源恢复", "source recovered"},
    {"network-down", "所有来源都抓取失败，疑似本机网络故障", "every source failed: this machine's network seems to be down"},
    {"drift", "页面结构变了，规则待修", "the page has changed: its rules need mending"},
    {"source-stale", "长时间无有效数据", "no good run for long"},
    {"sold-out-on", "多家平台售罄", "sold out on several platforms"},
    {"promotion-ending", "促销即将结束", "promotion about to end"},
    {"offers-moved", "在列报价条数变动", "number of offers moved"},
    {"finding", "核对发现新疑点", "new finding of the audit"},
    {"index-moved", "价格指数变动", "the price index moved"},
    {"report", "GPU 租价周报", "weekly report of GPU prices"},
    {"test", "测试消息", "test message"},
};

const char *event_what(enum change_kind change)
{
    return word_text(VOCABULARY_CHANGE, (int)change);
}

const char *event_what_beyond(enum direction direction)
{
    return direction == DIRECTION_BELOW ? "price-below" : "price-above";
}

/* The words of an event, as one language tells them. */
struct language {
    bool is_zh;
    const char *sample, *hour, *month, *net, *list, *low, *up, *down, *against, *below, *above;
};

static const struct language zh = {true,         "[示例数据] ", "小时", "月",   "折后",   "目录价",
                                   "可组内最低", "上涨",        "下降", "对比", "不高于", "不低于"};
static const struct language en = {false,       "[SAMPLE] ", "hour", "month",   "net",         "list",
                                   "class low", "up",        "down", "against", "at or below", "at or above"};

/* An unknown kind is told by its own word rather than not at all. */
static struct gt_str saying_of(const struct event *event, const struct language *lang)
{
    for (size_t i = 0; i < sizeof sayings / sizeof sayings[0]; i++)
        if (strcmp(sayings[i].what, event->what) == 0) return gt_str_from(lang->is_zh ? sayings[i].zh : sayings[i].en);
    return gt_str_from(event->what);
}

/* "previous", "median 7d" and "last-alerted" in Chinese. */
static struct gt_str reference_zh(const struct event *event, struct arena *arena)
{
    if (event->when->kind == WHEN_MARKET) return arena_printf(arena, "现租 %.*s", GT_STR_ARG(event->detail));
    if (event->when->kind == WHEN_LOW) return arena_printf(arena, event->when->direction == DIRECTION_RISES ? "%d 日最高" : "%d 日最低", event->when->days);
    if (event->when->reference == REFERENCE_MEDIAN) return arena_printf(arena, "%d 日中位数", event->when->days);
    return event->when->reference == REFERENCE_PREVIOUS ? GT_STR("上次") : GT_STR("上次提醒");
}

/* "1341 → 1074 CNY, down 19.9 % against previous". */
static struct gt_str moved_text(const struct event *event, const struct language *lang, struct arena *arena)
{
    char before[MONEY_TEXT_MAX], now[MONEY_TEXT_MAX];
    struct gt_str percent = metric_percent(event->before.nano, event->now.nano, arena);
    if (percent.len > 0 && percent.ptr[0] == '-') percent = gt_str_slice(percent, 1, percent.len);
    bool is_up = event->now.nano > event->before.nano;
    struct gt_str reference = lang->is_zh ? reference_zh(event, arena) : event->reference;
    return arena_printf(arena, lang->is_zh ? "%s → %s %s，%s %.*s%%（%s%.*s）" : "%s → %s %s, %s %.*s %% (%s %.*s)",
                        money_format(event->before.nano, before), money_format(event->now.nano, now), event->now.currency.code,
                        is_up ? lang->up : lang->down, GT_STR_ARG(percent), lang->against, GT_STR_ARG(reference));
}

/* "1074 CNY, at or below 1100". */
static struct gt_str threshold_text(const struct event *event, const struct language *lang, struct arena *arena)
{
    char now[MONEY_TEXT_MAX], amount[MONEY_TEXT_MAX];
    return arena_printf(arena, lang->is_zh ? "%s %s，%s %s" : "%s %s, %s %s", money_format(event->now.nano, now),
                        event->now.currency.code, event->when->direction == DIRECTION_BELOW ? lang->below : lang->above,
                        money_format(event->when->amount_nano, amount));
}

/* What happened, with the figure it is about: "月 折后 1341 → 1074 CNY …". */
static struct gt_str happening(const struct event *event, const struct language *lang, struct arena *arena)
{
    if (event->when == NULL || !event->now.is_known) {
        struct gt_str saying = saying_of(event, lang), detail = lang->is_zh ? event->detail_zh : event->detail;
        if (detail.len == 0) detail = label_sentence(arena, lang->is_zh ? LANG_ZH : LANG_EN, event->detail);
        if (detail.len == 0) return saying;
        return arena_printf(arena, lang->is_zh ? "%.*s：%.*s" : "%.*s: %.*s", GT_STR_ARG(saying), GT_STR_ARG(detail));
    }
    bool is_move = event->when->kind != WHEN_THRESHOLD;
    struct gt_str figures = is_move ? moved_text(event, lang, arena) : threshold_text(event, lang, arena);
    bool is_list = event->when->metric == METRIC_MONTH_LIST || event->when->metric == METRIC_HOUR_LIST;
    return arena_printf(arena, lang->is_zh ? "%s%s每卡每%s%s %.*s" : "%s%sper card and %s, %s: %.*s",
                        event->when->is_class ? lang->low : "", event->when->is_class ? (lang->is_zh ? "，" : ", ") : "",
                        metric_is_hourly(event->when->metric) ? lang->hour : lang->month, is_list ? lang->list : lang->net,
                        GT_STR_ARG(figures));
}

/* Whom it happened to: site, card, label; or the class. */
static struct gt_str subject_of(const struct event *event, struct arena *arena)
{
    struct gt_str site = event->site_title.len > 0 ? event->site_title : event->site;
    if (event->class_key.len > 0) /* of "network-down" it is no name */
        return event->identity == NULL ? GT_STR("")
                                       : arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(event->class_key), GT_STR_ARG(site));
    if (event->identity == NULL) return site;
    const char *sku = event->attributes != NULL ? event->attributes->sku : "";
    return arena_printf(arena, "%.*s%s%s%s%.*s%s%.*s%s%.*s", GT_STR_ARG(site), site.len > 0 ? " · " : "", sku,
                        sku[0] != '\0' ? " · " : "", GT_STR_ARG(event->identity->label),
                        event->identity->plan.len > 0 ? " / " : "", GT_STR_ARG(event->identity->plan),
                        event->identity->region.len > 0 ? " / " : "", GT_STR_ARG(event->identity->region));
}

/* Scraped labels are made printable last, so that nothing of theirs can break the line. */
static struct gt_str text_in(const struct event *event, const struct language *lang, struct arena *arena)
{
    struct gt_str subject = subject_of(event, arena);
    struct gt_str line = arena_printf(arena, lang->is_zh ? "%s%.*s%s%.*s" : "%s%.*s%s%.*s", event->is_sample ? lang->sample : "",
                                      GT_STR_ARG(subject), subject.len > 0 ? (lang->is_zh ? "：" : ": ") : "",
                                      GT_STR_ARG(happening(event, lang, arena)));
    return line.ptr != NULL ? utf8_printable(line, arena) : line;
}

struct gt_str event_text_zh(const struct event *event, struct arena *arena)
{
    return text_in(event, &zh, arena);
}

struct gt_str event_text_en(const struct event *event, struct arena *arena)
{
    return text_in(event, &en, arena);
}
