#include "pricing/query.h"

#include "common/nearest.h"
#include "common/utf8.h"
#include "pricing/sku_words.h"

enum {
    QUERY_TEXT_MAX = 4096,
    NAME_WORDS_MAX = 6, /* "NVIDIA RTX PRO 6000 Blackwell 96G" */
    SUGGESTIONS_MAX = 64,
};

/* What a term is about, in the order of key_names. WORD is a bare card name. */
enum key {
    KEY_SKU,
    KEY_SITE,
    KEY_FAMILY,
    KEY_DELIVERY,
    KEY_TIER,
    KEY_REGION,
    KEY_TERM,
    KEY_MARKET,
    KEY_KIND,
    KEY_LABEL,
    KEY_WORD,
    KEY_COUNT
};

static const char *const key_names[] = {"sku", "site", "family", "delivery", "tier", "region", "term", "market", "kind", "label"};

enum { KEY_NAMES = sizeof key_names / sizeof key_names[0] };

struct term {
    enum key key;
    struct gt_str text;          /* for site, region, label */
    const struct sku_node *node; /* for sku, family, words */
    int value;                   /* for closed vocabularies */
};

struct query {
    struct term terms[QUERY_TERMS_MAX];
    size_t count;
};

/* A piece of the text: a word, or a pair when `key` is set. */
struct piece {
    struct gt_str key, value;
    char sign; /* '=' or '~'; 0 for a word */
};

