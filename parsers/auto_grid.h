/* A grid while it is read. Inside parsers/auto_grid*.c only. */
#ifndef GT_PARSERS_AUTO_GRID_H
#define GT_PARSERS_AUTO_GRID_H

#include "parsers/auto.h"

/* One column, by its heading and its cells. */
struct auto_column {
    enum auto_role role;
    struct gt_str heading; /* of the first data row */
    bool heading_has_sku;
    size_t filled; /* data cells that are neither empty nor a dash */
    size_t skus;   /* that name a card */
    size_t generics;
    size_t named_prices;    /* that are a price beside a card's name */
    size_t priced;          /* that are a price by themselves */
    size_t timed;           /* … and say for how long */
    size_t clocks;          /* "0:15:27" */
    size_t numbers;         /* bare numbers */
    size_t counts;          /* that can be a number of cards */
    size_t explicit_counts; /* that are one and say so: "8 GPUs" */
    size_t memories;        /* that are an amount of memory: "8 GB" */
    size_t told_memories;   /* … and say that it is a card's: "8 GB GPU" */
    size_t exacts;          /* that name one card and leave nothing open */
    size_t units;           /* that name a unit of time: "GPU per hour" */
    size_t plans;           /* that are a way of paying: "Spot" */
    bool is_price;
    bool is_naming;  /* its prices name their cards: "RTX 3090 from $0.12/hr" */
    bool takes_bare; /* bare numbers in it are prices */
    bool is_remark;  /* what is said beside the figures */
    bool knows_hour;    /* hour_column was looked for */
    size_t hour_column; /* the one by the hour that it is headed by a term of; SIZE_MAX when there is none */
};

struct auto_grid {
    struct auto_page *page;
    struct grid *grid;
    const struct auto_around *around;
    const char *shape;
    struct auto_column columns[AUTO_COLUMNS_MAX];
    size_t label_column; /* SIZE_MAX when no column names cards */
    size_t cards_column, unit_column, plan_column;
    size_t data_rows, priced_rows;
    size_t looked_at, section; /* rows walked for section rows, and the last one that names what is below it; SIZE_MAX: none */
    struct gt_str whole_of; /* the name that whole_gb is of */
    int32_t whole_gb;       /* memory of a whole card of that name, where a row prints it */
    struct gt_str believed; /* the card that the last row with a price named */
    bool has_duration;         /* a column of hours: prices whose own words name no period are what so many hours cost */
    bool is_split;             /* price columns of one unit side by side: each is an offer of its own */
};

/* Where a row's card is named. */
struct auto_naming {
    struct gt_str label;
    struct gt_str words; /* the card's name where the label lacks it: a heading's words */
    size_t column;       /* of the label */
    bool is_generic;
};

/* The prices of a cell whose heading has a unit for each ("monthly / hourly"), at most three. 0 when it is no such cell. */
size_t auto_dual_read(struct auto_page *page, struct gt_str text, struct gt_str heading, struct gt_str row, bool takes_bare,
                      struct auto_price *prices);

/* A cell's text, trimmed; "" for column SIZE_MAX. */
struct gt_str auto_grid_cell(const struct auto_grid *auto_grid, size_t row, size_t column);

/* Reads the price of a cell. `label` is what the row calls itself. False when the column has none or the cell does not. */
bool auto_grid_price(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *ret_price);

/* The prices of a cell that holds several: a struck-out one beside the new one, or one for each unit of the heading; at most three.
 * 0 when it holds one. */
size_t auto_grid_several(struct auto_grid *auto_grid, size_t row, size_t column, struct gt_str label, struct auto_price *prices);

/* The grid of one row that a table of keys and values tells; NULL when the table is none. */
struct grid *auto_pairs_turn(struct auto_page *page, const struct grid *grid, const struct auto_around *around);

/* Finds out what each column is. False when there is no price in the grid. */
bool auto_columns_read(struct auto_grid *auto_grid);

/* The number before the first word for hours, "160h/mes" being 160; 0 when there is none. */
int32_t auto_hours_in(struct auto_page *page, struct gt_str text);

/* Takes the columns of money that are no rent of a card off the prices: running costs, own costs, machines without their cards, bills,
 * statistics. Returns how many prices are left. */
size_t auto_costs_drop(struct auto_grid *auto_grid);

/* True for a row whose seller is none: "Market average", "Lambda (est.)". Nobody asks its price. */
bool auto_row_is_nobodys(struct auto_grid *auto_grid, size_t row);

/* Finds what a row sells. False when it is no card. */
bool auto_row_name(struct auto_grid *auto_grid, size_t row, struct auto_naming *ret);

/* Reads the rows; returns how many offers they gave. */
size_t auto_rows_read(struct auto_grid *auto_grid);

#endif
