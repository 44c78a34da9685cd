/* What a row of a grid calls its card, and where: in the column of names, above the row, inside a price. */
#include "parsers/auto_grid.h"
#include "pricing/listing_spec.h"
#include "pricing/listing_terms.h"

/* Things of a cloud whose names hold what cards are called: "Load balancer L4". */
static const char OTHER_THINGS[] =
    "purchase|load balancer|firewall|gateway|ip address|vpn|support plan|负载均衡|网关|防火墙|公网|域名|证书";

/* The first cell of a row that is a text and no price: what the row calls itself. */
static size_t title_column(const struct auto_grid *auto_grid, size_t row)
{
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        if (column->is_price || column->role == AUTO_EXCLUDED) continue;
        struct auto_cell cell = auto_cell_read(auto_grid->page, grid_text(auto_grid->grid, row, i));
        if (!cell.is_empty && !cell.is_number && cell.text.len <= AUTO_CELL_MAX) return i;
    }
    return SIZE_MAX;
}

/* The text of the section row that a row stands below; "" when there is none. Rows are asked for from the top down. */
static struct gt_str section_above(struct auto_grid *auto_grid, size_t row)
{
    for (; auto_grid->looked_at < row; auto_grid->looked_at++) {
        enum grid_row_kind kind = auto_grid->grid->kinds[auto_grid->looked_at];
        if (kind != GRID_DATA) auto_grid->section = kind == GRID_SECTION ? auto_grid->looked_at : SIZE_MAX;
    }
    return auto_grid->section == SIZE_MAX ? GT_STR("") : grid_text(auto_grid->grid, auto_grid->section, 0);
}

/* "NVIDIA H100 80GB from $2.49/hr": a name does not change with its price. */
static struct gt_str without_price(struct auto_grid *auto_grid, struct gt_str text)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price;
    struct sku_match match = sku_resolve(text, 0, NULL, 0);
    bool is_priced = auto_price_read(auto_grid->page, text, GT_STR(""), GT_STR(""), &nothing, false, &price);
    return is_priced && price.first.offset >= match.offset + match.len ? gt_str_slice(text, 0, match.offset + match.len) : text;
}

/* True for a title that names two cards: of the rows below it neither is the name. */
static bool names_two(struct gt_str title)
{
    struct sku_match first = sku_resolve(title, 0, NULL, 0);
    struct sku_match second = sku_resolve(gt_str_slice(title, first.offset + first.len, SIZE_MAX), 0, NULL, 0);
    return first.status == SKU_AMBIGUOUS && second.status != SKU_UNMAPPED;
}

/* A card named above the row: by a section row, by the heading of a column that counts cards, by caption or heading of the whole. */
static struct gt_str name_above(struct auto_grid *auto_grid, size_t row)
{
    struct gt_str section = section_above(auto_grid, row);
    if (auto_cell_read(auto_grid->page, section).has_sku) return section;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct gt_str heading = grid_heading(auto_grid->grid, row, i);
        if (!auto_grid->columns[i].is_price && auto_cell_read(auto_grid->page, heading).has_sku) return heading;
    }
    /* Parts of one card look like rows too: without a second priced row the heading above says nothing of them. */
    if (auto_grid->priced_rows < 2 && strcmp(auto_grid->shape, "rows") == 0) return GT_STR("");
    const struct gt_str around[] = {auto_grid->around->caption, auto_grid->around->heading};
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        if (auto_cell_read(auto_grid->page, around[i]).has_sku && !names_two(around[i])) return without_price(auto_grid, around[i]);
    }
    return GT_STR("");
}

/* A row does not call itself "80 GB". */
static bool is_part_role(enum auto_role role)
{
    return role == AUTO_VRAM || role == AUTO_RAM || role == AUTO_VCPU || role == AUTO_DISK || role == AUTO_STOCK;
}

/* The card that a price cell of the row names: "RTX 3090 from $0.12/hr", "1.00 RMB/V100·h"; "" when none does. */
static struct gt_str name_in_price(const struct auto_grid *auto_grid, size_t row, bool is_usual)
{
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        if (!auto_grid->columns[i].is_price || (is_usual && !auto_grid->columns[i].is_naming)) continue;
        struct gt_str text = auto_grid_cell(auto_grid, row, i);
        struct sku_match match = sku_resolve(text, 0, NULL, 0);
        if (match.status == SKU_UNMAPPED) continue;
        return gt_str_slice(text, is_usual ? 0 : match.offset, is_usual ? match.offset + match.len : match.len);
    }
    return GT_STR("");
}

/* "GDC.H200-30.375GB": where the figures of an instance's name leave open which card it has, and the heading above says it, that is
 * the name. */
