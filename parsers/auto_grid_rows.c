/* The rows of a grid whose columns are known. */
#include "common/strbuf.h"
#include "parsers/auto_grid.h"
#include "pricing/listing_spec.h"

enum { SHARE_CARDS_MAX = 16 /* cards that a row's memory may be of */ };

enum { VARIANT_MAX = 300, SPLIT_SAMPLE = 20, SPLIT_LOOK = 200 };

/* Memory of one card. A cell may print the node's: what fits the card's name decides, and a name that fixes it needs no cell, unless the
 * cell shows the fraction beside the name to be the part that is sold. */
static struct gt_str vram_of(struct auto_grid *auto_grid, struct gt_str label, struct gt_str cell, struct gt_str cards)
{
    int32_t gb = spec_gb_read(cell), count = spec_cards_read(cards).cards;
    struct sku_match bare = sku_resolve(label, 0, NULL, 0);
    if (gb <= 0) return GT_STR("");
    struct sku_match sized = sku_resolve(label, gb, NULL, 0);
    if (bare.slice_den == 0 && sized.slice_den > 0) return arena_printf(auto_grid->page->arena, "%d GB", gb);
    if (bare.status == SKU_EXACT) return GT_STR("");
    if (count <= 0) count = bare.cards;
    if (sized.status == SKU_EXACT) return arena_printf(auto_grid->page->arena, "%d GB", gb);
    if (count > 1 && gb % count == 0 && sku_resolve(label, gb / count, NULL, 0).status == SKU_EXACT)
        return arena_printf(auto_grid->page->arena, "%d GB", gb / count);
    return GT_STR("");
}

/* True for cards for games, which come with more than one size of memory. */
static bool is_for_games(const char *name)
{
    bool is_gtx = strncmp(name, "NVIDIA-GTX-", 11) == 0, is_rtx = strncmp(name, "NVIDIA-RTX-", 11) == 0;
    return is_gtx || (is_rtx && name[11] >= '2' && name[11] <= '5');
}

/* The memory of a whole card of this name, as one of the first rows of the grid prints it; 0 when none does. */
static int32_t whole_printed(struct auto_grid *auto_grid, struct gt_str label, size_t vram_column)
{
    if (gt_str_eq(label, auto_grid->whole_of)) return auto_grid->whole_gb; /* rows of one card mostly stand together */
    auto_grid->whole_of = label;
    auto_grid->whole_gb = 0;
    for (size_t row = 0; row < auto_grid->grid->rows && row < SPLIT_SAMPLE && auto_grid->whole_gb == 0; row++) {
        if (!gt_str_eq(auto_grid_cell(auto_grid, row, auto_grid->label_column), label)) continue;
        struct sku_match match = sku_resolve(label, spec_gb_read(auto_grid_cell(auto_grid, row, vram_column)), NULL, 0);
        if (match.status == SKU_EXACT) auto_grid->whole_gb = match.node->vram_gb;
    }
    return auto_grid->whole_gb;
}

/* How many cards a row without a count sells, by the memory that it prints: "1/8" for 2 GB of a card's 16; "2" for 96 GB where another
 * row sells the card with its 48. "" where that is no such share. */
static struct gt_str share_of(struct auto_grid *auto_grid, size_t row, const struct auto_naming *naming)
{
    size_t vram = 0;
    while (vram < auto_grid->grid->columns && auto_grid->columns[vram].role != AUTO_VRAM) vram++;
    if (vram == auto_grid->grid->columns || naming->column == SIZE_MAX || naming->column != auto_grid->label_column) return GT_STR("");
    int32_t gb = spec_gb_read(auto_grid_cell(auto_grid, row, vram));
    struct sku_match match = sku_resolve(naming->label, 0, NULL, 0);
    bool is_open = gb > 0 && match.node != NULL && match.cards == 0 && match.slice_den == 0 && !is_for_games(match.node->name);
    if (!is_open || sku_resolve(naming->label, gb, NULL, 0).status == SKU_EXACT) return GT_STR("");
    int32_t printed = whole_printed(auto_grid, naming->label, vram), whole = printed > 0 ? printed : match.node->vram_gb;
    struct gt_str share = GT_STR("");
    if (gb < whole && whole % gb == 0) share = arena_printf(auto_grid->page->arena, "1/%d", whole / gb);
    if (printed > 0 && gb > whole && gb % whole == 0 && gb / whole <= SHARE_CARDS_MAX)
        share = arena_printf(auto_grid->page->arena, "%d", gb / whole);
    return share.ptr != NULL ? share : GT_STR("");
}

