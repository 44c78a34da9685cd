/* Rules from examples: what the files of propose*.c share. Inside parsers/propose*.c only.
 *
 * An example is a row of the page (of a table, an array of objects, a repeated block) and the listing that `auto` made of it. A
 * place is where a text may stand in every row: a column, a key. The field of a listing is at the place whose text it is in all
 * examples. */
#ifndef GT_PARSERS_PROPOSE_EXAMPLE_H
#define GT_PARSERS_PROPOSE_EXAMPLE_H

#include "parsers/propose.h"

enum {
    PROPOSE_CANDIDATES_MAX = 240,
    PROPOSE_PLACES_MAX = 200,
    PROPOSE_FIELDS_MAX = 24, /* of a proposed section */
    PROPOSE_ROWS_MAX = 20000,
    PROPOSE_WORDS_MAX = 120, /* bytes of a heading, or of a text that all rows share, that a rule may quote */
    PROPOSE_HEADING = 100001, /* the place of a text that is the heading above the rows */
    PROPOSE_LITERAL = 100000, /* the place of a text that stands in no row and is the same for all: the page's heading, mostly */
};

/* How much a price's name says; UNION: nothing, and all prices go under one name. */
enum propose_naming { NAMING_PLAIN, NAMING_ROLE, NAMING_PERIOD, NAMING_FULL, NAMING_UNION, NAMING_COUNT };

struct propose {
    struct gt_str text; /* the page, decoded */
    const struct page_input *page;
    struct gt_str currency;
    struct arena *arena;
    const struct listing *listings; /* what auto found, in the page's order */
    size_t count;
    struct gt_str candidates[PROPOSE_CANDIDATES_MAX]; /* rule lines, the best first */
    size_t candidate_count;
    bool is_out_of_memory;
};

struct example {
    const struct listing *listing;
    const struct gt_str *cells; /* a text at each place; "" where there is none */
};

/* A field of the section to be: which of the listings' fields, and where it stands. */
struct propose_field {
    struct gt_str name;   /* of the listings' field */
    size_t nth;           /* which of the fields of that name */
    size_t place; /* PROPOSE_LITERAL: none */
    const struct listing_field *example; /* the first one met, with its listing */
    const struct listing *listing;
};

/* The text of such a field as a section quotes it: 'NVIDIA H100'. Empty where it cannot be. In the arena. */
struct gt_str propose_literal(struct propose *propose, const struct propose_field *field);

/* Adds rule lines to be tried. Past PROPOSE_CANDIDATES_MAX they are dropped. */
void propose_add(struct propose *propose, struct gt_str rules);

/* True when the two texts are the same print: blanks do not count, a label may be cut. */
bool propose_is_text(struct gt_str cell, struct gt_str text);

/* True when a row's texts hold the listing's label and at least one of its prices. */
bool propose_is_row(const struct gt_str *cells, size_t places, const struct listing *listing);

/* The text of a field to be in one listing; of a variant the nth of the words that were joined to it. "" when it has none. */
struct gt_str propose_text(const struct listing *listing, const struct propose_field *field);

/* Finds the place of each field that the listings have. Returns how many; 0 unless the label and all prices have one. */
size_t propose_places(const struct example *examples, size_t count, size_t places,
                      struct propose_field ret_fields[PROPOSE_FIELDS_MAX]);

/* How many of the fields are tried together: all; without the memory, which may be the node's in some rows; label, prices, cards
 * and variants; label and prices. */
enum propose_choice { CHOICE_ALL, CHOICE_NO_VRAM, CHOICE_FEW, CHOICE_LEAST, CHOICE_COUNT };

/* The fields of a choice, in `ret`; how many. 0 where it is no other than the choice before. */
size_t propose_choose(const struct propose_field *fields, size_t count, enum propose_choice choice, struct propose_field *ret);

/* The name of a field in the section: "price.hour.spot" for a price whose period and role the page tells elsewhere. In the
 * arena. */
struct gt_str propose_name(struct propose *propose, const struct propose_field *field, enum propose_naming naming);

/* Lines "name = rule" for the fields; rules[i] is of fields[i]. Variants go into one value; so do prices by NAMING_UNION, whose
 * rules must then be XPaths. Empty when two other fields would have one name. */
struct gt_str propose_lines(struct propose *propose, const struct propose_field *fields, size_t count,
                            const struct gt_str *rules, enum propose_naming naming);

/* Candidates from tables, from arrays of JSON objects (of the page, or of the scripts of an HTML page), and from blocks. */
void propose_tables(struct propose *propose);
void propose_markdown(struct propose *propose);
void propose_json(struct propose *propose);
void propose_blocks(struct propose *propose);

#endif
