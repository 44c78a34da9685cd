/* The condition of a rule: one readable line. */
#include "alerts/rule.h"
#include "common/nearest.h"
#include "pricing/audit.h"

enum { WORDS_MAX = 16, MS_PER_S = 1000 };

#define SPAN_MAX_MS ((int64_t)RULE_DAYS_MAX * 86400 * MS_PER_S)

static const char *const metric_words[] = {"month_net", "hour_net", "month_list", "hour_list", "offers"};
static const char *const direction_words[] = {"moves", "drops", "rises", "below", "above", "new"};
static const char *const reference_words[] = {"previous", "median", "last-alerted"};

enum { METRIC_WORDS = 5, DIRECTION_WORDS = 6, REFERENCE_WORDS = 3, MOVE_WORDS = 3 };

/* Conditions about kinds of change. */
struct phrase {
    const char *text;
    enum when_kind kind;
    enum change_kind change;
};

static const struct phrase phrases[] = {
    {"back in stock", WHEN_CHANGE, CHANGE_BACK_IN_STOCK},
    {"sold out", WHEN_CHANGE, CHANGE_SOLD_OUT},
    {"delisted", WHEN_CHANGE, CHANGE_DELISTED},
    {"relisted", WHEN_CHANGE, CHANGE_RELISTED},
    {"appeared", WHEN_CHANGE, CHANGE_APPEARED},
    {"promotion begins", WHEN_CHANGE, CHANGE_PROMOTION_BEGAN},
    {"promotion ends", WHEN_CHANGE, CHANGE_PROMOTION_ENDED},
    {"promotion ended", WHEN_CHANGE, CHANGE_PROMOTION_ENDED},
    {"terms changed", WHEN_CHANGE, CHANGE_TERMS},
    {"unit changed", WHEN_CHANGE, CHANGE_UNIT},
    {"doubted", WHEN_CHANGE, CHANGE_DOUBTED},
    {"source failed", WHEN_FAILED, CHANGE_SOURCE_FAILED},
    {"source recovered", WHEN_RECOVERED, CHANGE_SOURCE_RECOVERED},
    {"drift", WHEN_DRIFTED, CHANGE_SOURCE_FAILED},
};

enum { PHRASE_TOTAL = sizeof phrases / sizeof phrases[0] };

const char *metric_text(enum metric metric)
{
    return metric_words[metric];
}

const char *direction_text(enum direction direction)
{
    return direction_words[direction];
}

struct gt_str reference_text(const struct when *when, struct arena *arena)
{
    if (when->kind == WHEN_LOW) return arena_printf(arena, "%s %dd", when->direction == DIRECTION_RISES ? "high" : "low", when->days);
    if (when->reference == REFERENCE_MEDIAN) return arena_printf(arena, "median %dd", when->days);
    return gt_str_from(reference_words[when->reference]);
}

bool when_is_price(const struct when *when)
{
    bool is_figure = when->kind == WHEN_MOVE || when->kind == WHEN_THRESHOLD || when->kind == WHEN_LOW;
    return is_figure && when->metric != METRIC_OFFERS;
}

bool metric_is_hourly(enum metric metric)
{
    return metric == METRIC_HOUR_NET || metric == METRIC_HOUR_LIST;
}

/* The words of a condition; one more than fits is an error of its own. */
struct words {
    struct gt_str word[WORDS_MAX];
    size_t count, at;
    struct gt_str text;
};

/* The next word, an empty one at the end: messages then say what is missing. */
static struct gt_str next_word(struct words *words)
{
    return words->at < words->count ? words->word[words->at++] : (struct gt_str){"", 0};
}

/* Steps over one expected word. */
static bool take(struct words *words, const char *word)
{
    if (words->at >= words->count || !gt_str_is(words->word[words->at], word)) return false;
    words->at++;
    return true;
}

/* False when there are more words than any condition has. */
static bool split_words(struct gt_str text, struct words *words)
{
    *words = (struct words){.text = text};
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        while (at < text.len && text.ptr[at] != ' ' && text.ptr[at] != '\t' && text.ptr[at] != '\n') at++;
        if (at > start && words->count == WORDS_MAX) return false;
        if (at > start) words->word[words->count++] = gt_str_slice(text, start, at - start);
        at++;
    }
    return true;
}