static void name_by_heading(struct auto_grid *auto_grid, size_t row, struct auto_naming *naming)
{
    struct sku_match own = sku_resolve(naming->label, 0, NULL, 0);
    if (own.status != SKU_AMBIGUOUS) return;
    struct gt_str above = name_above(auto_grid, row);
    struct sku_match match = sku_resolve(above, 0, NULL, 0);
    for (size_t i = 0; match.node != NULL && i < own.candidate_count; i++) {
        const struct sku_node *mine = own.candidates[i], *named = match.node;
        bool is_kin = mine == named || strcmp(mine->parent, named->name) == 0 || strcmp(mine->parent, named->parent) == 0 ||
                      strcmp(mine->name, named->parent) == 0;
        if (!is_kin) continue;
        naming->label = above;
        naming->column = SIZE_MAX;
        return;
    }
}

/* "H100 80GB" beside "H100 SXM5 80GB": of two names of one card the one that leaves less open is the row's. */
static void name_narrower(struct auto_grid *auto_grid, size_t row, struct auto_naming *naming)
{
    struct sku_match own = sku_resolve(naming->label, 0, NULL, 0);
    for (size_t i = 0; own.status == SKU_EXACT && i < auto_grid->grid->columns; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        bool may_name = (column->role == AUTO_LABEL || column->role == AUTO_INSTANCE || column->role == AUTO_NONE) && !column->is_remark;
        struct gt_str cell = may_name && !column->is_price ? auto_grid_cell(auto_grid, row, i) : GT_STR("");
        struct sku_match other = sku_resolve(cell, 0, NULL, 0);
        bool is_name = other.status == SKU_EXACT && !other.is_type_count && other.node != own.node;
        if (!is_name || !sku_is_within(gt_str_from(other.node->name), gt_str_from(own.node->name)))
            continue;
        naming->label = cell;
        naming->column = i;
        return;
    }
}

bool auto_row_name(struct auto_grid *auto_grid, size_t row, struct auto_naming *ret)
{
    const char *reason;
    *ret = (struct auto_naming){
        .label = auto_grid_cell(auto_grid, row, auto_grid->label_column), .words = GT_STR(""), .column = auto_grid->label_column};
    struct gt_str in_price = name_in_price(auto_grid, row, true);
    if (in_price.len > 0) {
        *ret = (struct auto_naming){.label = in_price, .words = GT_STR(""), .column = SIZE_MAX};
        return true;
    }
    if (ret->column != SIZE_MAX && auto_cell_read(auto_grid->page, ret->label).has_sku) {
        name_by_heading(auto_grid, row, ret);
        name_narrower(auto_grid, row, ret);
        return !auto_has_words(auto_grid->page, ret->label, OTHER_THINGS);
    }
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct auto_cell cell = auto_cell_read(auto_grid->page, grid_text(auto_grid->grid, row, i));
        if (auto_grid->columns[i].is_price || !cell.has_sku || cell.is_number) continue;
        ret->label = cell.text;
        ret->column = i;
        return true;
    }
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct auto_cell cell = auto_cell_read(auto_grid->page, grid_text(auto_grid->grid, row, i));
        if (auto_grid->columns[i].is_price || auto_grid->columns[i].role == AUTO_UNIT || !cell.is_generic) continue;
        *ret = (struct auto_naming){.label = cell.text, .words = GT_STR(""), .column = i, .is_generic = true};
    }
    if (!ret->is_generic) ret->column = title_column(auto_grid, row);
    ret->label = auto_grid_cell(auto_grid, row, ret->column);
    if (ret->is_generic) ret->words = name_in_price(auto_grid, row, false);
    if (ret->words.len == 0) ret->words = name_above(auto_grid, row);
    if (ret->label.len == 0) ret->label = ret->words; /* nothing but prices: the heading above is the name */
    if (ret->label.len == 0 || terms_is_component(ret->label, &reason)) return false;
    if (ret->words.len > 0) {
        bool is_part = ret->column != SIZE_MAX && is_part_role(auto_grid->columns[ret->column].role);
        if (!ret->is_generic && is_part) ret->label = ret->words;
        return true;
    }
    /* A row that counts cards sells some, named or not. */
    struct gt_str count = auto_grid_cell(auto_grid, row, auto_grid->cards_column);
    bool counts_cards = spec_cards_read(count).cards > 0;
    if (counts_cards) {
        const struct auto_column *column = &auto_grid->columns[auto_grid->cards_column];
        counts_cards = column->role == AUTO_CARDS || (column->role == AUTO_LABEL && column->skus == 0);
    }
    ret->is_generic |= counts_cards;
    return ret->is_generic;
}
