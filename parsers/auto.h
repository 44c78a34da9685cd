/* What the parts of the extractor `auto` share. Inside parsers/auto*.c only.
 *
 * Everything a page may hold is brought into one of two forms: a grid (HTML and markdown tables, rows of <div>s, arrays of JSON
 * objects), which auto_grid.c reads, or a block of lines (cards, list items), which auto_block.c reads. Both end in auto_offer.
 */
#ifndef GT_PARSERS_AUTO_H
#define GT_PARSERS_AUTO_H

#include "parsers/extractor.h"
#include "parsers/html_grid.h"
#include "parsers/listing_build.h"
#include "pricing/price_text.h"
#include "pricing/sku.h"

struct _xmlNode;
struct jnode;

enum {
    AUTO_CELL_MAX = 400,       /* bytes of a text that is looked at for a card or a price: longer ones are prose */
    AUTO_LABEL_MAX = 160,      /* bytes of a label */
    AUTO_COLUMNS_MAX = 120,    /* columns of a grid that are looked at; wider ones are no price list */
    AUTO_PRICES_MAX = 24,      /* prices of one offer */
    AUTO_WORK_MAX = 400000,    /* texts of one page that are read for a card or a price */
    AUTO_MANY_ALIKE = 3,       /* rows or blocks of one kind: further ones make it no surer */
    AUTO_CONFIDENCE_MIN = 400, /* permille below which a guess is no offer */
    AUTO_TOLD_MAX = 512,       /* prices of tables that are remembered: what a longer page says again is an offer again */
};

/* What a page as a whole says about what it sells. */
struct auto_evidence {
    int rental;       /* different words of renting by time that occur */
    int purchase;     /* different words of buying hardware that occur */
    int other;        /* different words of events, adverts, memberships, energy that occur */
    bool lacks_cards; /* no word of its text says that it is about cards: "P40" is then the name of something else */
    bool lacks_names; /* … nor two of the short names of cards: "A10" is then the name of a plan */
    bool speaks_of_energy;
    bool rates_cores; /* names the hours of a core: the price list of a computing centre, whose GPU may have no name */
    enum decimal_sign decimal; /* what its amounts of money tell */
    struct gt_str yuan; /* the code of the currency that 元, a bare ¥ and no sign at all are in, as the page's words tell; "" when they do not */
};

/* A price that a table tells: lists and sentences around it say it again, or what others ask. */
struct auto_told {
    const struct sku_node *card;
    struct currency currency;
    int64_t amount_nano;
};

struct auto_page {
    struct arena *arena;   /* of the result */
    struct arena *scratch; /* of readings that are thrown away */
    struct listing_builder builder;
    struct auto_evidence evidence;
    size_t rows_found;
    size_t work;
    struct auto_told told[AUTO_TOLD_MAX];
    size_t told_count;
    bool is_quoted;  /* within JSON that is a text of JSON */
    enum gt_err err; /* sticky */
    struct gt_errinfo *info;
};

/* What stands around a grid or block. "" where there is nothing. */
struct auto_around {
    struct gt_str caption; /* of the table */
    struct gt_str heading; /* the nearest heading above */
    struct gt_str before;  /* the paragraph or line right before */
};

/* Notes that the page does not fit into the memory that it may take. */
void auto_fail_full(struct auto_page *page);

/* ---- auto_words.c ---- */

/* A key as words: "pricePerHour", "price_per_hour" and "price-per-hour" are "price per hour", "costv100" is "cost v100".
 * `prefix` goes before it. In the page's arena. */
struct gt_str auto_key_words(struct auto_page *page, struct gt_str prefix, struct gt_str key);

/* The tag of a field's name that the words of a heading give where they are all of it: "1 Hour" is "price.hour". "price" when
 * none. */
struct gt_str auto_price_name(struct auto_page *page, struct gt_str heading);

/* What a column's heading says its cells are. */
enum auto_role {
    AUTO_NONE,
    AUTO_VRAM,
    AUTO_CARDS,
    AUTO_FOREIGN,  /* money that is no rent, whatever its unit */
    AUTO_TOTAL,    /* a sum, which is a price only by a unit of time */
    AUTO_EXCLUDED, /* numbers that are no price of renting */
    AUTO_CURRENCY,
    AUTO_DISCOUNT, /* a price after a discount, or the discount itself */
    AUTO_REGION,
    AUTO_STOCK,
    AUTO_PROVIDER,
    AUTO_DISK,
    AUTO_RAM,
    AUTO_VCPU,
    AUTO_INTERCONNECT,
    AUTO_PRICE,
    AUTO_PERIOD, /* a time, without a word that says it is of a price */
    AUTO_UNIT,
    AUTO_PLAN,
    AUTO_LABEL,
    AUTO_INSTANCE,
    AUTO_ROLE_COUNT
};