/* The index of a word among known ones; *ret_index stays for an unknown one, whose message names the nearest. */
static enum gt_err word_index(struct gt_str word, const char *const *known, size_t count, const char *what, int *ret_index,
                              struct gt_errinfo *info)
{
    for (size_t i = 0; i < count; i++)
        if (gt_str_is(word, known[i])) {
            *ret_index = (int)i;
            return GT_OK;
        }
    if (word.len == 0) return gt_fail(info, GT_EUSAGE, "the condition ends where %s should stand", what);
    const char *nearest = nearest_word(word, known, count);
    return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no %s%s%s%s", GT_STR_ARG(word), what, nearest != NULL ? ", did you mean \"" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
}

/* Above zero: a move of 0 % would fire at every look. */
enum gt_err percent_read(struct gt_str word, int64_t *ret_percent_nano, struct gt_errinfo *info)
{
    int64_t percent = 0;
    bool has_sign = word.len > 1 && word.ptr[word.len - 1] == '%';
    if (!has_sign || money_parse(gt_str_slice(word, 0, word.len - 1), &percent) != GT_OK || percent <= 0)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no percentage such as 5%% or 2.5%%", GT_STR_ARG(word));
    *ret_percent_nano = percent;
    return GT_OK;
}

static enum gt_err read_days(struct gt_str word, int32_t *ret_days, struct gt_errinfo *info)
{
    int32_t days = 0;
    size_t digits = word.len > 0 ? word.len - 1 : 0;
    bool is_good = digits > 0 && digits <= 3 && word.ptr[digits] == 'd';
    for (size_t i = 0; is_good && i < digits; i++) {
        is_good = word.ptr[i] >= '0' && word.ptr[i] <= '9';
        days = days * 10 + (word.ptr[i] - '0');
    }
    if (!is_good || days < 1 || days > RULE_DAYS_MAX)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no number of days such as 7d, at most %dd", GT_STR_ARG(word), RULE_DAYS_MAX);
    *ret_days = days;
    return GT_OK;
}

/* "… against previous | median ND | last-alerted". */
static enum gt_err read_reference(struct words *words, struct when *when, struct gt_errinfo *info)
{
    int index = 0;
    if (!take(words, "against"))
        return gt_fail(info, GT_EUSAGE,
                       "the percentage lacks \"against previous\", \"against median 7d\" or \"against last-alerted\"");
    enum gt_err err = word_index(next_word(words), reference_words, REFERENCE_WORDS, "reference", &index, info);
    if (err != GT_OK) return err;
    when->reference = (enum reference)index;
    return when->reference == REFERENCE_MEDIAN ? read_days(next_word(words), &when->days, info) : GT_OK;
}

/* "new low 90d", after "new", is a drop; "new high 90d" a rise. */
static enum gt_err read_low(struct words *words, struct when *when, struct gt_errinfo *info)
{
    bool is_high = take(words, "high");
    if (!is_high && !take(words, "low"))
        return gt_fail(info, GT_EUSAGE, "after \"new\" stands \"low\" or \"high\" and a number of days: `new low 90d`");
    when->kind = WHEN_LOW;
    when->direction = is_high ? DIRECTION_RISES : DIRECTION_DROPS;
    return read_days(next_word(words), &when->days, info);
}

/* "moves 5% against …", "below 1000 CNY", "new low 90d". */
static enum gt_err read_comparison(struct words *words, struct when *when, struct gt_errinfo *info)
{
    int index = 0;
    enum gt_err err = word_index(next_word(words), direction_words, DIRECTION_WORDS, "comparison", &index, info);
    if (err != GT_OK) return err;
    when->direction = (enum direction)index;
    when->kind = index < MOVE_WORDS ? WHEN_MOVE : WHEN_THRESHOLD;
    if (when->direction == DIRECTION_NEW) return read_low(words, when, info);
    if (when->kind == WHEN_MOVE) {
        err = percent_read(next_word(words), &when->percent_nano, info);
        return err == GT_OK ? read_reference(words, when, info) : err;
    }
    struct gt_str amount = next_word(words), code = next_word(words);
    if (code.len > 0) amount.len = (size_t)(code.ptr + code.len - amount.ptr);
    return amount_read(amount, &when->amount_nano, &when->currency, info);
}

/* Two texts with the same words, however many blanks stand between them. */
static bool is_phrase(const struct words *words, const char *phrase)
{
    struct gt_str rest = gt_str_from(phrase), word;
    size_t at = 0;
    while (gt_str_split(&rest, ' ', &word))
        if (at >= words->count || !gt_str_eq(words->word[at++], word)) return false;
    return at == words->count;
}

