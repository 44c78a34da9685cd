/* A hand-written reader, for three reasons: libcurl's goes wrong on large and past values, the C library's asks the locale
 * for the names of months, and every value must end between nothing and a day. */
#include "net/retry_after.h"

#include "common/civil.h"
#include "net/header.h"

/* An ASCII digit. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes 1..digits_max digits off the front. */
static bool take_number(struct gt_str *rest, size_t digits_max, int *ret_number)
{
    size_t n = 0;
    int number = 0;
    while (n < rest->len && n < digits_max && is_digit(rest->ptr[n])) number = number * 10 + (rest->ptr[n++] - '0');
    if (n == 0) return false;
    *rest = gt_str_slice(*rest, n, SIZE_MAX);
    *ret_number = number;
    return true;
}

/* Takes the words off the front when they stand there. */
static bool take_text(struct gt_str *rest, const char *text)
{
    struct gt_str wanted = gt_str_from(text);
    if (!gt_str_starts(*rest, wanted)) return false;
    *rest = gt_str_slice(*rest, wanted.len, SIZE_MAX);
    return true;
}

/* Takes any number of one sign off the front. */
static void skip(struct gt_str *rest, char c)
{
    while (rest->len > 0 && rest->ptr[0] == c) *rest = gt_str_slice(*rest, 1, SIZE_MAX);
}

/* Takes a month's English name, three letters. */
static bool take_month(struct gt_str *rest, int *ret_month)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (int i = 0; i < 12; i++)
        if (gt_str_eq_nocase(gt_str_slice(*rest, 0, 3), (struct gt_str){names + (size_t)i * 3, 3})) {
            *rest = gt_str_slice(*rest, 3, SIZE_MAX);
            *ret_month = i + 1;
            return true;
        }
    return false;
}

/* Takes "08:49:37" as seconds of the day; 60 is a leap second. */
static bool take_clock(struct gt_str *rest, int *ret_second)
{
    int hour, minute, second;
    if (!take_number(rest, 2, &hour) || !take_text(rest, ":") || !take_number(rest, 2, &minute) || !take_text(rest, ":") ||
        !take_number(rest, 2, &second) || hour > 23 || minute > 59 || second > 60)
        return false;
    *ret_second = hour * CIVIL_HOUR_S + minute * CIVIL_MINUTE_S + second;
    return true;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" and "Sunday, 06-Nov-94 08:49:37 GMT" after their comma. */
static bool take_day_first(struct gt_str *rest, int *ret_year, int *ret_month, int *ret_day, int *ret_second)
{
    skip(rest, ' ');
    if (!take_number(rest, 2, ret_day)) return false;
    bool is_dashed = take_text(rest, "-");
    if (!is_dashed && !take_text(rest, " ")) return false;
    if (!take_month(rest, ret_month) || !take_text(rest, is_dashed ? "-" : " ")) return false;
    size_t before = rest->len;
    if (!take_number(rest, 4, ret_year)) return false;
    if (before - rest->len == 2) *ret_year += *ret_year < 70 ? 2000 : 1900;
    if (!take_text(rest, " ") || !take_clock(rest, ret_second)) return false;
    return take_text(rest, " GMT") || take_text(rest, " UTC") || take_text(rest, " +0000");
}

/* "Nov  6 08:49:37 1994", asctime's, after the day's name. */
static bool take_month_first(struct gt_str *rest, int *ret_year, int *ret_month, int *ret_day, int *ret_second)
{
    skip(rest, ' ');
    if (!take_month(rest, ret_month)) return false;
    skip(rest, ' ');
    return take_number(rest, 2, ret_day) && take_text(rest, " ") && take_clock(rest, ret_second) && take_text(rest, " ") &&
           take_number(rest, 4, ret_year);
}

/* All three forms of RFC 9110; the day's name is not checked, since servers get it wrong and mean the date. */
bool http_date_parse(struct gt_str text, int64_t *ret_unix_s)
{
    struct gt_str rest = gt_str_trim(text);
    int year = 0, month = 0, day = 0, second = 0;
    size_t letters = 0;
    while (letters < rest.len && rest.ptr[letters] != ',' && rest.ptr[letters] != ' ') letters++;
    bool has_comma = letters < rest.len && rest.ptr[letters] == ',';
    rest = gt_str_slice(rest, letters + 1, SIZE_MAX);
    bool is_read =
        has_comma ? take_day_first(&rest, &year, &month, &day, &second) : take_month_first(&rest, &year, &month, &day, &second);
    if (!is_read || rest.len > 0 || day < 1 || day > 31 || year < 1900) return false;
    *ret_unix_s = civil_midnight_unix(year, month, day, 0) + second;
    return true;
}

/* Digits beyond the limit count as the limit: twenty of them are a mistake, but they say "long". */
bool retry_after_parse(struct gt_str value, int64_t now_unix_s, int64_t *ret_wait_s)
{
    struct gt_str rest = gt_str_trim(value);
    int64_t wait_s = 0, at_unix_s;
    size_t digits = 0;
    while (digits < rest.len && is_digit(rest.ptr[digits])) {
        wait_s = wait_s * 10 + (rest.ptr[digits++] - '0');
        if (wait_s > RETRY_AFTER_MAX_S) wait_s = RETRY_AFTER_MAX_S;
    }
    if (digits == 0 || digits != rest.len) {
        if (!http_date_parse(rest, &at_unix_s)) return false;
        wait_s = at_unix_s > now_unix_s ? at_unix_s - now_unix_s : 0;
    }
    *ret_wait_s = wait_s < RETRY_AFTER_MAX_S ? wait_s : RETRY_AFTER_MAX_S;
    return true;
}

/* Of several the longest: coming too late is polite. */
bool retry_after_find(struct gt_str header_block, int64_t now_unix_s, int64_t *ret_wait_s)
{
    bool is_found = false;
    int64_t longest = 0, wait_s;
    for (size_t i = 0;; i++) {
        struct gt_str value = header_find(header_block, "Retry-After", i);
        if (value.ptr == NULL) break;
        if (!retry_after_parse(value, now_unix_s, &wait_s)) continue;
        is_found = true;
        if (wait_s > longest) longest = wait_s;
    }
    if (is_found) *ret_wait_s = longest;
    return is_found;
}
