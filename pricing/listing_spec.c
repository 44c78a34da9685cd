/* Numbers that are no prices. Each is found by the unit behind it and, where a unit has several uses (GB), by the word beside
 * it. Models are full of digits (4090, A100, 910B2), so a count must stand free, and a bare number says nothing unless its cell
 * is made for it. */
#include "pricing/listing_spec.h"

#include "common/utf8.h"
#include "pricing/listing_words.h"
#include "pricing/offer.h"

enum {
    MILLI = 1000,
    DIGITS_MAX = 12,
    CARDS_IN_WORDS_MAX = 256, /* "4090 卡" is a model, not a count */
    CHOICE_DIGITS_MAX = 2,    /* of a count that others may be chosen instead of */
    MB_OF_A_GB = 1024,
    GB_OF_A_TB = 1024,
    MONTHS_OF_A_YEAR = 12,
    MONTHS_MAX = 120,
    VCPU_MAX = 4096,
    MB_FROM = 1024, /* no card has more GB: a larger bare number is MB */
};

/* A unit and what one of it counts, times 1000. */
struct unit {
    const char *word;
    int64_t milli;
};

/* Digits of both widths; -1 for anything else. */
static int digit_of(int32_t c)
{
    if (c >= '0' && c <= '9') return (int)(c - '0');
    return c >= 0xFF10 && c <= 0xFF19 ? (int)(c - 0xFF10) : -1;
}

/* Numerals that stand alone before 卡, 个月 and the like: 单 一 双 两 二 三 四 五 六 七 八 九 十. 0 for other characters. */
static int numeral_of(int32_t c)
{
    switch (c) {
    case 0x5355:
    case 0x4E00: return 1;
    case 0x53CC:
    case 0x4E24:
    case 0x4E8C: return 2;
    case 0x4E09: return 3;
    case 0x56DB: return 4;
    case 0x4E94: return 5;
    case 0x516D: return 6;
    case 0x4E03: return 7;
    case 0x516B: return 8;
    case 0x4E5D: return 9;
    case 0x5341: return 10;
    default: return 0;
    }
}

/* What glues a number to a name: "A100", "GT4.4XLARGE96", "H100-80". */
static bool is_name_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
}

/* Reads digits with at most one point from *at. */
static int64_t digits_at(struct gt_str text, size_t *at)
{
    int64_t value = 0, scale = MILLI;
    int digits = 0;
    bool has_point = false;
    while (*at < text.len) {
        size_t len, next_len;
        int32_t c = utf8_decode(text, *at, &len);
        int digit = digit_of(c);
        bool is_point = c == '.' && !has_point && *at + 1 < text.len && digit_of(utf8_decode(text, *at + 1, &next_len)) >= 0;
        if (digit < 0 && !is_point) break;
        *at += len;
        has_point |= is_point;
        if (is_point || ++digits > DIGITS_MAX) continue;
        if (has_point) scale /= 10;
        value = has_point ? value + digit * scale : value * 10 + digit * MILLI;
    }
    return digits > DIGITS_MAX ? 0 : value;
}

/* A byte that begins neither a digit of any width nor a numeral: nearly all do not. */
static bool begins_no_number(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < '0' || byte > '9') && byte != 0xE4 && byte != 0xE5 && byte != 0xEF;
}

/* A number glued to a name ("RTX4090") is part of that, which the caller is told: it may still be what counts ("x8"). */
bool spec_number_next(struct gt_str text, size_t *at, struct spec_number *ret)
{
    for (size_t len; *at < text.len; *at += len) {
        len = 1;
        if (begins_no_number(text.ptr[*at])) continue;
        int32_t c = utf8_decode(text, *at, &len);
        int numeral = numeral_of(c);
        if (digit_of(c) < 0 && numeral == 0) continue;
        ret->begin = *at;
        ret->is_glued = numeral == 0 && *at > 0 && is_name_byte(text.ptr[*at - 1]);
        if (numeral != 0) *at += len;
        ret->milli = numeral != 0 ? (int64_t)numeral * MILLI : digits_at(text, at);
        ret->end = *at;
        return true;
    }
    return false;
}