/* ---- conditions with a figure behind their words ---- */

static enum gt_err read_span(struct gt_str word, const char *example, int64_t *ret_s, struct gt_errinfo *info)
{
    int64_t ms = 0;
    if (word.len == 0 || !conf_parse_duration(word, &ms) || ms < MS_PER_S || ms > SPAN_MAX_MS)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no span such as %s, at most %dd", GT_STR_ARG(word), example, RULE_DAYS_MAX);
    *ret_s = ms / MS_PER_S;
    return GT_OK;
}

/* "sold out on 2 platforms". */
static enum gt_err read_platforms(struct words *words, struct when *when, struct gt_errinfo *info)
{
    struct gt_str word = next_word(words);
    bool is_number = word.len > 0 && word.len <= 3;
    for (size_t i = 0; is_number && i < word.len; i++) {
        is_number = word.ptr[i] >= '0' && word.ptr[i] <= '9';
        when->platforms = when->platforms * 10 + (word.ptr[i] - '0');
    }
    if (!is_number || when->platforms < 1)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no number of platforms: `sold out on 2 platforms`", GT_STR_ARG(word));
    if (!take(words, "platforms") && !take(words, "platform"))
        return gt_fail(info, GT_EUSAGE, "after the number stands \"platforms\": `sold out on 2 platforms`");
    return GT_OK;
}

static enum gt_err read_within(struct words *words, struct when *when, struct gt_errinfo *info)
{
    return read_span(next_word(words), "3d", &when->span_s, info);
}

static enum gt_err read_stale(struct words *words, struct when *when, struct gt_errinfo *info)
{
    return read_span(next_word(words), "36h", &when->span_s, info);
}

/* "index drops 3% a week". */
static enum gt_err read_index(struct words *words, struct when *when, struct gt_errinfo *info)
{
    int index = 0;
    enum gt_err err = word_index(next_word(words), direction_words, MOVE_WORDS, "move of the index", &index, info);
    if (err == GT_OK) err = percent_read(next_word(words), &when->percent_nano, info);
    if (err != GT_OK) return err;
    when->direction = (enum direction)index;
    if (!take(words, "a") || !take(words, "week"))
        return gt_fail(info, GT_EUSAGE, "after the percentage stands \"a week\": `index drops 3%% a week`");
    return GT_OK;
}

/* "class index drops 3% a week". */
static enum gt_err read_class_index(struct words *words, struct when *when, struct gt_errinfo *info)
{
    when->of_classes = true;
    return read_index(words, when, info);
}

/* "market 8% under holding for 3d". */
static enum gt_err read_market(struct words *words, struct when *when, struct gt_errinfo *info)
{
    enum gt_err err = percent_read(next_word(words), &when->percent_nano, info);
    if (err != GT_OK) return err;
    when->direction = DIRECTION_DROPS;
    when->metric = METRIC_MONTH_NET;
    if (!take(words, "under") || !take(words, "holding"))
        return gt_fail(info, GT_EUSAGE, "after the percentage stands \"under holding\": `market 8%% under holding for 3d`");
    return take(words, "for") ? read_span(next_word(words), "3d", &when->span_s, info) : GT_OK;
}

/* "finding", "finding month-hour-mismatch". */
static enum gt_err read_finding(struct words *words, struct when *when, struct gt_errinfo *info)
{
    when->finding = next_word(words);
    if (when->finding.len == 0 || audit_code_meaning(when->finding) != NULL) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no code of the audit; one is `month-hour-mismatch`", GT_STR_ARG(when->finding));
}

static const struct form {
    const char *begins, *example;
    enum when_kind kind;
    enum gt_err (*read)(struct words *words, struct when *when, struct gt_errinfo *info);
} forms[] = {
    {"sold out on", "sold out on 2 platforms", WHEN_SOLD_OUT, read_platforms},
    {"promotion ends within", "promotion ends within 3d", WHEN_ENDING, read_within},
    {"source stale", "source stale 36h", WHEN_STALE, read_stale},
    {"index", "index drops 3% a week", WHEN_INDEX, read_index},
    {"class index", "class index drops 3% a week", WHEN_INDEX, read_class_index},
    {"market", "market 8% under holding for 3d", WHEN_MARKET, read_market},
    {"finding", "finding", WHEN_FINDING, read_finding},
};

enum { FORM_TOTAL = sizeof forms / sizeof forms[0] };