/* Further names of a row: instance type, provider, configuration, specifications in a column without a heading that says so. */
static struct gt_str variant_of(struct auto_grid *auto_grid, size_t row, const struct auto_naming *naming)
{
    struct strbuf text;
    strbuf_init(&text, VARIANT_MAX);
    if (naming->words.len > 0) strbuf_add(&text, naming->words);
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        bool is_name =
            column->role == AUTO_INSTANCE || column->role == AUTO_PROVIDER || (column->role == AUTO_LABEL && column->skus > 0);
        struct gt_str cell = auto_grid_cell(auto_grid, row, i);
        is_name |= column->role == AUTO_NONE && auto_is_spec(cell);
        if (i == naming->column || i == auto_grid->cards_column || column->is_price || !is_name || cell.len == 0 ||
            cell.len > 120)
            continue;
        if (text.len > 0) strbuf_adds(&text, " | ");
        strbuf_add(&text, cell);
    }
    struct gt_str copy = arena_dup(auto_grid->page->arena, strbuf_str(&text));
    strbuf_done(&text);
    return copy.ptr != NULL ? copy : GT_STR("");
}

/* A currency's code in capitals. */
static struct gt_str upper(struct auto_grid *auto_grid, struct gt_str code)
{
    struct gt_str copy = arena_dup(auto_grid->page->arena, code);
    char *bytes = (char *)(uintptr_t)copy.ptr; /* the arena's, ours */
    for (size_t i = 0; i < copy.len; i++) {
        if (bytes[i] >= 'a' && bytes[i] <= 'z') bytes[i] = (char)(bytes[i] - 'a' + 'A');
    }
    return copy;
}

/* What a cell says about a price per GPU ("a3-highgpu-8g (per GPU)") counts no cards of it; and a remark, which may tell where the card
 * comes from ("split off a node of 8x H100"), counts them only where it says that all of a machine is sold. */
static bool may_tell_count(struct auto_page *page, const struct auto_column *column, struct gt_str cell)
{
    if (auto_has_words(page, cell, "per gpu|per-gpu|per card|each gpu|/gpu|每卡|单卡")) return false;
    return !column->is_remark || auto_has_words(page, cell, "whole|entire|full|complete|per node|per server|per machine|整机|整台");
}

/* A count beside the card's name in whichever cell of the row names it: "8 NVIDIA H100s", "A10G x2". "" when there is none. */
static struct gt_str count_in_names(struct auto_grid *auto_grid, size_t row, const struct auto_naming *naming)
{
    struct gt_str count = auto_count_word(naming->label);
    if (count.len > 0 || sku_resolve(naming->label, 0, NULL, 0).cards > 0) return count;
    for (size_t i = 0; i < auto_grid->grid->columns && count.len == 0; i++) {
        const struct auto_column *column = &auto_grid->columns[i];
        bool may_name = column->role == AUTO_LABEL || column->role == AUTO_INSTANCE || column->role == AUTO_NONE;
        struct gt_str cell = auto_grid_cell(auto_grid, row, i);
        if (i == naming->column || column->is_price || cell.len > AUTO_CELL_MAX || !may_tell_count(auto_grid->page, column, cell)) continue;
        if (column->role == AUTO_NONE || column->role == AUTO_INSTANCE) count = auto_count_behind(cell);
        if (count.len > 0 || !may_name || column->skus == 0) continue;
        int32_t glued = sku_resolve(cell, 0, NULL, 0).cards;
        count = glued > 0 ? arena_printf(auto_grid->page->arena, "%d", glued) : auto_count_word(cell);
        if (count.ptr == NULL) return GT_STR("");
    }
    return count;
}