/* What follows a number: blanks and opening marks skipped. */
static struct gt_str after(struct gt_str text, size_t end)
{
    while (end < text.len && (text.ptr[end] == ' ' || text.ptr[end] == '\t')) end++;
    return gt_str_slice(text, end, SIZE_MAX);
}

/* What precedes a number: blanks and colons left out. */
static struct gt_str before(struct gt_str text, size_t begin)
{
    struct gt_str head = gt_str_trim(gt_str_slice(text, 0, begin));
    while (gt_str_ends(head, GT_STR("：")) || gt_str_ends(head, GT_STR(":"))) {
        size_t mark = gt_str_ends(head, GT_STR(":")) ? 1 : strlen("：");
        head = gt_str_trim(gt_str_slice(head, 0, head.len - mark));
    }
    return head;
}

/* The text ends with the word. */
static bool ends(struct gt_str text, const char *word)
{
    size_t len = strlen(word);
    bool may_end = text.len >= len && (text.ptr[text.len - 1] | ' ') == (word[len - 1] | ' '); /* seldom */
    return may_end && words_find(gt_str_slice(text, text.len - len, len), word, 0) == 0;
}

/* The first unit of the list that the text begins with, whole. */
static const struct unit *unit_at(struct gt_str text, const struct unit *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words_begin(text, units[i].word)) return &units[i];
    return NULL;
}

/* In thousandths of a GB; MB so that 1024 of them are one. */
static const struct unit byte_units[] = {{"gib", 1000},  {"gb", 1000}, {"g", 1000}, {"tib", 1024000}, {"tb", 1024000},
                                         {"t", 1024000}, {"mib", 0},   {"mb", 0},   {"m", 0}};
enum { VRAM_GB_MAX = 300 }; /* of one card */
enum { BYTE_UNITS = sizeof byte_units / sizeof byte_units[0] };

/* Whole GB of a number in a unit, rounded to the nearest. */
static int32_t gb_of(int64_t milli, const struct unit *unit)
{
    int64_t gb_milli;
    if (unit->milli == 0) gb_milli = milli / MB_OF_A_GB;
    else if (__builtin_mul_overflow(milli, unit->milli, &gb_milli)) return 0;
    else gb_milli /= MILLI;
    int64_t gb = (gb_milli + MILLI / 2) / MILLI;
    return gb <= INT32_MAX ? (int32_t)gb : 0;
}

/* A unit decides; without one a figure too large for gigabytes is megabytes, as clouds print them. */
int32_t spec_gb_read(struct gt_str cell)
{
    struct spec_number number;
    int64_t bare_milli = 0;
    for (size_t at = 0; spec_number_next(cell, &at, &number);) {
        const struct unit *unit = unit_at(after(cell, number.end), byte_units, BYTE_UNITS);
        if (unit != NULL) return gb_of(number.milli, unit);
        if (bare_milli == 0) bare_milli = number.milli;
    }
    if (bare_milli > (int64_t)MB_FROM * MILLI) return gb_of(bare_milli, &(struct unit){"mb", 0});
    return gb_of(bare_milli, &(struct unit){"gb", MILLI});
}

/* Memory whose kind is named right behind or right before it. */
static int32_t memory_find(struct gt_str words, const char *const *names, size_t count)
{
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);) {
        const struct unit *unit = unit_at(after(words, number.end), byte_units, BYTE_UNITS);
        if (unit == NULL) continue;
        struct gt_str rest = after(words, number.end);
        struct gt_str behind = after(rest, strlen(unit->word)), ahead = before(words, number.begin);
        for (size_t i = 0; i < count; i++)
            if (words_begin(behind, names[i])) return gb_of(number.milli, unit);
        for (size_t i = 0; i < count; i++)
            if (ends(ahead, names[i])) return gb_of(number.milli, unit);
    }
    return 0;
}

/* "8×24GB": so many cards of so much memory. */
static bool is_times(struct gt_str text)
{
    return words_begin(text, "×") || words_begin(text, "*") || words_begin(text, "x");
}

