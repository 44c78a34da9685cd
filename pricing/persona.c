/* Who asks, in one line of words. The same text stands in sites.conf, on the command line and in stored reports, so what is
 * printed reads back as itself; a misspelt word is an error with the nearest one named, never passed over. */
#include "pricing/persona.h"

#include <stdio.h>

#include "common/nearest.h"

enum { MONTHS_MAX = 120, HOURS_MAX = 744, MONTHS_OF_A_YEAR = 12, CAUSE_MAX = 96 };

/* What each preset stands for; documented in pricing/README.md. */
struct preset {
    const char *name;
    struct persona persona;
};

#define NOBODY .pay = PERIOD_MONTH, .months = 1, .cards = 1, .market = -1
static const struct preset presets[] = {
    /* One card in the evenings: by the hour, as many hours as a working month has. */
    {"individual", {.pay = PERIOD_HOUR, .months = 1, .hours_per_month = 160, .cards = 1, .market = -1}},
    /* A young company: monthly, stays a quarter, verified as a company. */
    {"startup", {.pay = PERIOD_MONTH, .months = 3, .cards = 1, .is_enterprise = 1, .market = -1}},
    /* A service that runs all year on single cards. */
    {"inference", {.pay = PERIOD_MONTH, .months = 12, .cards = 1, .is_enterprise = 1, .market = -1}},
    /* A training run: whole nodes, a quarter. */
    {"training", {.pay = PERIOD_MONTH, .months = 3, .cards = 8, .is_enterprise = 1, .market = -1}},
    {"domestic", {.pay = PERIOD_MONTH, .months = 1, .cards = 1, .market = MARKET_DOMESTIC}},
    {"overseas", {.pay = PERIOD_MONTH, .months = 1, .cards = 1, .market = MARKET_OVERSEAS}},
};

enum { PRESET_TOTAL = sizeof presets / sizeof presets[0] };

struct persona persona_default(void)
{
    return (struct persona){NOBODY};
}

/* Digits only, low..high. */
static bool number_in(struct gt_str text, int32_t low, int32_t high, int32_t *ret)
{
    int32_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || value > high) return false;
        value = value * 10 + (text.ptr[i] - '0');
    }
    if (text.len == 0 || value < low || value > high) return false;
    *ret = value;
    return true;
}

/* The setters return NULL, or what the value should have been. */
static const char *set_pay(struct persona *persona, struct gt_str value)
{
    int period;
    if (!word_find(VOCABULARY_PERIOD, value, &period)) return "hour, month or year";
    if (period != PERIOD_HOUR && period != PERIOD_MONTH && period != PERIOD_YEAR) return "hour, month or year";
    persona->pay = (enum period)period;
    return NULL;
}

/* Longer terms than ten years are slips of the finger. */
static const char *set_months(struct persona *persona, struct gt_str value)
{
    return number_in(value, 1, MONTHS_MAX, &persona->months) ? NULL : "1 to 120";
}

/* A month of 31 days has 744. */
static const char *set_hours(struct persona *persona, struct gt_str value)
{
    return number_in(value, 1, HOURS_MAX, &persona->hours_per_month) ? NULL : "1 to 744 hours a month";
}

/* As many as a unit may have. */
static const char *set_cards(struct persona *persona, struct gt_str value)
{
    return number_in(value, 1, CARDS_MAX, &persona->cards) ? NULL : "1 to 4096";
}

/* Any words: levels are called what each site calls them. */
static const char *set_member(struct persona *persona, struct gt_str value)
{
    persona->member = value;
    return value.len > 0 ? NULL : "a level's name";
}

/* "any" takes back what a preset set. */
static const char *set_market(struct persona *persona, struct gt_str value)
{
    if (gt_str_is(value, "any")) persona->market = -1;
    else if (!word_find(VOCABULARY_MARKET, value, &persona->market)) return "domestic, overseas or any";
    return NULL;
}

/* Words that stand alone; "student=no" takes one back that a preset set. */
static const char *set_flag(uint8_t *flag, struct gt_str value)
{
    if (value.len != 0 && !gt_str_is(value, "yes") && !gt_str_is(value, "no")) return "yes or no";
    *flag = !gt_str_is(value, "no");
    return NULL;
}

/* A verified student. */
static const char *set_student(struct persona *persona, struct gt_str value)
{
    return set_flag(&persona->is_student, value);
}

/* A verified company. */
static const char *set_enterprise(struct persona *persona, struct gt_str value)
{
    return set_flag(&persona->is_enterprise, value);
}

/* Somebody who has not ordered here before. */
static const char *set_new(struct persona *persona, struct gt_str value)
{
    return set_flag(&persona->is_new_customer, value);
}

