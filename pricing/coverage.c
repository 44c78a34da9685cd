/* Everything is added as it comes and brought together by sorting: a board has some tens of thousands of offers at most. */
#include "pricing/coverage.h"

#include <stdlib.h>

void coverage_init(struct coverage *coverage, struct arena *arena)
{
    *coverage = (struct coverage){.arena = arena};
}

/* Each offer is a cell of one until the end. */
static void add_cell(struct coverage *coverage, struct coverage_cell cell)
{
    void *items = coverage->cells;
    if (!arena_grow(coverage->arena, &items, coverage->cell_count, &coverage->cell_cap, sizeof cell)) {
        coverage->err = GT_ENOMEM;
        return;
    }
    coverage->cells = items;
    coverage->cells[coverage->cell_count++] = cell;
}

/* The same for labels. */
static void add_label(struct coverage *coverage, struct coverage_label label)
{
    void *items = coverage->labels;
    if (!arena_grow(coverage->arena, &items, coverage->label_count, &coverage->label_cap, sizeof label)) {
        coverage->err = GT_ENOMEM;
        return;
    }
    coverage->labels = items;
    coverage->labels[coverage->label_count++] = label;
}

/* A family is known well enough to be asked for: a bare A100 counts as that. */
void coverage_add(struct coverage *coverage, struct gt_str site, const struct offer *offer, enum coverage_state state)
{
    const struct offer_attributes *attributes = &offer->attributes;
    bool is_known = attributes->sku_status == SKU_EXACT || attributes->sku_status == SKU_FAMILY;
    if (coverage->err != GT_OK) return;
    if (is_known) {
        struct coverage_cell cell = {.sku = gt_str_from(attributes->sku), .site = site};
        cell.offers[state] = 1;
        add_cell(coverage, cell);
    } else {
        add_label(coverage, (struct coverage_label){.site = site,
                                                    .label = offer->identity.label,
                                                    .status = attributes->sku_status,
                                                    .candidates = attributes->candidates,
                                                    .offers = 1});
    }
}

/* By card, then site. */
static int cell_cmp(const void *left, const void *right)
{
    const struct coverage_cell *a = left, *b = right;
    int order = gt_str_cmp(a->sku, b->sku);
    return order != 0 ? order : gt_str_cmp(a->site, b->site);
}

/* By site and label; one label may be read differently in two rows, by what stands beside it. */
static int label_cmp(const void *left, const void *right)
{
    const struct coverage_label *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    if (order == 0) order = gt_str_cmp(a->label, b->label);
    if (order == 0) order = (int)a->status - (int)b->status;
    return order != 0 ? order : gt_str_cmp(a->candidates, b->candidates);
}

/* Sorted, what belongs together is next to each other. */
enum gt_err coverage_finish(struct coverage *coverage)
{
    size_t cells = 0, labels = 0;
    if (coverage->cell_count > 0) qsort(coverage->cells, coverage->cell_count, sizeof *coverage->cells, cell_cmp);
    if (coverage->label_count > 0) qsort(coverage->labels, coverage->label_count, sizeof *coverage->labels, label_cmp);
    for (size_t i = 0; i < coverage->cell_count; i++) {
        struct coverage_cell *cell = &coverage->cells[i];
        if (cells == 0 || cell_cmp(&coverage->cells[cells - 1], cell) != 0) {
            coverage->cells[cells++] = *cell;
            continue;
        }
        for (int state = 0; state < COVERAGE_STATES; state++) coverage->cells[cells - 1].offers[state] += cell->offers[state];
    }
    for (size_t i = 0; i < coverage->label_count; i++) {
        if (labels > 0 && label_cmp(&coverage->labels[labels - 1], &coverage->labels[i]) == 0) coverage->labels[labels - 1].offers++;
        else coverage->labels[labels++] = coverage->labels[i];
    }
    coverage->cell_count = cells;
    coverage->label_count = labels;
    return coverage->err;
}