/* "8x": a count and its sign. The x of "MI300x" belongs to a name. */
static bool ends_in_times(struct gt_str ahead)
{
    if (ends(ahead, "×") || ends(ahead, "*")) return true;
    if (!ends(ahead, "x")) return false;
    size_t end = gt_str_trim(gt_str_slice(ahead, 0, ahead.len - 1)).len, from = end;
    while (from > 0 && ahead.ptr[from - 1] >= '0' && ahead.ptr[from - 1] <= '9') from--;
    char letter = from > 0 ? (char)(ahead.ptr[from - 1] | ' ') : ' ';
    return from < end && !(letter >= 'a' && letter <= 'z');
}

/* Memory that is multiplied by a count is a card's: the node's main memory is not printed so. */
static int32_t vram_of_product(struct gt_str words)
{
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);) {
        const struct unit *unit = unit_at(after(words, number.end), byte_units, BYTE_UNITS);
        if (unit != NULL && ends_in_times(before(words, number.begin))) return gb_of(number.milli, unit);
    }
    return 0;
}

int32_t spec_vram_find(struct gt_str words)
{
    static const char *const names[] = {"显存", "vram", "gpu memory", "gpu ram"};
    int32_t named = memory_find(words, names, sizeof names / sizeof names[0]);
    return named != 0 ? named : vram_of_product(words);
}

int32_t spec_ram_find(struct gt_str words)
{
    static const char *const names[] = {"内存", "ram", "memory", "主存"};
    return memory_find(words, names, sizeof names / sizeof names[0]);
}

int32_t spec_disk_find(struct gt_str words)
{
    static const char *const names[] = {"硬盘", "系统盘", "数据盘", "ssd", "nvme", "disk", "storage", "存储"};
    return memory_find(words, names, sizeof names / sizeof names[0]);
}

int32_t spec_int_read(struct gt_str cell, int32_t max)
{
    struct spec_number number;
    size_t at = 0;
    if (!spec_number_next(cell, &at, &number)) return 0;
    int64_t value = number.milli / MILLI;
    return value <= max ? (int32_t)value : 0;
}

/* The limit keeps CUDA cores out: "16384 cores" are a card's. */
int32_t spec_vcpu_find(struct gt_str words)
{
    static const struct unit units[] = {{"核", 1}, {"vcpu", 1}, {"vcpus", 1}, {"cores", 1}, {"core", 1}, {"线程", 1}};
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);)
        if (unit_at(after(words, number.end), units, sizeof units / sizeof units[0]) != NULL &&
            number.milli <= (int64_t)VCPU_MAX * MILLI)
            return (int32_t)(number.milli / MILLI);
    return 0;
}

static const struct unit card_units[] = {{"卡", 1}, {"张", 1}, {"gpus", 1}, {"gpu", 1}, {"cards", 1}, {"card", 1}, {"npu", 1}};

/* A number that counts cards. "8卡时" is a unit of use, "A100卡" a model. */
static bool counts_cards(struct gt_str words, const struct spec_number *number)
{
    struct gt_str rest = after(words, number->end);
    const struct unit *unit = unit_at(rest, card_units, sizeof card_units / sizeof card_units[0]);
    if (unit == NULL || number->is_glued || number->milli % MILLI != 0) return false;
    if (number->milli < MILLI || number->milli > (int64_t)CARDS_IN_WORDS_MAX * MILLI) return false;
    struct gt_str behind = after(rest, strlen(unit->word));
    return !words_begin(behind, "时") && !words_begin(behind, "小时");
}

static const char *const minimum_words[] = {"起租", "起订", "最低", "最少", "至少", "minimum", "min", "min.", "at least", "最短"};
enum { MINIMUM_WORDS = sizeof minimum_words / sizeof minimum_words[0] };

/* A count that is a minimum: "起租 8 卡", "8卡起租", "8 卡起". `rest` is what stands behind the unit. */
static bool is_minimum(struct gt_str words, const struct spec_number *number, struct gt_str rest)
{
    struct gt_str ahead = before(words, number->begin);
    for (size_t i = 0; i < MINIMUM_WORDS; i++)
        if (ends(ahead, minimum_words[i])) return true;
    return words_begin(rest, "起") || words_begin(rest, "minimum") || words_begin(rest, "min") || words_begin(rest, "or more") ||
           words_begin(rest, "以上");
}

