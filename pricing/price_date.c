#include "pricing/price_date.h"

#include "common/civil.h"

enum { YEAR_MIN = 1990, YEAR_MAX = 2100, DATE_PARTS = 3 };

/* Reads up to `digits_max` digits; 0 when there are none or more. */
static size_t number_at(struct gt_str text, size_t at, size_t digits_max, int *ret_value)
{
    size_t len = 0;
    int value = 0;
    while (at + len < text.len && text.ptr[at + len] >= '0' && text.ptr[at + len] <= '9') {
        if (len == digits_max) return 0;
        value = value * 10 + (text.ptr[at + len] - '0');
        len++;
    }
    *ret_value = value;
    return len;
}

/* True when `literal` stands at `at`. */
static inline bool literal_at(struct gt_str text, size_t at, const char *literal)
{
    size_t len = strlen(literal);
    return at + len <= text.len && memcmp(text.ptr + at, literal, len) == 0;
}

/* How many blanks stand at `at`. */
static size_t blanks_at(struct gt_str text, size_t at)
{
    size_t len = 0;
    while (at + len < text.len && text.ptr[at + len] == ' ') len++;
    return len;
}

/* A date that the calendar could have; the 31st of every month is let pass, nothing depends on it. */
static bool is_possible(int year, int month, int day)
{
    return (year == 0 || (year >= YEAR_MIN && year <= YEAR_MAX)) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 2026年12月31日 and 12月31日, blanks allowed; the 日 (or 号) must stand there. */
static bool scan_han(struct gt_str text, size_t at, struct price_date *ret)
{
    static const char *const signs[] = {"年", "月", "日"};
    int part[DATE_PARTS] = {0};
    size_t from = at;
    for (int i = 0; i < DATE_PARTS; i++) {
        int value;
        size_t len = number_at(text, at, 4, &value);
        if (len == 0) return false;
        size_t sign = at + len + blanks_at(text, at + len);
        bool is_month_first = i == 0 && literal_at(text, sign, signs[1]);
        if (is_month_first) i = 1;
        if (!literal_at(text, sign, signs[i]) && !(i == 2 && literal_at(text, sign, "号"))) return false;
        part[i] = value;
        at = sign + 3 + blanks_at(text, sign + 3);
        if (i == 2) at = sign + 3;
    }
    if (!is_possible(part[0], part[1], part[2])) return false;
    *ret = (struct price_date){.year = part[0], .month = part[1], .day = part[2], .len = at - from};
    return true;
}

/* Day and month in either order before the year: 03/23/2022 is certain, 03/04/2022 is not. */
static bool order_day_month(int a, int b, int year, struct price_date *ret)
{
    ret->year = year;
    ret->month = a <= 12 && b > 12 ? a : b <= 12 && a > 12 ? b : a == b ? a : 0;
    ret->day = a <= 12 && b > 12 ? b : b <= 12 && a > 12 ? a : a == b ? a : 0;
    return a >= 1 && b >= 1 && (a <= 12 || b <= 12) && a <= 31 && b <= 31 && year >= YEAR_MIN && year <= YEAR_MAX;
}

/* Three numbers parted twice by the same sign of - / . */
static bool scan_signs(struct gt_str text, size_t at, struct price_date *ret)
{
    int part[DATE_PARTS];
    size_t digits[DATE_PARTS], from = at;
    char sign = '\0';
    for (int i = 0; i < DATE_PARTS; i++) {
        digits[i] = number_at(text, at, 4, &part[i]);
        if (digits[i] == 0) return false;
        at += digits[i];
        if (i == DATE_PARTS - 1) break;
        if (at >= text.len || (i > 0 && text.ptr[at] != sign)) return false;
        sign = text.ptr[at++];
        if (sign != '-' && sign != '/' && sign != '.') return false;
    }
    ret->len = at - from;
    if (digits[0] == 4 && digits[1] <= 2 && digits[2] <= 2) {
        ret->year = part[0], ret->month = part[1], ret->day = part[2];
        return is_possible(part[0], part[1], part[2]) && part[0] != 0;
    }
    return digits[2] == 4 && digits[0] <= 2 && digits[1] <= 2 && order_day_month(part[0], part[1], part[2], ret);
}

bool price_date_scan(struct gt_str text, size_t at, struct price_date *ret_date)
{
    struct price_date date = {.len = 0};
    int value;
    size_t end = at + number_at(text, at, 4, &value);
    if (end == at || end == text.len) return false;
    /* What stands behind the first number tells which of the two it may be: mostly none. */
    size_t behind = end + blanks_at(text, end);
    bool is_sign = text.ptr[end] == '-' || text.ptr[end] == '/' || text.ptr[end] == '.';
    bool is_han = literal_at(text, behind, "年") || literal_at(text, behind, "月");
    if (!(is_sign && scan_signs(text, at, &date)) && !(is_han && scan_han(text, at, &date))) return false;
    *ret_date = date;
    return true;
}

/* The month of an English name, whole or of three letters; its bytes in *ret_len. 0 when there is
 * none. */
static int month_at(struct gt_str text, size_t at, size_t *ret_len)
{
    static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                        "july",    "august",   "september", "october", "november", "december"};
    if (at >= text.len || strchr("jfmasond", text.ptr[at]) == NULL) return 0;
    for (int i = 0; i < 12; i++) {
        if (text.ptr[at] != names[i][0]) continue;
        size_t whole = strlen(names[i]);
        size_t len = literal_at(text, at, names[i])                                  ? whole
                     : at + 3 <= text.len && memcmp(text.ptr + at, names[i], 3) == 0 ? 3
                                                                                     : 0;
        if (len == 0) continue;
        size_t end = at + len;
        if (end < text.len && text.ptr[end] >= 'a' && text.ptr[end] <= 'z') continue;
        *ret_len = len + (end < text.len && text.ptr[end] == '.');
        return i + 1;
    }
    return 0;
}

