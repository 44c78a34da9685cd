/* Lines of a page, each looked at by itself: what it names and what it costs. Inside parsers/auto_block.c, auto_collect.c, auto_line.c
 * auto_line_list.c, auto_sentence.c and auto_unnamed.c only. */
#ifndef GT_PARSERS_AUTO_LINE_H
#define GT_PARSERS_AUTO_LINE_H

#include "parsers/auto.h"

enum {
    AUTO_LINE_MAX = 160, /* bytes: a longer line is a sentence */
    AUTO_PIECES_MAX = 12, /* offers of one line */
    AUTO_PARAGRAPH_MAX = 4000, /* bytes: cutting a longer text into sentences would take long */
};

/* One visible line. */
struct auto_line {
    struct gt_str text;
    struct gt_str above; /* what it stands under and is told from others by: a list's item, a heading; "" when nothing does */
    struct gt_str term;  /* the words that lead to it and name a term, "" when none do */
    const struct _xmlNode *node; /* the text node that it begins with */
    const struct sku_node *sku;
    bool has_sku, has_price, is_struck, is_heading;
    bool is_prose;
    bool is_other; /* names what is no card: memory, an address */
    struct auto_price price;
    size_t price_offset, price_len; /* of its words in `text` */
};

/* What is carried from line to line. */
struct auto_lines {
    struct auto_page *page;
    struct gt_str unit; /* the last line that says what all prices are in; "" when none */
    struct gt_str lead; /* the line before, where it is no more than a unit: "from monthly"; "" else */
};

/* Cuts what is shown below `top` into at most `max` lines: text within one block, without what offers were read from already. An amount
 * whose cents or unit stand in a block of their own is one line with them. Returns how many. */
size_t auto_lines_collect(struct auto_lines *reader, struct _xmlNode *top, struct auto_line *lines, size_t max);

/* The clauses of a line that lists cards each beside its price, slices of it, at most AUTO_PIECES_MAX; 0 when it is no such list. */
size_t auto_line_cut(struct auto_page *page, struct gt_str line, struct gt_str *pieces);

/* Without the signs that stand between a name and its price, or open a list's item. */
struct gt_str auto_line_strip(struct gt_str text);

/* Fills a line from its text: card, price, or neither. Sentences and news have neither. */
void auto_line_judge(struct auto_lines *lines, struct auto_line *line);

/* True when a line that holds both card and price holds little else; otherwise it is a sentence about them. */
bool auto_line_is_terse(const struct auto_line *line);

/* What a line calls its card: its words without the price, since a label must not change with it. In the page's arena. */
struct gt_str auto_line_label(struct auto_page *page, const struct auto_line *line);

/* Offers of cards without a name among the lines of a page that has no others: "0.5 EUR per GPU hour". Returns how many. */
size_t auto_unnamed_read(struct auto_page *page, const struct auto_line *lines, size_t count);

/* The word of a term ("spot", "reserved") in a sentence; "" when there is none, or a word of paying on demand as well. */
struct gt_str auto_term_of(struct gt_str sentence);

/* True when a sentence guesses, remembers, reckons or speaks of a market: what it names is no offer. */
bool auto_sentence_doubts(struct auto_page *page, struct gt_str sentence);

/* Offers of the sentences among the lines in which a card costs so much by time, told apart by what they stand under. None on a page
 * of a computing centre that has offers already, as auto_unnamed_read reads its sentences, and on one that speaks more of buying or of
 * something else. */
void auto_sentences_read(struct auto_page *page, const struct auto_line *lines, size_t count);

/* True for a text that begins with a date, as entries of a log and headings over them do: "2024-05-01: …". */
bool auto_line_is_dated(struct gt_str text);

/* True for the title of an article about a card, which asks or compares: "Is $1/h too much for an A100?", "A100 vs L40S". */
bool auto_line_compares(struct auto_page *page, struct gt_str title);

/* True for a line of specifications. */
bool auto_line_is_spec(const struct auto_line *line);

#endif