/* What stands behind the number and its unit of cards. */
static struct gt_str behind_card(struct gt_str words, const struct spec_number *number)
{
    struct gt_str rest = after(words, number->end);
    const struct unit *unit = unit_at(rest, card_units, sizeof card_units / sizeof card_units[0]);
    return unit != NULL ? after(rest, strlen(unit->word)) : rest;
}

/* "内存 2×32GB", "2×480GB SSD": memory and disks of the machine. */
static bool is_of_machine(struct gt_str ahead, struct gt_str rest)
{
    static const char *const parts[] = {"内存", "硬盘", "系统盘", "数据盘", "磁盘", "ram", "memory",
                                        "ssd",  "nvme", "hdd",    "ddr4",   "ddr5", "disk"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (ends(ahead, parts[i]) || words_begin(rest, parts[i])) return true;
    return false;
}

/* "8×24GB" or "8 * 32G": the number before the sign counts, the one behind it measures. */
static bool counts_memory(struct gt_str words, const struct spec_number *number)
{
    struct gt_str rest = after(words, number->end);
    struct spec_number next;
    size_t at = 0;
    if (!is_times(rest) || number->is_glued || number->milli > (int64_t)CARDS_IN_WORDS_MAX * MILLI) return false;
    struct gt_str behind = after(rest, words_begin(rest, "×") ? strlen("×") : 1);
    if (!spec_number_next(behind, &at, &next) || next.begin != 0 || next.milli > (int64_t)VRAM_GB_MAX * MILLI) return false;
    behind = after(behind, next.end);
    const struct unit *unit = unit_at(behind, byte_units, BYTE_UNITS);
    return unit != NULL && !is_of_machine(before(words, number->begin), after(behind, strlen(unit->word)));
}

/* "1/2/4/" before the last of several counts to choose from. "RTX 4090/8卡" and "A10/8卡" count. */
static bool ends_in_choice(struct gt_str ahead)
{
    size_t digits = 0, end = ahead.len - ends(ahead, "/");
    while (digits < end && ahead.ptr[end - digits - 1] >= '0' && ahead.ptr[end - digits - 1] <= '9') digits++;
    char before_it = digits < end ? (char)(ahead.ptr[end - digits - 1] | ' ') : ' ';
    return end < ahead.len && digits > 0 && digits <= CHOICE_DIGITS_MAX && !(before_it >= 'a' && before_it <= 'z');
}

/* "余 36 卡", "8 GPUs available", "up to 8 GPUs", "1/2/4/8 卡": how many are free or can be had says nothing of the offer. */
static bool is_supply(struct gt_str words, const struct spec_number *number, struct gt_str rest)
{
    static const char *const ahead_words[] = {"余",   "剩",   "剩余",      "仅剩",       "空闲", "库存",
                                              "可用", "可租", "available", "available:", "left", "up to", "max", "max.", "maximum",
                                              "最多", "最大", "最高", "可扩展至"};
    static const char *const behind_words[] = {"可用", "空闲", "可租", "可选", "available", "left", "free", "idle", "in stock"};
    struct gt_str ahead = before(words, number->begin);
    for (size_t i = 0; i < sizeof ahead_words / sizeof ahead_words[0]; i++)
        if (ends(ahead, ahead_words[i])) return true;
    for (size_t i = 0; i < sizeof behind_words / sizeof behind_words[0]; i++)
        if (words_begin(rest, behind_words[i])) return true;
    return ends_in_choice(ahead);
}

/* "From 8 cards on" and "100 cards in stock" count cards, but not those of the unit sold. */
int32_t spec_cards_find(struct gt_str words)
{
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);) {
        struct gt_str behind = behind_card(words, &number);
        bool is_count = counts_cards(words, &number) && !is_minimum(words, &number, behind) && !is_supply(words, &number, behind);
        if (is_count || counts_memory(words, &number)) return (int32_t)(number.milli / MILLI);
    }
    return 0;
}

