/* Typed values: checked once when a file is read, read without failing afterwards. */
#include <stdio.h>
#include <stdlib.h>

#include "common/civil.h"
#include "common/conf_internal.h"

enum { NUMBER_DIGITS_MAX = 18 };

/* Reads leading digits of *text (1 to 18 of them) and cuts them off. */
static bool take_number(struct gt_str *text, int64_t *ret)
{
    size_t digits = 0;
    int64_t value = 0;
    while (digits < text->len && text->ptr[digits] >= '0' && text->ptr[digits] <= '9') {
        if (digits == NUMBER_DIGITS_MAX) return false;
        value = value * 10 + (text->ptr[digits++] - '0');
    }
    *text = gt_str_slice(*text, digits, SIZE_MAX);
    *ret = value;
    return digits > 0;
}

struct unit {
    const char *name;
    int64_t factor;
};

/* A number and one of the units; bare numbers only when `bare` is set (then it is their factor). */
static bool parse_with_unit(struct gt_str text, const struct unit *units, size_t count, int64_t bare, int64_t *ret)
{
    int64_t number;
    if (!take_number(&text, &number)) return false;
    int64_t factor = text.len == 0 && (bare != 0 || number == 0) ? (bare != 0 ? bare : 1) : 0;
    for (size_t i = 0; i < count; i++)
        if (gt_str_is(text, units[i].name)) factor = units[i].factor;
    return factor != 0 && !__builtin_mul_overflow(number, factor, ret);
}

bool conf_parse_duration(struct gt_str text, int64_t *ret_ms)
{
    static const struct unit units[] = {{"ms", 1},          {"s", 1000},          {"m", 60000},
                                        {"h", 3600000},     {"d", 86400000},      {"w", 604800000}};
    return parse_with_unit(text, units, sizeof units / sizeof units[0], 0, ret_ms);
}

bool conf_parse_size(struct gt_str text, int64_t *ret_bytes)
{
    static const struct unit units[] = {{"k", 1024}, {"K", 1024}, {"M", 1048576}, {"G", 1073741824}};
    return parse_with_unit(text, units, sizeof units / sizeof units[0], 1, ret_bytes);
}

static bool parse_int(struct gt_str text, int64_t *ret)
{
    bool is_negative = text.len > 0 && text.ptr[0] == '-';
    struct gt_str digits = gt_str_slice(text, is_negative, SIZE_MAX);
    if (!take_number(&digits, ret) || digits.len > 0) return false;
    if (is_negative) *ret = -*ret;
    return true;
}

/* "low..high" */
static bool in_range(const char *range, int64_t value)
{
    if (range[0] == '\0') return true;
    char *end;
    long long low = strtoll(range, &end, 10);
    long long high = strtoll(end + 2, NULL, 10);
    return value >= low && value <= high;
}

static bool word_in(const char *range, struct gt_str text)
{
    struct gt_str rest = gt_str_from(range), word;
    while (gt_str_split(&rest, '|', &word))
        if (gt_str_eq(word, text)) return true;
    return false;
}

/* By its characters: strtod would take "1e3", "inf" and, in some locales, a comma. */
static bool is_decimal(struct gt_str text)
{
    size_t digits = 0, points = 0;
    for (size_t i = text.len > 0 && text.ptr[0] == '-'; i < text.len; i++) {
        if (text.ptr[i] == '.') points++;
        else if (text.ptr[i] >= '0' && text.ptr[i] <= '9') digits++;
        else return false;
    }
    return digits > 0 && points <= 1;
}

/* The message is set also when the value is good: it is what a caller says that wants another one. */
bool conf_value_check(const struct conf_key *key, struct gt_str text, char *message, size_t message_max)
{
    int64_t n = 0;
    switch (key->type) {
    case CONF_TEXT:
    case CONF_RULE:
        snprintf(message, message_max, "a text");
        return true;
    case CONF_INT:
        snprintf(message, message_max, "a whole number %s", key->range);
        return parse_int(text, &n) && in_range(key->range, n);
    case CONF_BOOL:
        snprintf(message, message_max, "yes or no");
        return word_in("yes|no", text);
    case CONF_DURATION:
        snprintf(message, message_max, "a duration such as 30s, 10m, 6h, 2d (%s seconds)", key->range);
        return conf_parse_duration(text, &n) && in_range(key->range, n / 1000);
    case CONF_SIZE:
        snprintf(message, message_max, "a size such as 64k or 8M (%s bytes)", key->range);
        return conf_parse_size(text, &n) && in_range(key->range, n);
    case CONF_DECIMAL:
        snprintf(message, message_max, "a number such as 0.01");
        return is_decimal(text);
    case CONF_ENUM:
        snprintf(message, message_max, "one of %s", key->range);
        return word_in(key->range, text);
    case CONF_DATE:
        snprintf(message, message_max, "a date such as 2027-03-31");
        return civil_parse(text, &n);
    }
    return false;
}

struct gt_str conf_text(const struct conf_section *section, const char *key)
{
    const struct conf_value *value = conf_get(section, key);
    return value != NULL ? value->text : (struct gt_str){NULL, 0};
}

int64_t conf_int(const struct conf_section *section, const char *key, int64_t otherwise)
{
    const struct conf_value *value = conf_get(section, key);
    int64_t n;
    return value != NULL && parse_int(value->text, &n) ? n : otherwise;
}

bool conf_bool(const struct conf_section *section, const char *key, bool otherwise)
{
    const struct conf_value *value = conf_get(section, key);
    return value != NULL ? gt_str_is(value->text, "yes") : otherwise;
}

int64_t conf_duration_ms(const struct conf_section *section, const char *key, int64_t otherwise)
{
    const struct conf_value *value = conf_get(section, key);
    int64_t ms;
    return value != NULL && conf_parse_duration(value->text, &ms) ? ms : otherwise;
}

int64_t conf_size(const struct conf_section *section, const char *key, int64_t otherwise)
{
    const struct conf_value *value = conf_get(section, key);
    int64_t bytes;
    return value != NULL && conf_parse_size(value->text, &bytes) ? bytes : otherwise;
}
