/* Every word that reports show, in Chinese and English: the table is words.def. The caller names the language; the
 * environment decides nothing. */
#ifndef GT_REPORTS_LABELS_H
#define GT_REPORTS_LABELS_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/str.h"
#include "pricing/words.h"

enum gt_lang { LANG_ZH, LANG_EN, LANG_COUNT };

enum label {
#define LABEL(id, zh, en) LABEL_##id,
#include "reports/words.def"
    LABEL_COUNT
};

enum { PHRASE_ARGS_MAX = 10 };

/* The language of "zh" or "en". False for another word. */
bool lang_find(struct gt_str word, enum gt_lang *ret_lang);

/* "zh", "en". */
const char *lang_name(enum gt_lang lang);

/* A label's text. Static storage. */
struct gt_str label(enum gt_lang lang, enum label id);

/* A label with its places {0} … {9} filled by `args` (those beyond `count` become empty). In the arena; empty when it is full. */
struct gt_str phrase(struct arena *arena, enum gt_lang lang, enum label id, const struct gt_str *args, size_t count);

/* The same for words that are no label of the reports. */
struct gt_str phrase_fill(struct arena *arena, const char *words, const struct gt_str *args, size_t count);

/* A value of one of the domain's vocabularies as people read it: 售罄, "sold out". A value without a row in words.def shows its
 * word on the wire. */
struct gt_str label_word(enum gt_lang lang, enum vocabulary vocabulary, int value);

/* What people read for a code of the audit; the code itself where words.def has no row for it. */
struct gt_str label_code(enum gt_lang lang, const char *code);

/* A sentence that was made or stored in English (the audit's, a guard's, why an offer has no price, why a source failed) as people read it: in
 * Chinese where words.def has it, what stands in its places told the same way; also what follows the ": " of a text that only ends in one. Any other
 * text as it is, for it is somebody else's words. In the arena, or `text` itself. */
struct gt_str label_sentence(struct arena *arena, enum gt_lang lang, struct gt_str text);

#endif