/* Somebody whose work may be interrupted. */
static const char *set_spot(struct persona *persona, struct gt_str value)
{
    return set_flag(&persona->takes_spot, value);
}

static const struct setter {
    const char *name;
    const char *(*set)(struct persona *persona, struct gt_str value);
} setters[] = {
    {"pay", set_pay},         {"months", set_months},         {"hours", set_hours},      {"cards", set_cards},
    {"student", set_student}, {"enterprise", set_enterprise}, {"new-customer", set_new}, {"spot", set_spot},
    {"member", set_member},   {"market", set_market},
};

enum { SETTER_TOTAL = sizeof setters / sizeof setters[0] };

/* The nearest of all words that may stand there, for the message. */
static enum gt_err fail_word(struct gt_str word, bool presets_too, struct gt_errinfo *info)
{
    const char *names[SETTER_TOTAL + PRESET_TOTAL];
    size_t count = 0;
    for (size_t i = 0; i < SETTER_TOTAL; i++) names[count++] = setters[i].name;
    for (size_t i = 0; i < PRESET_TOTAL && presets_too; i++) names[count++] = presets[i].name;
    const char *nearest = nearest_word(word, names, count);
    if (nearest == NULL)
        return gt_fail(info, GT_EUSAGE, "persona: unknown word \"%.*s\"", GT_STR_ARG(gt_str_cut(word, CAUSE_MAX)));
    return gt_fail(info, GT_EUSAGE, "persona: unknown word \"%.*s\", did you mean \"%s\"?",
                   GT_STR_ARG(gt_str_cut(word, CAUSE_MAX)), nearest);
}

/* One "key=value" or flag of the list. */
static enum gt_err read_pair(struct persona *persona, struct gt_str pair, bool is_first, struct gt_errinfo *info)
{
    struct gt_str value = pair, key;
    gt_str_split(&value, '=', &key);
    value = gt_str_trim(value);
    for (size_t i = 0; i < SETTER_TOTAL; i++) {
        if (!gt_str_is(key, setters[i].name)) continue;
        const char *wanted = setters[i].set(persona, value);
        if (wanted == NULL) return GT_OK;
        return gt_fail(info, GT_EUSAGE, "persona: %s wants %s, not \"%.*s\"", setters[i].name, wanted,
                       GT_STR_ARG(gt_str_cut(value, CAUSE_MAX)));
    }
    return fail_word(key, is_first, info);
}

/* Presets are whole personas; what follows in the list changes them. */
static bool preset_find(struct gt_str name, struct persona *persona)
{
    for (size_t i = 0; i < PRESET_TOTAL; i++)
        if (gt_str_is(name, presets[i].name)) {
            *persona = presets[i].persona;
            return true;
        }
    return false;
}

enum gt_err persona_read(struct gt_str text, struct persona *ret_persona, struct gt_errinfo *info)
{
    struct persona persona = persona_default();
    struct gt_str rest = text, piece;
    for (bool is_first = true; gt_str_split(&rest, ',', &piece); is_first = false) {
        if (piece.len == 0) continue;
        if (is_first && preset_find(piece, &persona)) continue;
        enum gt_err err = read_pair(&persona, piece, is_first, info);
        if (err != GT_OK) return err;
    }
    /* Who pays a year at once stays a year at least. */
    if (persona.pay == PERIOD_YEAR && persona.months < MONTHS_OF_A_YEAR) persona.months = MONTHS_OF_A_YEAR;
    *ret_persona = persona;
    return GT_OK;
}

/* Reads back as the same persona, and leaves out what is as usual: it stands in reports, alerts and addresses. */
struct gt_str persona_print(const struct persona *persona, struct arena *arena)
{
    char months[24] = "", hours[24] = "", cards[24] = "";
    if (persona->months != 1) snprintf(months, sizeof months, ",months=%d", (int)persona->months);
    if (persona->hours_per_month != 0) snprintf(hours, sizeof hours, ",hours=%d", (int)persona->hours_per_month);
    if (persona->cards != 1) snprintf(cards, sizeof cards, ",cards=%d", (int)persona->cards);
    return arena_printf(arena, "pay=%s%s%s%s%s%s%s%s%s%.*s%s%s", word_text(VOCABULARY_PERIOD, (int)persona->pay), months, hours,
                        cards, persona->is_student ? ",student" : "", persona->is_enterprise ? ",enterprise" : "",
                        persona->is_new_customer ? ",new-customer" : "", persona->takes_spot ? ",spot" : "",
                        persona->member.len > 0 ? ",member=" : "", GT_STR_ARG(persona->member),
                        persona->market >= 0 ? ",market=" : "",
                        persona->market >= 0 ? word_text(VOCABULARY_MARKET, persona->market) : "");
}