/* The form that the words begin with, stepped over; NULL when they begin with none. */
static const struct form *take_form(struct words *words)
{
    for (size_t i = 0; i < FORM_TOTAL; i++) {
        struct gt_str rest = gt_str_from(forms[i].begins), word;
        size_t at = 0;
        bool is_it = true;
        while (is_it && gt_str_split(&rest, ' ', &word)) is_it = at < words->count && gt_str_eq(words->word[at++], word);
        if (!is_it) continue;
        words->at = at;
        return &forms[i];
    }
    return NULL;
}

/* A slip may be in a phrase ("sold outt") or in a metric: the nearest of both is named. */
static enum gt_err first_word_fail(const struct words *words, struct gt_errinfo *info)
{
    const char *known[PHRASE_TOTAL + FORM_TOTAL + METRIC_WORDS + 1];
    size_t count = 0;
    for (size_t i = 0; i < FORM_TOTAL; i++) known[count++] = forms[i].example;
    for (size_t i = 0; i < PHRASE_TOTAL; i++) known[count++] = phrases[i].text;
    for (size_t i = 0; i < METRIC_WORDS; i++) known[count++] = metric_words[i];
    const char *nearest = nearest_word(words->text, known, count);
    if (nearest == NULL) nearest = nearest_word(words->word[0], known, count);
    if (nearest != NULL)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no condition, did you mean \"%s\"?", GT_STR_ARG(words->text), nearest);
    return gt_fail(
        info, GT_EUSAGE,
        "\"%.*s\" is no condition; one is `month_net moves 5%% against previous`, `hour_net below 1.50 CNY` or `sold out`",
        GT_STR_ARG(words->text));
}

static enum gt_err read_metric(struct words *words, struct when *when, struct gt_errinfo *info)
{
    int index = 0;
    struct gt_errinfo unknown = {0};
    when->is_class = take(words, "class");
    if (when->is_class && !take(words, "low"))
        return gt_fail(info, GT_EUSAGE, "after \"class\" stands \"low\": `class low moves 5%% against last-alerted`");
    bool names_metric = words->at < words->count &&
                        word_index(words->word[words->at], metric_words, METRIC_WORDS, "metric", &index, &unknown) == GT_OK;
    if (names_metric) words->at++;
    when->metric = (enum metric)index;
    /* A figure is of the term that the persona pays by unless it is named: rule_read fills that in. */
    bool is_plain = when->is_class;
    for (int i = 0; i < DIRECTION_WORDS && words->at < words->count; i++)
        is_plain = is_plain || gt_str_is(words->word[words->at], direction_words[i]);
    if (!names_metric && is_plain) when->metric = METRIC_COUNT;
    if (when->metric == METRIC_OFFERS && when->is_class) return gt_fail(info, GT_EUSAGE, "offers are counted a site, not a class");
    if (when->metric == METRIC_OFFERS) when->is_class = true;
    return names_metric || is_plain ? GT_OK : first_word_fail(words, info);
}

enum gt_err when_read(struct gt_str text, struct when *ret_when, struct gt_errinfo *info)
{
    struct words words;
    struct when when = {.kind = WHEN_KINDS};
    if (text.len > RULE_WHEN_BYTES_MAX || !split_words(text, &words))
        return gt_fail(info, GT_EUSAGE, "the condition is longer than %d words", WORDS_MAX);
    if (words.count == 0) return gt_fail(info, GT_EUSAGE, "the condition is empty");
    for (size_t i = 0; i < PHRASE_TOTAL; i++)
        if (is_phrase(&words, phrases[i].text)) {
            *ret_when = (struct when){.kind = phrases[i].kind, .change = phrases[i].change};
            return GT_OK;
        }
    const struct form *form = take_form(&words);
    enum gt_err err = form != NULL ? form->read(&words, &when, info) : read_metric(&words, &when, info);
    if (err == GT_OK && form != NULL) when.kind = form->kind;
    if (err == GT_OK && form == NULL) err = read_comparison(&words, &when, info);
    if (err != GT_OK) return err;
    if (form == NULL && when.metric == METRIC_OFFERS && when.kind != WHEN_MOVE)
        return gt_fail(info, GT_EUSAGE, "of offers only a move is told: `offers drops 30%% against median 7d`");
    if (words.at < words.count)
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" stands after the end of the condition", GT_STR_ARG(words.word[words.at]));
    *ret_when = when;
    return GT_OK;
}
