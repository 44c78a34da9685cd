#include "reports/offer_cells.h"

/* Vocabularies whose first word stands for "not known". */
static bool begins_unknown(enum vocabulary vocabulary)
{
    switch (vocabulary) {
    case VOCABULARY_PERIOD:
    case VOCABULARY_BASIS:
    case VOCABULARY_TAX:
    case VOCABULARY_AVAIL:
    case VOCABULARY_DELIVERY:
    case VOCABULARY_TIER:
    case VOCABULARY_EVIDENCE: return true;
    default: return false;
    }
}

struct cell cell_word(enum vocabulary vocabulary, int value)
{
    return value == 0 && begins_unknown(vocabulary) ? cell_none() : cell_words(word_text(vocabulary, value));
}

struct cell cell_word_shown(enum gt_lang lang, enum vocabulary vocabulary, int value)
{
    return value == 0 && begins_unknown(vocabulary) ? cell_none() : cell_text(label_word(lang, vocabulary, value));
}

struct cell cell_page(const struct board_row *row, struct arena *arena)
{
    if (row->warc_file.len == 0) return cell_none();
    return cell_text(arena_printf(arena, "%.*s:%lld", GT_STR_ARG(row->warc_file), (long long)row->warc_offset));
}

struct cell cell_linked(struct gt_str text, const struct board_row *row)
{
    struct cell cell = cell_text(text);
    cell.link = row->url;
    return cell;
}