/* An optional comma and blank, then a year. */
static size_t year_at(struct gt_str text, size_t at, int *ret_year)
{
    size_t skip = at < text.len && text.ptr[at] == ',';
    skip += blanks_at(text, at + skip);
    int year;
    if (skip == 0 || number_at(text, at + skip, 4, &year) != 4 || year < YEAR_MIN || year > YEAR_MAX) return 0;
    *ret_year = year;
    return skip + 4;
}

/* The month's name says which of the numbers is the day, on either side of it. */
bool price_date_scan_english(struct gt_str text, size_t at, struct price_date *ret_date)
{
    struct price_date date = {.len = 0};
    size_t from = at, name = 0, digits;
    bool is_day_first = text.ptr[at] >= '0' && text.ptr[at] <= '9';
    if (is_day_first) {
        digits = number_at(text, at, 2, &date.day);
        if (digits == 0 || blanks_at(text, at + digits) == 0) return false;
        at += digits + blanks_at(text, at + digits);
    }
    date.month = month_at(text, at, &name);
    if (date.month == 0) return false;
    at += name;
    if (!is_day_first) {
        at += blanks_at(text, at);
        digits = number_at(text, at, 2, &date.day);
        if (digits == 0) return false;
        at += digits;
    }
    if (!is_possible(0, date.month, date.day)) return false;
    at += year_at(text, at, &date.year);
    date.len = at - from;
    *ret_date = date;
    return true;
}

int64_t price_date_unix_s(const struct price_date *date, int32_t offset_s)
{
    if (date->year == 0 || date->month == 0 || date->day == 0) return 0;
    return civil_midnight_unix(date->year, date->month, date->day, offset_s);
}

size_t price_always_scan(struct gt_str text, size_t at)
{
    static const struct gt_str words[] = {{"24/7", 4}, {"24x7", 4}, {"24*7", 4}, {"24×7", 5}, {"7x24", 4}, {"7*24", 4}, {"7×24", 5}};
    static const struct gt_str hours[] = {{"小时", 6}, {" 小时", 7}, {"h", 1}};
    struct gt_str rest = gt_str_slice(text, at, SIZE_MAX);
    size_t len = 0;
    if (!gt_str_starts(rest, GT_STR("7")) && !gt_str_starts(rest, GT_STR("24"))) return 0; /* as nearly all numbers */
    for (size_t i = 0; i < sizeof words / sizeof words[0] && len == 0; i++) {
        if (gt_str_starts(rest, words[i])) len = words[i].len;
    }
    if (len == 0 || (rest.len > len && ((rest.ptr[len] >= '0' && rest.ptr[len] <= '9') || rest.ptr[len] == '.'))) return 0;
    for (size_t i = 0; i < sizeof hours / sizeof hours[0]; i++) {
        if (gt_str_starts(gt_str_slice(rest, len, SIZE_MAX), hours[i])) return len + hours[i].len;
    }
    return len;
}