/* Puts the cells of known columns where they belong. */
static void fill_offer(struct auto_grid *auto_grid, size_t row, const struct auto_naming *naming, struct auto_offer *offer)
{
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct gt_str cell = auto_grid_cell(auto_grid, row, i);
        if (auto_grid->columns[i].is_price || cell.len == 0 || cell.len > AUTO_CELL_MAX || i == naming->column) continue;
        switch (auto_grid->columns[i].role) {
        case AUTO_REGION: offer->region = cell; break;
        case AUTO_STOCK: offer->stock = cell; break;
        case AUTO_PRICE: /* "spot" as a mark of the row */
        case AUTO_PLAN: offer->plan = cell; break;
        case AUTO_VCPU: offer->vcpu = cell; break;
        case AUTO_RAM: offer->ram = cell; break;
        case AUTO_DISK: offer->disk = cell; break;
        case AUTO_VRAM: offer->vram = offer->vram.len > 0 ? offer->vram : cell; break; /* "gpu_mem_bw" behind "gpu_ram" */
        case AUTO_INTERCONNECT: offer->interconnect = cell; break;
        case AUTO_CURRENCY: offer->currency = cell.len == 3 ? upper(auto_grid, cell) : GT_STR(""); break;
        case AUTO_DISCOUNT:
            offer->discount = cell;
            offer->discount_heading = grid_heading(auto_grid->grid, row, i);
            break;
        default: break;
        }
    }
    offer->label = naming->label;
    offer->is_generic = naming->is_generic;
    offer->is_sku_column = naming->column != SIZE_MAX && naming->column == auto_grid->label_column;
    offer->cards = auto_grid_cell(auto_grid, row, auto_grid->cards_column);
    if (offer->cards.len == 0) offer->cards = count_in_names(auto_grid, row, naming);
    if (offer->cards.len == 0) offer->cards = share_of(auto_grid, row, naming);
    /* "8x V100" in a row whose count says 1: what is beside the name is nearer. */
    struct sku_match match = sku_resolve(naming->label, 0, NULL, 0);
    int32_t glued = match.is_type_count ? 0 : match.cards, count = spec_cards_read(offer->cards).cards;
    if (glued > 0 && count > 0 && glued != count) offer->cards = GT_STR("");
    offer->variant = variant_of(auto_grid, row, naming);
    struct gt_str named = naming->words.len > 0 ? naming->words : naming->label;
    offer->memory = offer->vram;
    offer->vram = vram_of(auto_grid, named, offer->vram, offer->cards);
    offer->alike = auto_grid->data_rows;
    offer->shape = auto_grid->shape;
}

/* Two prices say the same thing about how they are paid: they cannot be of one offer, unless one is the other's old price. */
static bool are_rivals(const struct auto_price *a, const struct auto_price *b)
{
    const struct quote *x = &a->first.quote, *y = &b->first.quote;
    return gt_str_eq(a->name, b->name) && x->period == y->period && x->role == y->role && x->months == y->months &&
           x->period_count == y->period_count && x->basis == y->basis && x->bound == y->bound && strcmp(x->currency.code, y->currency.code) == 0;
}

/* A member of data that says again what another one said: "price_text" beside "price". */
static bool is_told_again(const struct auto_grid *auto_grid, const struct auto_offer *offer, const struct auto_price *price)
{
    if (strcmp(auto_grid->shape, "json") != 0) return false;
    for (size_t i = 0; i < offer->price_count; i++) {
        const struct quote *x = &offer->prices[i].first.quote, *y = &price->first.quote;
        bool is_same = x->amount_nano == y->amount_nano && x->period == y->period && x->role == y->role && x->months == y->months;
        if (is_same && gt_str_eq(offer->prices[i].name, price->name)) return true;
    }
    return false;
}

