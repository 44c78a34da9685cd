/* The compiled rules of the table extractor and what its two ways of reading share. Inside parsers/ only. */
#ifndef GT_PARSERS_TABLE_RULES_H
#define GT_PARSERS_TABLE_RULES_H

#include "common/strbuf.h"
#include "parsers/extractor.h"
#include "parsers/field_rules.h"
#include "parsers/html_grid.h"
#include "parsers/listing_build.h"
#include "parsers/regex.h"
#include "parsers/xpath.h"

enum {
    TABLE_NODES_PER_RULE_MAX = 8, /* nodes of one price or discount rule that become fields */
    TABLE_HEADER_SEARCH_ROWS = 5, /* first rows in which header words are looked for when no tag marks a header */
    TABLE_ROW_TEXT_MAX = 256 * 1024,
};

struct table_rules {
    struct arena *arena;
    struct field_rules fields;
    struct xpath *paths[FIELD_RULES_MAX];  /* of the rules that are XPaths, else NULL */
    struct gt_str folded[FIELD_RULES_MAX]; /* header words as they are compared */
    struct xpath *rows;
    struct xpath *table; /* NULL when the section names none */
    struct regex *skip;  /* NULL when none */
    bool is_transposed;
    bool has_words; /* some rule goes by header words */
};

/* What was found for a rule in the rows under one header; rows come by the hundred. */
struct table_memory {
    const struct grid *grid;
    size_t group; /* grid_header_group */
    size_t column;
    struct gt_str heading; /* with the caption */
};

/* A page while its rows are read. */
struct table_page {
    const struct table_rules *rules;
    struct xpath_run *xpath;
    struct arena *arena;
    struct table_memory words[FIELD_RULES_MAX];    /* the column of a rule's header words */
    struct table_memory headings[FIELD_RULES_MAX]; /* the heading over a rule's last cell */
    struct listing_builder builder;
    struct strbuf text; /* scratch */
    size_t rows_found;
    struct gt_errinfo *info;
};

/* The grid of a table, laid out when first asked for; header words make a header of the row that holds them. NULL in *ret_grid
 * without a table. GT_OK, GT_ELIMIT, GT_ENOMEM. */
enum gt_err table_grid(struct table_page *page, struct _xmlNode *table, struct grid **ret_grid);

/* The heading of a cell's column as units are read from it: with the table's caption behind it where there is one. `index` is
 * the rule's. In the arena. */
struct gt_str table_heading(struct table_page *page, size_t index, struct grid *grid, size_t row, size_t column);

/* The column that a rule of header words means in a row, or SIZE_MAX. */
size_t table_column(struct table_page *page, size_t index, struct grid *grid, size_t row);

/* The visible text of a node in the page's scratch buffer: good until the next call. */
struct gt_str table_node_text(struct table_page *page, const struct _xmlNode *node);

/* True in *ret_skipped when the section's `skip` matches the row's text. */
enum gt_err table_is_skipped(struct table_page *page, struct gt_str text, bool *ret_skipped);

/* Reads the offers that are columns of the given table. */
enum gt_err table_read_transposed(struct table_page *page, struct _xmlNode *table);

#endif
