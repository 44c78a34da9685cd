#include "reports/labels.h"

#include "common/strbuf.h"

static const char *const lang_names[LANG_COUNT] = {"zh", "en"};

static const char *const labels[LABEL_COUNT][LANG_COUNT] = {
#define LABEL(id, zh, en) [LABEL_##id] = {zh, en},
#include "reports/words.def"
};

static const struct label_word {
    enum vocabulary vocabulary;
    int value;
    const char *texts[LANG_COUNT];
} label_words[] = {
#define LABEL_WORD(set, name, zh, en) {VOCABULARY_##set, set##_##name, {zh, en}},
#include "reports/words.def"
};

static const struct label_finding {
    const char *code;
    const char *texts[LANG_COUNT];
} label_findings[] = {
#define LABEL_CODE(code, zh, en) {code, {zh, en}},
#include "reports/words.def"
};

static const char *const label_sentences[][LANG_COUNT] = {
#define LABEL_SENTENCE(zh, en) {zh, en},
#include "reports/words.def"
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

/* ---- sentences of others ---- */

/* phrase_fill the other way round: what stands in the places of `words`, each as short as it can be. False when the text is no such sentence. */
static bool phrase_read(const char *words, struct gt_str text, struct gt_str args[PHRASE_ARGS_MAX])
{
    struct gt_str none = {"", 0}, *open = &none;
    size_t at = 0;
    for (const char *piece = words;;) {
        const char *place = strchr(piece, '{');
        struct gt_str between = {piece, place != NULL ? (size_t)(place - piece) : strlen(piece)};
        size_t found = open == &none ? at : gt_str_find(text, between, at);
        /* The last words are the text's own end, however often they stand before it. */
        if (place == NULL && open != &none && text.len >= at + between.len) found = text.len - between.len;
        if (found == SIZE_MAX || !gt_str_eq(gt_str_slice(text, found, between.len), between)) return false;
        *open = gt_str_slice(text, at, found - at);
        /* "4090 node: NVLink is printed …": what the sentence is about stands before it and is no part of it. */
        if (at == 0 && gt_str_find(*open, GT_STR(": "), 0) != SIZE_MAX) return false;
        at = found + between.len;
        if (place == NULL) return at == text.len;
        open = &args[place[1] - '0'];
        piece = place + 3;
    }
}

/* No sentence of ours is longer, or holds others deeper; what a page says may try. */
enum { SENTENCE_BYTES_MAX = 2048, SENTENCE_DEPTH_MAX = 4 };

static struct gt_str sentence_tell(struct arena *arena, enum gt_lang lang, struct gt_str text, int depth)
{
    if (text.len == 0 || depth == SENTENCE_DEPTH_MAX) return text;
    for (size_t i = 0; i < sizeof label_sentences / sizeof label_sentences[0]; i++) {
        struct gt_str args[PHRASE_ARGS_MAX] = {0};
        if (!phrase_read(label_sentences[i][LANG_EN], text, args)) continue;
        for (size_t k = 0; k < PHRASE_ARGS_MAX; k++) args[k] = sentence_tell(arena, lang, args[k], depth + 1);
        return phrase_fill(arena, label_sentences[i][lang], args, PHRASE_ARGS_MAX);
    }
    size_t colon = gt_str_find(text, GT_STR(": "), 0);
    if (colon == SIZE_MAX) return text;
    struct gt_str rest = gt_str_slice(text, colon + 2, SIZE_MAX), told = sentence_tell(arena, lang, rest, depth + 1);
    return told.ptr == rest.ptr ? text : arena_printf(arena, "%.*s:%.*s", (int)colon, text.ptr, GT_STR_ARG(told));
}

struct gt_str label_sentence(struct arena *arena, enum gt_lang lang, struct gt_str text)
{
    return lang == LANG_EN || text.len > SENTENCE_BYTES_MAX ? text : sentence_tell(arena, lang, text, 0);
}