/* Decides for the whole grid whether its price columns are offers of their own. A third of the rows is enough: where one way to rent is not
 * offered, one price is left. */
static bool has_rivals(struct auto_grid *auto_grid)
{
    size_t rows = 0, rival_rows = 0, seen = 0;
    for (size_t row = 0; row < auto_grid->grid->rows && rows < SPLIT_SAMPLE && seen < SPLIT_LOOK; row++) {
        struct auto_price prices[AUTO_PRICES_MAX];
        size_t count = 0;
        bool is_rival = false;
        if (auto_grid->grid->kinds[row] != GRID_DATA) continue;
        seen++;
        for (size_t i = 0; i < auto_grid->grid->columns && count < AUTO_PRICES_MAX; i++) {
            if (!auto_grid_price(auto_grid, row, i, GT_STR(""), &prices[count])) continue;
            for (size_t j = 0; j < count; j++) is_rival |= are_rivals(&prices[j], &prices[count]);
            count++;
        }
        rows += count > 1;
        rival_rows += is_rival;
        arena_clear(auto_grid->page->scratch);
    }
    return rival_rows * 3 > rows;
}

/* How many rows have a price, at most a sample's worth. */
static size_t count_priced(struct auto_grid *auto_grid)
{
    size_t priced = 0;
    for (size_t row = 0; row < auto_grid->grid->rows && row < SPLIT_LOOK && priced < SPLIT_SAMPLE; row++) {
        struct auto_price price;
        bool is_priced = false;
        for (size_t i = 0; i < auto_grid->grid->columns && auto_grid->grid->kinds[row] == GRID_DATA && !is_priced; i++)
            is_priced = auto_grid_price(auto_grid, row, i, GT_STR(""), &price);
        priced += is_priced;
        arena_clear(auto_grid->page->scratch);
    }
    return priced;
}

/* Tells why a row's price cell gives no price, when its amount has more digits than can be kept. */
static void tell_refusal(struct auto_grid *auto_grid, size_t row, size_t column)
{
    if (!auto_grid->columns[column].is_price) return;
    struct refusal refusal = auto_price_refusal(auto_grid->page, auto_grid_cell(auto_grid, row, column));
    if (refusal.raw.len > 0) listing_builder_refuse(&auto_grid->page->builder, refusal.raw, refusal.reason);
}

/* A price per card in a cell that reaches down from the row above: said once for all numbers of cards beside it. */
static bool is_said_above(const struct auto_grid *auto_grid, size_t row, size_t column, const struct auto_price *price)
{
    const struct grid_cell *cell = grid_at(auto_grid->grid, row, column);
    return cell != NULL && cell->row < row && price->first.quote.basis == BASIS_CARD && auto_grid->grid->kinds[row - 1] == GRID_DATA;
}

/* True when several columns name the cards of their prices: the table only places cells that are offers of their own. */
static bool has_offers_as_cells(const struct auto_grid *auto_grid)
{
    size_t naming = 0;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) naming += auto_grid->columns[i].is_naming;
    return naming > 1;
}

/* Each cell of such a row as an offer. */
static size_t read_cells(struct auto_grid *auto_grid, size_t row)
{
    size_t offers = 0;
    for (size_t i = 0; i < auto_grid->grid->columns; i++) {
        struct gt_str text = auto_grid_cell(auto_grid, row, i);
        struct sku_match match = sku_resolve(text, 0, NULL, 0);
        struct auto_offer offer = {.price_count = 1, .alike = auto_grid->data_rows, .shape = auto_grid->shape};
        if (match.status == SKU_UNMAPPED || !auto_grid_price(auto_grid, row, i, GT_STR(""), &offer.prices[0]) ||
            !auto_price_is_plausible(auto_grid->page, &offer.prices[0], text, match.cards))
            continue;
        offer.label = gt_str_slice(text, 0, match.offset + match.len);
        auto_offer_add(auto_grid->page, &offer);
        offers++;
    }
    return offers;
}

