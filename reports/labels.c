#include "reports/labels.h"

#include "common/strbuf.h"

static const char *const lang_names[LANG_COUNT] = {"zh", "en"};

static const char *const labels[LABEL_COUNT][LANG_COUNT] = {
#define LABEL(id, zh, en) [LABEL_##id] = {zh, en},
#define LABEL_WORD(set, name, zh, en)
#define LABEL_CODE(code, zh, en)
#include "reports/words.def"
#undef LABEL
#undef LABEL_WORD
#undef LABEL_CODE
};

static const struct label_word {
    enum vocabulary vocabulary;
    int value;
    const char *texts[LANG_COUNT];
} label_words[] = {
#define LABEL(id, zh, en)
#define LABEL_WORD(set, name, zh, en) {VOCABULARY_##set, set##_##name, {zh, en}},
#define LABEL_CODE(code, zh, en)
#include "reports/words.def"
#undef LABEL
#undef LABEL_WORD
#undef LABEL_CODE
};

static const struct label_finding {
    const char *code;
    const char *texts[LANG_COUNT];
} label_findings[] = {
#define LABEL(id, zh, en)
#define LABEL_WORD(set, name, zh, en)
#define LABEL_CODE(code, zh, en) {code, {zh, en}},
#include "reports/words.def"
#undef LABEL
#undef LABEL_WORD
#undef LABEL_CODE
};

enum { PHRASE_BYTES_MAX = 64 * 1024, LABEL_WORDS = sizeof label_words / sizeof label_words[0] };

bool lang_find(struct gt_str word, enum gt_lang *ret_lang)
{
    for (int i = 0; i < LANG_COUNT; i++)
        if (gt_str_is(word, lang_names[i])) {
            *ret_lang = (enum gt_lang)i;
            return true;
        }
    return false;
}

const char *lang_name(enum gt_lang lang)
{
    return lang_names[lang];
}

struct gt_str label(enum gt_lang lang, enum label id)
{
    return gt_str_from(labels[id][lang]);
}

struct gt_str phrase(struct arena *arena, enum gt_lang lang, enum label id, const struct gt_str *args, size_t count)
{
    return phrase_fill(arena, labels[id][lang], args, count);
}

struct gt_str phrase_fill(struct arena *arena, const char *words, const struct gt_str *args, size_t count)
{
    struct strbuf buf;
    strbuf_init(&buf, PHRASE_BYTES_MAX);
    for (const char *at = words; *at != '\0'; at++) {
        if (at[0] != '{' || at[1] < '0' || at[1] > '9' || at[2] != '}') {
            strbuf_addc(&buf, *at);
            continue;
        }
        size_t place = (size_t)(at[1] - '0');
        if (place < count) strbuf_add(&buf, args[place]);
        at += 2;
    }
    struct gt_str text = buf.err == GT_OK ? arena_dup(arena, strbuf_str(&buf)) : GT_STR("");
    strbuf_done(&buf);
    return text;
}

struct gt_str label_word(enum gt_lang lang, enum vocabulary vocabulary, int value)
{
    for (size_t i = 0; i < LABEL_WORDS; i++)
        if (label_words[i].vocabulary == vocabulary && label_words[i].value == value)
            return gt_str_from(label_words[i].texts[lang]);
    return gt_str_from(word_text(vocabulary, value));
}

struct gt_str label_code(enum gt_lang lang, const char *code)
{
    for (size_t i = 0; i < sizeof label_findings / sizeof label_findings[0]; i++)
        if (strcmp(label_findings[i].code, code) == 0) return gt_str_from(label_findings[i].texts[lang]);
    return gt_str_from(code);
}