/* The role that the words of a heading give. Uses the page's scratch arena. */
enum auto_role auto_role_of(struct auto_page *page, struct gt_str heading);

/* True when the heading has a word of that role, whatever others it has. */
bool auto_has_role(struct auto_page *page, struct gt_str heading, enum auto_role role);

/* True when the text has one of the words, which '|' parts: ASCII ones stand alone, others anywhere; case does not matter. */
bool auto_has_words(struct auto_page *page, struct gt_str text, const char *words);

/* Counts the words of renting and of buying in a text. */
struct auto_evidence auto_evidence_of(struct auto_page *page, struct gt_str text);

/* ---- auto_cell.c ---- */

/* What one text is, as far as cards and prices go. */
struct auto_cell {
    bool has_sku;    /* names a card */
    bool is_generic; /* "GPU", "GPU usage": a card without a name */
    bool is_exact;
    int32_t cards;  /* glued to the name */
    bool is_number; /* a bare number */
    bool is_empty;  /* nothing, or a dash */
    struct gt_str text;
};

/* Looks for a card. */
struct auto_cell auto_cell_read(struct auto_page *page, struct gt_str text);

/* True for specifications: "24GB 显存 / 15核 / 60GB内存", "8×24GB, NVLink". They fix the card's memory and tell offers apart. */
bool auto_is_spec(struct gt_str text);

/* True for a short text that says whether the card can be had: "已售罄", "余 36 卡". */
bool auto_is_stock(struct auto_page *page, struct gt_str text);

/* True for a short text that counts cards and says so: "8 GPUs", "×8". */
bool auto_is_count(struct gt_str text);

/* The number that a word before the card's name counts: "eight NVIDIA A100" is "8"; "" when there is none. */
struct gt_str auto_count_word(struct gt_str label);

/* The number behind a word for cards in a cell of several parts: "GPUs: 8 vCPUs: 224" is "8"; "" when there is none. */
struct gt_str auto_count_behind(struct gt_str text);

/* True for a short text that names something else on a price list: memory, disks, traffic, addresses. */
bool auto_is_other_thing(struct auto_page *page, struct gt_str text);

/* A price as it will be read later, and what it says. */
struct auto_price {
    struct gt_str text;
    struct gt_str header; /* what its unit is read from, in the page's arena */
    struct gt_str name;   /* the listing's field: "price", "price.sale" */
    size_t items;         /* prices in the text; 0: none */
    bool has_currency;    /* printed beside it or above it */
    bool has_period;
    bool is_period_printed; /* in the text itself */
    bool is_zero;
    bool has_two_units; /* two amounts, each for a time of its own: "$1,000/mo ($1.50/hr)" */
    struct price_item first; /* texts in the scratch arena */
};

/* Reads `text` as a price under a heading and, until its period is known, under what stands around: caption, heading, line
 * before. A bare number is a price only when `takes_bare`. False when there is none. */
bool auto_price_read(struct auto_page *page, struct gt_str text, struct gt_str heading, struct gt_str row,
                     const struct auto_around *around, bool takes_bare, struct auto_price *ret_price);

/* True for a text that is an amount of money by itself, be it of a card or of a part of the machine. */
bool auto_is_amount(struct auto_page *page, struct gt_str text);

/* The amount in a text that has more digits than can be kept, with the reason; an empty raw when there is none. In the scratch arena. */
struct refusal auto_price_refusal(struct auto_page *page, struct gt_str text);

/* True when a bare number under this heading and among these surroundings has both a currency and a period. */
bool auto_unit_is_known(struct auto_page *page, struct gt_str heading, const struct auto_around *around);

/* True for an amount by the month for which nobody lets that card: the fee of a membership, in whose list of features it stands. */
bool auto_price_is_fee(const struct auto_price *price, struct gt_str label);

/* True when the price has a period; or when the page speaks more of renting than of buying, and the amount is one that an hour
 * of this card (or of a node of `cards` of them) can cost. */
bool auto_price_is_plausible(struct auto_page *page, const struct auto_price *price, struct gt_str label, int32_t cards);

/* True for an exact amount of a known currency by the hour or the month, its unit printed beside it, for which that card (or up to `cards`
 * of them, where some are counted) is let somewhere: what may be believed of a page that has no other price. */
bool auto_price_is_usual(const struct auto_price *price, struct gt_str label, int32_t cards);

/* ---- auto_unit.c ---- */

/* Cuts *rest at the first of some signs that it has: what is before the sign is returned, *rest becomes what is behind it, "" when there is
 * none. */
struct gt_str auto_cut_at(struct gt_str *rest, const struct gt_str *signs, size_t count);

/* Takes the first sentence off *rest: up to a full stop or a semicolon. */
struct gt_str auto_sentence_cut(struct gt_str *rest);

/* True when a bare number under this heading alone has a period. */
bool auto_unit_has_time(struct auto_page *page, struct gt_str heading);