/* All prices of a row as one offer, or each as its own under the name of its column. */
static size_t read_row(struct auto_grid *auto_grid, size_t row)
{
    struct auto_naming naming;
    struct auto_offer offer = {0};
    size_t offers = 0;
    if (!auto_row_name(auto_grid, row, &naming) || auto_row_is_nobodys(auto_grid, row)) return 0;
    fill_offer(auto_grid, row, &naming, &offer);
    /* A card without a name among others ("DCU", "GPU 24gb") is paid as they are. */
    bool is_alone = auto_grid->label_column == SIZE_MAX || auto_grid->columns[auto_grid->label_column].generics == 0;
    bool is_like_others = naming.is_generic && !is_alone && auto_grid->believed.len > 0;
    struct gt_str named = is_like_others ? auto_grid->believed : naming.words.len > 0 ? naming.words : naming.label;
    int32_t cards = spec_cards_read(offer.cards).cards;
    if (gt_str_is(offer.cards, "0")) return 0;
    for (size_t i = 0; i < auto_grid->grid->columns && offer.price_count + 2 < AUTO_PRICES_MAX; i++) {
        struct auto_price *price = &offer.prices[offer.price_count];
        size_t several = auto_grid_several(auto_grid, row, i, naming.label, price);
        if (several == 0 && !auto_grid_price(auto_grid, row, i, naming.label, price)) {
            tell_refusal(auto_grid, row, i);
            continue;
        }
        if (several == 0 && (is_told_again(auto_grid, &offer, price) || is_said_above(auto_grid, row, i, price))) continue;
        if (!price->has_currency && offer.currency.len == 3) price->first.quote.currency = currency_from(offer.currency);
        bool is_rate = price->is_period_printed || auto_unit_has_time(auto_grid->page, grid_heading(auto_grid->grid, row, i));
        /* "H100, 6 hours": what they came to. */
        if ((auto_grid->has_duration || auto_hours_in(auto_grid->page, naming.label) > 0) && !is_rate) continue;
        auto_offer_note(&offer, price);
        const struct auto_price *judged = several > 1 ? &price[several - 1] : price; /* an old price may lack the unit */
        if (naming.is_generic && is_alone ? !judged->has_period : !auto_price_is_plausible(auto_grid->page, judged, named, cards)) continue;
        offer.price_count += several > 0 ? several : 1;
        if (!naming.is_generic) auto_grid->believed = named;
        if (!auto_grid->is_split) continue;
        struct gt_str plan = offer.plan, heading = grid_heading(auto_grid->grid, row, i);
        if (plan.len == 0) offer.plan = heading;
        else if (heading.len > 0)
            offer.plan = arena_printf(auto_grid->page->arena, "%.*s %.*s", GT_STR_ARG(plan), GT_STR_ARG(heading));
        auto_offer_add(auto_grid->page, &offer);
        offer.plan = plan;
        offer.price_count = 0;
        offers++;
    }
    if (offer.price_count > 0) {
        auto_offer_add(auto_grid->page, &offer);
        offers++;
    }
    return offers;
}

size_t auto_rows_read(struct auto_grid *auto_grid)
{
    size_t offers = 0;
    bool is_placed = has_offers_as_cells(auto_grid);
    auto_grid->is_split = has_rivals(auto_grid);
    auto_grid->priced_rows = count_priced(auto_grid);
    for (size_t row = 0; row < auto_grid->grid->rows && auto_grid->page->err == GT_OK; row++) {
        if (auto_grid->grid->kinds[row] != GRID_DATA) continue;
        offers += is_placed ? read_cells(auto_grid, row) : read_row(auto_grid, row);
        arena_clear(auto_grid->page->scratch);
    }
    return offers;
}