struct reader {
    struct gt_str text;
    size_t at;
    struct arena *arena;
    struct query *query;
    struct gt_errinfo *info;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Cuts one word off: up to a blank, or up to the closing quote. False for a quote that is not closed. */
static bool value_read(struct reader *reader, struct gt_str *ret_value)
{
    const char *s = reader->text.ptr;
    if (reader->at < reader->text.len && s[reader->at] == '"') {
        size_t end = gt_str_find(reader->text, GT_STR("\""), reader->at + 1);
        if (end == SIZE_MAX) return false;
        *ret_value = gt_str_slice(reader->text, reader->at + 1, end - reader->at - 1);
        reader->at = end + 1;
        return true;
    }
    size_t start = reader->at;
    while (reader->at < reader->text.len && !is_blank(s[reader->at])) reader->at++;
    *ret_value = gt_str_slice(reader->text, start, reader->at - start);
    return true;
}

/* The length of a key that `sign` follows, at the reader's place; 0 when a bare word stands there. */
static size_t key_len(const struct reader *reader)
{
    size_t end = reader->at;
    const char *s = reader->text.ptr;
    while (end < reader->text.len && ((s[end] >= 'a' && s[end] <= 'z') || (s[end] >= 'A' && s[end] <= 'Z') || s[end] == '_'))
        end++;
    bool is_key = end > reader->at && end < reader->text.len && (s[end] == '=' || s[end] == '~');
    return is_key ? end - reader->at : 0;
}

/* The next piece; *ret_done at the end of the text. */
static enum gt_err piece_read(struct reader *reader, struct piece *ret_piece, bool *ret_done)
{
    struct piece piece = {.sign = 0};
    while (reader->at < reader->text.len && is_blank(reader->text.ptr[reader->at])) reader->at++;
    *ret_done = reader->at >= reader->text.len;
    if (*ret_done) return GT_OK;
    size_t len = key_len(reader);
    if (len > 0) {
        piece.key = gt_str_slice(reader->text, reader->at, len);
        piece.sign = reader->text.ptr[reader->at + len];
        reader->at += len + 1;
    }
    if (!value_read(reader, &piece.value)) return gt_fail(reader->info, GT_EUSAGE, "query: a quote is not closed");
    if (piece.sign != 0 && piece.value.len == 0)
        return gt_fail(reader->info, GT_EUSAGE, "query: \"%.*s%c\" lacks a value", GT_STR_ARG(piece.key), piece.sign);
    *ret_piece = piece;
    return GT_OK;
}

/* Texts are copied: the query outlives the text it was read from. */
static enum gt_err term_add(struct reader *reader, struct term term)
{
    struct query *query = reader->query;
    if (query->count == QUERY_TERMS_MAX) return gt_fail(reader->info, GT_EUSAGE, "query: more than %d terms", QUERY_TERMS_MAX);
    if (term.text.len > 0) {
        term.text = arena_dup(reader->arena, term.text);
        if (term.text.ptr == NULL) return gt_fail(reader->info, GT_ENOMEM, "query: out of memory");
    }
    query->terms[query->count++] = term;
    return GT_OK;
}

/* The node that words name, vendors included; NULL when they name none or several. */
static const struct sku_node *node_of(struct gt_str words, struct sku_match *ret_match)
{
    const struct sku_node *node = sku_find(words);
    *ret_match = (struct sku_match){.status = SKU_UNMAPPED};
    if (node != NULL) return node;
    *ret_match = sku_resolve(words, 0, NULL, 0);
    return ret_match->node;
}

/* Names what it may be, so that the next try can say which. */
static enum gt_err ambiguous_fail(struct reader *reader, struct gt_str words, const struct sku_match *match)
{
    struct gt_str names = {NULL, 0};
    for (size_t i = 0; i < match->candidate_count; i++)
        names = arena_printf(reader->arena, "%.*s%s%s", GT_STR_ARG(names), i > 0 ? ", " : "", match->candidates[i]->name);
    return gt_fail(reader->info, GT_EUSAGE, "query: \"%.*s\" may be any of %.*s; name one with sku=", GT_STR_ARG(words),
                   GT_STR_ARG(names));
}

/* The nearest of a vocabulary's words, or of the keys. */
static const char *nearest_value(enum vocabulary vocabulary, struct gt_str word)
{
    const char *words[SUGGESTIONS_MAX];
    int count = word_count(vocabulary);
    for (int i = 0; i < count && i < SUGGESTIONS_MAX; i++) words[i] = word_text(vocabulary, i);
    return nearest_word(word, words, (size_t)(count < SUGGESTIONS_MAX ? count : SUGGESTIONS_MAX));
}

/* Says what a bare word may have been meant as: a value without its key ("spot"), a key, or a card's name. */
static enum gt_err unknown_word_fail(struct reader *reader, struct gt_str word)
{
    static const struct {
        enum vocabulary vocabulary;
        enum key key;
    } closed[] = {{VOCABULARY_DELIVERY, KEY_DELIVERY},
                  {VOCABULARY_TIER, KEY_TIER},
                  {VOCABULARY_PERIOD, KEY_TERM},
                  {VOCABULARY_MARKET, KEY_MARKET},
                  {VOCABULARY_KIND, KEY_KIND}};
    int value;
    for (size_t i = 0; i < sizeof closed / sizeof closed[0]; i++)
        if (word_find(closed[i].vocabulary, word, &value))
            return gt_fail(reader->info, GT_EUSAGE, "query: \"%.*s\" is no card; did you mean %s=%.*s?", GT_STR_ARG(word),
                           key_names[closed[i].key], GT_STR_ARG(word));
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    const char **names = arena_array(reader->arena, count, sizeof *names);
    for (size_t i = 0; names != NULL && i < count; i++) names[i] = nodes[i].name;
    struct gt_str upper = arena_dup(reader->arena, word);
    for (size_t i = 0; upper.ptr != NULL && i < upper.len; i++)
        if (upper.ptr[i] >= 'a' && upper.ptr[i] <= 'z') ((char *)(uintptr_t)upper.ptr)[i] = (char)(upper.ptr[i] - 32);
    const char *nearest = names != NULL && upper.ptr != NULL ? nearest_word(upper, names, count) : NULL;
    if (nearest != NULL)
        return gt_fail(reader->info, GT_EUSAGE, "query: \"%.*s\" is no card; did you mean %s?", GT_STR_ARG(word), nearest);
    return gt_fail(reader->info, GT_EUSAGE,
                   "query: \"%.*s\" is no card (pairs are sku= site= family= delivery= tier= region= term= market= kind= label~)",
                   GT_STR_ARG(word));
}

/* A card's name in any form that pages print, or a canonical one. */
static enum gt_err node_term_add(struct reader *reader, enum key key, struct gt_str words)
{
    struct sku_match match;
    const struct sku_node *node = node_of(words, &match);
    if (node == NULL && match.status == SKU_AMBIGUOUS) return ambiguous_fail(reader, words, &match);
    if (node == NULL) return unknown_word_fail(reader, words);
    if (key == KEY_FAMILY) { /* up to the node right below the vendor */
        for (const struct sku_node *above = sku_find(gt_str_from(node->parent)); above != NULL && above->parent[0] != '\0';
             above = sku_find(gt_str_from(above->parent)))
            node = above;
    }
    return term_add(reader, (struct term){.key = key, .node = node});
}

/* A word of a closed vocabulary: a slip in it would match nothing, silently. */
static enum gt_err closed_term_add(struct reader *reader, enum key key, enum vocabulary vocabulary, struct gt_str word)
{
    int value;
    if (word_find(vocabulary, word, &value) && word.len > 0) return term_add(reader, (struct term){.key = key, .value = value});
    const char *nearest = nearest_value(vocabulary, word);
    return gt_fail(reader->info, GT_EUSAGE, "query: %s=%.*s is unknown%s%s%s", key_names[key], GT_STR_ARG(word),
                   nearest != NULL ? ", did you mean \"" : "", nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
}

static bool key_find(struct gt_str name, enum key *ret_key)
{
    for (size_t i = 0; i < KEY_NAMES; i++)
        if (gt_str_is(name, key_names[i])) {
            *ret_key = (enum key)i;
            return true;
        }
    return false;
}

/* label is searched in (~), everything else is compared (=); the wrong sign is told, not guessed. */
static enum gt_err pair_add(struct reader *reader, const struct piece *piece)
{
    enum key key;
    if (!key_find(piece->key, &key)) {
        const char *nearest = nearest_word(piece->key, key_names, KEY_NAMES);
        return gt_fail(reader->info, GT_EUSAGE, "query: unknown key \"%.*s\"%s%s%s", GT_STR_ARG(piece->key),
                       nearest != NULL ? ", did you mean \"" : "", nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
    }
    bool wants_tilde = key == KEY_LABEL;
    if (wants_tilde != (piece->sign == '~'))
        return gt_fail(reader->info, GT_EUSAGE, "query: %s takes \"%s\": %s%s%.*s", key_names[key], wants_tilde ? "~" : "=",
                       key_names[key], wants_tilde ? "~" : "=", GT_STR_ARG(piece->value));
    switch (key) {
    case KEY_SKU:
    case KEY_FAMILY: return node_term_add(reader, key, piece->value);
    case KEY_DELIVERY: return closed_term_add(reader, key, VOCABULARY_DELIVERY, piece->value);
    case KEY_TIER: return closed_term_add(reader, key, VOCABULARY_TIER, piece->value);
    case KEY_TERM: return closed_term_add(reader, key, VOCABULARY_PERIOD, piece->value);
    case KEY_MARKET: return closed_term_add(reader, key, VOCABULARY_MARKET, piece->value);
    case KEY_KIND: return closed_term_add(reader, key, VOCABULARY_KIND, piece->value);
    default: return term_add(reader, (struct term){.key = key, .text = piece->value});
    }
}

/* True when only makers' names stand before the card's own in `name`: "NVIDIA H100" is one name, "cheap H100" is none. */
static bool is_led_by_makers(struct reader *reader, struct gt_str name, size_t offset)
{
    struct gt_str head = gt_str_slice(name, 0, offset), word;
    while (gt_str_split(&head, ' ', &word)) {
        struct sku_text text;
        if (word.len == 0) continue;
        if (!sku_text_read(word, reader->arena, &text)) return false;
        const struct sku_word *maker = sku_word_at(&text, 0, SKU_WORD_MAKER | SKU_WORD_FORM);
        if (maker == NULL || maker->len != text.len) return false;
    }
    return true;
}

/* How many of the words from the first on name one card together: each word beyond the first must make it another node, so
 * that "4090 spot" stays two words. 0 when none does. */
static size_t name_words(struct reader *reader, const struct gt_str *words, size_t count, struct gt_str *ret_name)
{
    const struct sku_node *last = NULL;
    size_t best = 0;
    struct gt_str name = {NULL, 0};
    for (size_t n = 1; n <= count && n <= NAME_WORDS_MAX; n++) {
        struct sku_match match;
        name = n == 1 ? words[0] : arena_printf(reader->arena, "%.*s %.*s", GT_STR_ARG(name), GT_STR_ARG(words[n - 1]));
        const struct sku_node *node = node_of(name, &match);
        bool is_one_name = node == NULL && match.status == SKU_AMBIGUOUS && best == 0;
        if ((node == last || node == NULL) && !is_one_name) continue;
        if (!is_led_by_makers(reader, name, match.offset)) continue;
        last = node;
        best = n;
        *ret_name = name;
    }
    return best;
}

/* Bare words, longest names first. */
static enum gt_err words_add(struct reader *reader, const struct gt_str *words, size_t count)
{
    for (size_t i = 0; i < count;) {
        struct gt_str name;
        size_t used = name_words(reader, words + i, count - i, &name);
        if (used == 0) return unknown_word_fail(reader, words[i]);
        enum gt_err err = node_term_add(reader, KEY_WORD, name);
        if (err != GT_OK) return err;
        i += used;
    }
    return GT_OK;
}

/* Bare words are put together last, since a name may have several: "RTX PRO 6000". */
enum gt_err query_read(struct gt_str text, struct arena *arena, const struct query **ret_query, struct gt_errinfo *info)
{
    struct reader reader = {.text = text, .arena = arena, .info = info};
    struct gt_str words[QUERY_TERMS_MAX];
    size_t word_total = 0;
    if (text.len > QUERY_TEXT_MAX) return gt_fail(info, GT_EUSAGE, "query: longer than %d bytes", QUERY_TEXT_MAX);
    reader.query = arena_alloc(arena, sizeof *reader.query);
    if (reader.query == NULL) return gt_fail(info, GT_ENOMEM, "query: out of memory");
    for (;;) {
        struct piece piece = {.sign = 0};
        bool done;
        enum gt_err err = piece_read(&reader, &piece, &done);
        if (err != GT_OK) return err;
        if (done) break;
        if (piece.sign == 0 && word_total == QUERY_TERMS_MAX)
            return gt_fail(info, GT_EUSAGE, "query: more than %d words", QUERY_TERMS_MAX);
        if (piece.sign == 0) words[word_total++] = piece.value;
        else if ((err = pair_add(&reader, &piece)) != GT_OK) return err;
    }
    enum gt_err err = words_add(&reader, words, word_total);
    if (err == GT_OK) *ret_query = reader.query;
    return err;
}

/* A query about sites alone passes sources, which have no offer. */
bool query_is_about_offers(const struct query *query)
{
    for (size_t i = 0; i < query->count; i++) {
        enum key key = query->terms[i].key;
        if (key != KEY_SITE && key != KEY_MARKET && key != KEY_KIND) return true;
    }
    return false;
}

struct gt_str query_site(const struct query *query, size_t index)
{
    for (size_t i = 0; i < query->count; i++)
        if (query->terms[i].key == KEY_SITE && index-- == 0) return query->terms[i].text;
    return GT_STR("");
}

/* ---- matching ---- */

/* One character as it is compared: full-width forms as ASCII, letters in lower case. */
static int32_t plain_char(struct gt_str text, size_t at, size_t *ret_len)
{
    int32_t c = utf8_decode(text, at, ret_len);
    if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
    if (c == 0x3000 || c == 0xA0) c = ' ';
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* The bytes of `text` from `at` on that read like `part`; SIZE_MAX when they do not. */
static size_t matched_len(struct gt_str text, size_t at, struct gt_str part)
{
    size_t end = at, p = 0;
    while (p < part.len) {
        size_t text_step, part_step;
        if (end >= text.len || plain_char(text, end, &text_step) != plain_char(part, p, &part_step)) return SIZE_MAX;
        end += text_step;
        p += part_step;
    }
    return end - at;
}

/* The whole of it: "us" is not "us-east-1". */
static bool reads_like(struct gt_str text, struct gt_str whole)
{
    return matched_len(text, 0, whole) == text.len;
}

static bool contains(struct gt_str text, struct gt_str part)
{
    for (size_t at = 0, step; at < text.len; at += step) {
        if (matched_len(text, at, part) != SIZE_MAX) return true;
        utf8_decode(text, at, &step);
    }
    return false;
}

static bool has_term(struct gt_str terms, int period)
{
    struct gt_str piece;
    while (gt_str_split(&terms, ' ', &piece))
        if (gt_str_is(piece, word_text(VOCABULARY_PERIOD, period))) return true;
    return false;
}

/* One term alone; query_matches puts terms of one key together. */
static bool term_matches(const struct term *term, const struct query_subject *subject)
{
    const struct offer_attributes *attributes = subject->attributes;
    switch (term->key) {
    case KEY_WORD:
    case KEY_SKU:
    case KEY_FAMILY: return sku_is_within(gt_str_from(attributes->sku), gt_str_from(term->node->name));
    case KEY_SITE: return gt_str_eq_nocase(subject->site, term->text);
    case KEY_REGION: return reads_like(subject->identity->region, term->text);
    case KEY_LABEL: return contains(subject->identity->label, term->text);
    case KEY_DELIVERY: return (int)attributes->delivery == term->value;
    case KEY_TIER: return (int)attributes->tier == term->value;
    case KEY_MARKET: return (int)attributes->market == term->value;
    case KEY_KIND: return (int)attributes->kind == term->value;
    case KEY_TERM: return has_term(subject->terms, term->value);
    default: return false;
    }
}

bool query_matches(const struct query *query, const struct query_subject *subject)
{
    bool is_asked[KEY_COUNT] = {false}, is_met[KEY_COUNT] = {false};
    for (size_t i = 0; i < query->count; i++) {
        const struct term *term = &query->terms[i];
        is_asked[term->key] = true;
        is_met[term->key] = is_met[term->key] || term_matches(term, subject);
    }
    for (int key = 0; key < KEY_COUNT; key++)
        if (is_asked[key] && !is_met[key]) return false;
    /* Exchange rates are nobody's offers: only who asks for them by name gets them. */
    return subject->attributes->kind != KIND_FX || is_asked[KEY_SITE] || is_asked[KEY_KIND];
}

bool query_matches_source(const struct query *query, struct gt_str site)
{
    static const struct offer_identity no_identity;
    static const struct offer_attributes no_attributes;
    const struct query_subject subject = {.site = site, .identity = &no_identity, .attributes = &no_attributes};
    return !query_is_about_offers(query) && query_matches(query, &subject);
}

struct gt_str query_terms(const struct offer_record *record, struct arena *arena)
{
    unsigned seen = 0;
    struct gt_str terms = GT_STR("");
    for (size_t i = 0; record != NULL && i < record->quote_count; i++) seen |= 1u << record->quotes[i].period;
    for (int period = PERIOD_SECOND; period < PERIOD_COUNT; period++)
        if (seen & 1u << period)
            terms = arena_printf(arena, "%.*s%s%s", GT_STR_ARG(terms), terms.len > 0 ? " " : "", word_text(VOCABULARY_PERIOD, period));
    return terms;
}