/* The sentence of a paragraph that says what prices are for, rather one about cards; "" when none does. A slice of it. */
struct gt_str auto_unit_sentence(struct auto_page *page, struct gt_str paragraph);

/* What names the unit of a table's prices: the line before it, else a sentence of the paragraph behind it, else what was said farther off.
 * The line before where none does, unless it names a time of something else. */
struct gt_str auto_unit_choose(struct auto_page *page, struct gt_str before, struct gt_str behind, struct gt_str said);

/* True for a sentence about all prices below it, whatever heading they stand under. */
bool auto_unit_is_for_all(struct auto_page *page, struct gt_str sentence);

/* ---- auto_offer.c ---- */

/* An offer as it is put together. */
struct auto_offer {
    struct gt_str label;
    struct gt_str plan, region, variant, cards, vram, memory /* of the unit sold, as printed */, vcpu, ram, disk, stock, interconnect, currency;
    struct gt_str discount, discount_heading;
    struct auto_price prices[AUTO_PRICES_MAX];
    size_t price_count;
    int64_t once_nano;  /* the largest amount beside them that is for no time; 0 when there is none */
    bool is_generic;    /* a card without a name */
    bool is_sku_column; /* the name stands in a column of names */
    size_t alike;       /* rows or blocks of the same kind */
    const char *shape;  /* "table", "cards", "json" … : goes into the reasons */
};

/* The shapes of what stands beside tables: a list's line, a sentence. */
#define AUTO_SHAPE_LIST "list"
#define AUTO_SHAPE_SENTENCE "sentence"

/* Notes an amount of the offer that is for no time. */
void auto_offer_note(struct auto_offer *offer, const struct auto_price *price);

/* Reckons the confidence, writes the reasons and adds the listing, or drops what is too weak. A month that is reckoned from a price
 * per card is made one per card. */
void auto_offer_add(struct auto_page *page, struct auto_offer *offer);

/* True when the words beside a card's name say that money is paid for something done about it: "Support for A100 nodes". */
bool auto_is_service(struct auto_page *page, struct gt_str words);

/* Cuts a text at a sign into at most `max` trimmed pieces, which are slices of it. Returns how many; 0 when there is one or too many. */
size_t auto_pieces_cut(struct gt_str text, struct gt_str sign, size_t max, struct gt_str *pieces);

/* ---- the forms ---- */

/* Offers of a grid, whichever way round it lies. Returns how many. */
size_t auto_grid_read(struct auto_page *page, struct grid *grid, const struct auto_around *around, const char *shape);

/* Offers of an HTML (or markdown with HTML in it) page: tables, rows of <div>s, blocks, scripts. */
enum gt_err auto_html_read(struct auto_page *page, struct gt_str text, bool is_markdown);

/* True when the node is `top` or lies below it. */
bool auto_is_below(const struct _xmlNode *node, const struct _xmlNode *top);

/* True for an element that strikes out its text. */
bool auto_strikes(const struct _xmlNode *node);

/* True when a text is struck out: <del>, <s>, line-through. NULL is not. */
bool auto_is_struck(const struct _xmlNode *node);

/* The struck-out text below a node; "" when there is none (or no node). In the page's arena. */
struct gt_str auto_struck_text(struct auto_page *page, const struct _xmlNode *node);

/* Offers of repeated blocks below `top`. Returns how many. */
size_t auto_blocks_read(struct auto_page *page, struct _xmlNode *top);

/* Offers that attributes below `root` hold for the page's scripts. Returns how many. */
size_t auto_attributes_read(struct auto_page *page, struct _xmlNode *root);

/* Offers of pipe tables. */
enum gt_err auto_markdown_read(struct auto_page *page, struct gt_str text);

/* Offers of lines of plain text: "8*910B - 15000/月"; only those of lists ("- x") when `takes_items`. */
void auto_lines_read(struct auto_page *page, struct gt_str text, bool takes_items);

/* Offers of a text that is a table of separated values from end to end. Returns how many. */
size_t auto_csv_read(struct auto_page *page, struct gt_str text);

/* Offers of tables of plain text. Returns how many. */
size_t auto_text_tables_read(struct auto_page *page, struct gt_str text);

/* The tree that a list of values stands for whose members are places in it; NULL when it is no such list. In the page's arena. */
const struct jnode *auto_indexed_tree(struct auto_page *page, const struct jnode *list);

/* Offers of a tree of values, however it was written. Returns how many. */
size_t auto_tree_read(struct auto_page *page, const struct jnode *root);

/* Offers of a YAML text. Returns how many; a text that is none has none. */
size_t auto_yaml_read(struct auto_page *page, struct gt_str text);

/* Offers of a JSON text. Returns how many; a text that is no JSON has none. */
size_t auto_json_read(struct auto_page *page, struct gt_str text);

#endif