struct spec_cards spec_cards_read(struct gt_str cell)
{
    struct spec_cards ret = {0};
    struct spec_number first, second;
    size_t at = 0;
    if (!spec_number_next(cell, &at, &first)) return ret;
    int64_t cards = first.milli / MILLI;
    struct gt_str rest = after(cell, first.end);
    bool is_led = first.is_glued && gt_str_eq_nocase(gt_str_trim(gt_str_slice(cell, 0, first.begin)), GT_STR("x")); /* "x8" */
    bool is_fraction = rest.len > 1 && rest.ptr[0] == '/' && spec_number_next(cell, &at, &second);
    bool is_slice =
        is_fraction && second.milli > first.milli && second.milli % MILLI == 0 && second.milli <= CARDS_MAX * (int64_t)MILLI;
    if (is_slice) {
        ret.slice_num = (int32_t)cards;
        ret.slice_den = (int32_t)(second.milli / MILLI);
    } else if (first.milli % MILLI == 0 && cards >= 1 && cards <= CARDS_MAX && !is_fraction && (!first.is_glued || is_led)) {
        ret.cards = (int32_t)cards;
    }
    return ret;
}

int32_t spec_min_cards_find(struct gt_str words)
{
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);)
        if (counts_cards(words, &number) && is_minimum(words, &number, behind_card(words, &number)))
            return (int32_t)(number.milli / MILLI);
    return 0;
}

static const struct unit term_units[] = {{"个月", 1}, {"月", 1},     {"months", 1}, {"month", 1},
                                         {"年", 12},  {"years", 12}, {"year", 12},  {"季度", 3}};
enum { TERM_UNITS = sizeof term_units / sizeof term_units[0] };

/* Months of a number and its unit; 0 for a date's month or year. */
static int32_t months_of(const struct spec_number *number, const struct unit *unit)
{
    int64_t months = number->milli / MILLI * unit->milli;
    return number->milli % MILLI == 0 && months >= 1 && months <= MONTHS_MAX ? (int32_t)months : 0;
}

int32_t spec_min_months_find(struct gt_str words)
{
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);) {
        struct gt_str rest = after(words, number.end);
        const struct unit *unit = unit_at(rest, term_units, TERM_UNITS);
        if (unit == NULL || !is_minimum(words, &number, after(rest, strlen(unit->word)))) continue;
        /* "9月起" is from September on. */
        if (strcmp(unit->word, "月") == 0 && words_begin(after(rest, strlen(unit->word)), "起")) continue;
        int32_t months = months_of(&number, unit);
        if (months != 0) return months;
    }
    return 0;
}

int32_t spec_months_read(struct gt_str cell)
{
    struct spec_number number;
    size_t at = 0;
    if (!spec_number_next(cell, &at, &number)) return 0;
    const struct unit *unit = unit_at(after(cell, number.end), term_units, TERM_UNITS);
    return months_of(&number, unit != NULL ? unit : &term_units[0]);
}

/* The speed counts only beside a fabric's name: alone, "10G" is the line to the Internet. */
int32_t spec_fabric_find(struct gt_str words)
{
    static const struct unit speeds[] = {{"gbps", 1}, {"gb/s", 1}, {"g", 1}, {"tbps", 1000}, {"tb/s", 1000}, {"t", 1000}};
    static const char *const fabrics[] = {"ib", "infiniband", "roce", "roce2", "rocev2", "rdma"};
    struct spec_number number;
    for (size_t at = 0; spec_number_next(words, &at, &number);) {
        struct gt_str rest = after(words, number.end);
        const struct unit *speed = unit_at(rest, speeds, sizeof speeds / sizeof speeds[0]);
        struct gt_str behind = speed != NULL ? after(rest, strlen(speed->word)) : rest;
        for (size_t i = 0; speed != NULL && i < sizeof fabrics / sizeof fabrics[0]; i++) {
            bool is_named = words_begin(behind, fabrics[i]) || ends(before(words, number.begin), fabrics[i]);
            int64_t gbps = number.milli / MILLI * speed->milli + number.milli % MILLI * speed->milli / MILLI;
            if (is_named && gbps <= INT32_MAX) return (int32_t)gbps;
        }
    }
    return 0;
}
