/* Repeated blocks that are no grid: cards, list items, sections. The smallest element that holds both a card's name and a price
 * is an offer; where it holds several names, its lines are cut before each of them. */
#include <libxml/tree.h>
#include <stdlib.h>

#include "common/strbuf.h"
#include "parsers/auto_line.h"
#include "parsers/html_tree.h"
#include "parsers/markdown_table.h"
#include "pricing/listing_spec.h"

enum {
    BLOCK_LINES_MAX = 60000, /* of one page */
    UNIT_LINES_MAX = 40,     /* of one offer: longer blocks are sections of prose */
    UNIT_LEVELS_MAX = 16,    /* elements between a price and the block that names its card */
    UNITS_MAX = 5000,
    SPECS_BYTES_MAX = 480, /* of one offer's specifications */
    DASH_MAX = 4,          /* bytes of a line that says that there is no price */
    LONE_NAME_MAX = 48,    /* bytes of a line of plain text that is a card's name */
};

/* Where a line of plain text stands: what is carried from one to the next. */
struct place {
    struct gt_str item; /* the last line below a heading that is not set in, up to a dash: a seller's name over what it asks */
    struct gt_str term; /* the sentence that leads to a list and names a term for all of it */
};

struct blocks {
    struct auto_page *page;
    struct auto_lines reader;
    struct auto_line *lines;
    size_t count;
    const xmlNode *units[UNITS_MAX];
    size_t unit_first[UNITS_MAX], unit_end[UNITS_MAX]; /* lines */
    size_t unit_count;
    const char *shape; /* "cards", AUTO_SHAPE_LIST */
    struct place place;
};

/* The smallest element around line `price` that a line with a name also lies in, and its lines. */
static bool find_unit(const struct blocks *blocks, size_t price, const xmlNode **ret_unit, size_t *ret_first, size_t *ret_end)
{
    int levels = 0;
    for (const xmlNode *node = blocks->lines[price].node->parent;
         node != NULL && node->type == XML_ELEMENT_NODE && levels++ < UNIT_LEVELS_MAX; node = node->parent) {
        size_t first = price, end = price + 1;
        while (first > 0 && auto_is_below(blocks->lines[first - 1].node, node)) first--;
        while (end < blocks->count && auto_is_below(blocks->lines[end].node, node)) end++;
        for (size_t i = first; i < end; i++) {
            if (!blocks->lines[i].has_sku) continue;
            *ret_unit = node;
            *ret_first = first;
            *ret_end = end;
            return true;
        }
        if (end - first > UNIT_LINES_MAX) return false;
    }
    return false;
}

static void collect_units(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->count && blocks->unit_count < UNITS_MAX; i++) {
        size_t at = blocks->unit_count;
        if (!blocks->lines[i].has_price) continue;
        if (!find_unit(blocks, i, &blocks->units[at], &blocks->unit_first[at], &blocks->unit_end[at])) continue;
        blocks->unit_count++;
        /* Its other prices belong to it. */
        i = blocks->unit_end[at] - 1;
    }
}

static bool are_alike(const xmlNode *a, const xmlNode *b)
{
    return strcmp((const char *)a->name, (const char *)b->name) == 0 &&
           gt_str_eq(html_attribute(a, "class"), html_attribute(b, "class"));
}

static size_t count_alike(const struct blocks *blocks, size_t unit)
{
    size_t alike = 0;
    for (size_t i = 0; i < blocks->unit_count && alike < AUTO_MANY_ALIKE; i++) alike += are_alike(blocks->units[unit], blocks->units[i]);
    return alike;
}

/* The specifications among the lines [from, to), joined as further cells of a row are. */
static struct gt_str specs_of(struct blocks *blocks, size_t from, size_t to)
{
    struct strbuf text;
    strbuf_init(&text, SPECS_BYTES_MAX);
    for (size_t i = from; i < to; i++) {
        if (!auto_line_is_spec(&blocks->lines[i])) continue;
        if (text.len > 0) strbuf_adds(&text, " | ");
        strbuf_add(&text, blocks->lines[i].text);
    }
    struct gt_str copy = arena_dup(blocks->page->arena, strbuf_str(&text));
    strbuf_done(&text);
    return copy.ptr != NULL ? copy : GT_STR("");
}

/* What other names and short lines beside name and price say: how many cards, whether they can be had. */
static void add_remarks(const struct blocks *blocks, size_t from, size_t to, struct auto_offer *offer)
{
    for (size_t i = from; i < to; i++) {
        const struct auto_line *line = &blocks->lines[i];
        if (line->has_price || line->is_struck) continue;
        if (line->has_sku) {
            const struct sku_match match = sku_resolve(line->text, 0, NULL, 0);
            if (offer->cards.len == 0 && match.cards > 0) offer->cards = arena_printf(blocks->page->arena, "%d", match.cards);
            continue;
        }
        if (auto_is_stock(blocks->page, line->text)) offer->stock = line->text;
        else if (offer->cards.len == 0 && auto_is_count(line->text)) offer->cards = line->text;
    }
}

/* True when prices of one card stand in lines that count cards each for itself: "1 GPU - $2", "8 GPUs - $16". */
static bool has_counted_prices(const struct blocks *blocks, size_t from, size_t to)
{
    size_t counted = 0, priced = 0;
    int32_t before = 0;
    for (size_t i = from; i < to; i++) {
        const struct auto_line *line = &blocks->lines[i];
        if (!line->has_price || line->has_sku) continue;
        int32_t cards = spec_cards_find(line->text);
        counted += cards > 0 && cards != before;
        before = cards;
        priced++;
    }
    return counted > 1 && counted == priced;
}

/* True when prices of one card say the same about how they are paid, each beside words of its own: "Alpha: $1.79/hr",
 * "Beta: $1.19/hr" are two sellers' offers. */
static bool has_rival_prices(const struct blocks *blocks, size_t from, size_t to)
{
    const struct auto_line *before = NULL;
    struct gt_str words_before = GT_STR("");
    size_t rivals = 0;
    for (size_t i = from; i < to; i++) {
        const struct auto_line *line = &blocks->lines[i];
        if (!line->has_price) continue;
        struct gt_str words = auto_line_label(blocks->page, line);
        const struct quote *quote = &line->price.first.quote;
        if (line->has_sku || line->is_struck || words.len == 0 || quote->role != ROLE_LIST) return false;
        if (before != NULL) {
            const struct quote *other = &before->price.first.quote;
            if (quote->period != other->period || quote->months != other->months || gt_str_eq(words, words_before)) return false;
            rivals++;
        }
        before = line;
        words_before = words;
    }
    return rivals > 0;
}

/* Such lines as offers of their own. */
static size_t read_apart(struct blocks *blocks, size_t from, size_t to, const struct auto_line *name, size_t alike)
{
    size_t offers = 0;
    for (size_t i = from; i < to; i++) {
        const struct auto_line *line = &blocks->lines[i];
        if (!line->has_price || line->has_sku || !line->price.has_period) continue;
        struct auto_offer offer = {
            .alike = alike, .shape = blocks->shape, .label = auto_line_label(blocks->page, name), .price_count = 1};
        int32_t cards = spec_cards_find(line->text);
        offer.prices[0] = line->price;
        if (cards > 0) offer.cards = arena_printf(blocks->page->arena, "%d", cards);
        offer.plan = auto_line_label(blocks->page, line);
        if (offer.cards.len > 0 && offer.cards.ptr == NULL) continue;
        auto_offer_add(blocks->page, &offer);
        offers++;
    }
    return offers;
}

/* True for a line whose price is led by nothing but words of paying, or by the card itself: "Control plane: $0.10/hour" is not. */
static bool is_priced_plainly(struct auto_page *page, const struct auto_line *line)
{
    struct gt_str words = line->has_sku ? GT_STR("") : auto_line_label(page, line);
    return words.len == 0 || auto_has_role(page, words, AUTO_PRICE) || auto_has_role(page, words, AUTO_PERIOD);
}

/* True when no line names another card, and the line is no entry of a log: elsewhere a price that stands alone is a remark. */
static bool is_only_card(const struct blocks *blocks, const struct auto_line *name)
{
    const struct auto_line *heading = name;
    while (heading > blocks->lines && !heading->is_heading) heading--;
    bool is_row = gt_str_find(name->text, GT_STR("|"), 0) != SIZE_MAX; /* of a table that gave nothing */
    bool is_only = !is_row && !auto_line_is_dated(heading->text);
    for (size_t i = 0; i < blocks->count && is_only; i++) is_only = !blocks->lines[i].has_sku || blocks->lines[i].sku == name->sku;
    return is_only;
}

/* True when the only offer of its kind may be one: the page has others, or speaks a good deal of renting, or the card is let for so much.
 * Plain text has no elements that would tell what belongs together, so there only the last counts. */
static bool is_believed_alone(const struct blocks *blocks, const struct auto_offer *offer, const struct auto_line *name,
                              const struct auto_line *priced, bool has_period)
{
    const struct auto_evidence *evidence = &blocks->page->evidence;
    bool is_of_text = priced->node == NULL;
    if (!is_of_text && blocks->page->rows_found > 0) return true;
    if (!is_priced_plainly(blocks->page, priced) || auto_line_compares(blocks->page, name->text)) return false;
    if (is_of_text && auto_sentence_doubts(blocks->page, priced->text)) return false;
    if (!is_of_text && has_period && evidence->rental > 2) return true;
    return evidence->rental > 1 && evidence->rental > evidence->purchase && evidence->other == 0 && is_only_card(blocks, name) &&
           auto_price_is_usual(&offer->prices[0], name->text, spec_cards_read(offer->cards).cards);
}

/* One offer out of the lines [from, to), which name one card. */
static size_t read_lines(struct blocks *blocks, size_t from, size_t to, size_t alike)
{
    struct auto_offer offer = {.alike = alike, .shape = blocks->shape};
    const struct auto_line *name = NULL, *priced = NULL;
    bool has_period = false, has_struck = false;
    for (size_t i = from; i < to; i++) {
        const struct auto_line *line = &blocks->lines[i];
        if (line->has_sku && name == NULL) name = line;
        /* Lines of plain text below the only name: "Windows: $20/month" is not of the card. */
        bool is_of_name = alike > 1 || line->node != NULL || is_priced_plainly(blocks->page, line);
        if (line->has_price && is_of_name && (!line->has_sku || auto_line_is_terse(line)) && offer.price_count < AUTO_PRICES_MAX) {
            offer.prices[offer.price_count] = line->price;
            if (priced == NULL) priced = line;
            if (line->price.header.len == 0) offer.prices[offer.price_count].header = line->term;
            if (line->is_struck) offer.prices[offer.price_count].name = GT_STR("price.list");
            has_struck |= line->is_struck;
            has_period |= line->price.has_period;
            auto_offer_note(&offer, &line->price);
            offer.price_count++;
        }
    }
    if (name == NULL || offer.price_count == 0) return 0;
    if (has_counted_prices(blocks, from, to) || has_rival_prices(blocks, from, to))
        return read_apart(blocks, from, to, name, alike);
    add_remarks(blocks, from, to, &offer);
    if (!offer.prices[0].is_period_printed && !auto_price_is_plausible(blocks->page, &offer.prices[0], name->text, 0)) return 0;
    if (alike < 2 && !is_believed_alone(blocks, &offer, name, priced, has_period)) return 0;
    for (size_t i = 0; has_struck && i < offer.price_count; i++) {
        if (gt_str_is(offer.prices[i].name, "price")) offer.prices[i].name = GT_STR("price.sale");
    }
    offer.label = auto_line_label(blocks->page, name);
    if (offer.label.len == 0) return 0;
    offer.plan = name->term;
    offer.variant = specs_of(blocks, from, to);
    if (offer.variant.len == 0) offer.variant = name->above;
    auto_offer_add(blocks->page, &offer);
    return 1;
}

/* True when the line is about something else than the card above it: a section's heading, or a part that has a price itself. */
static bool is_elsewhere(const struct auto_line *lines, size_t count, size_t at)
{
    size_t next = at + 1; /* over "N/A" and "-" */
    while (next < count && !lines[next].has_sku && !lines[next].has_price && lines[next].text.len <= DASH_MAX) next++;
    bool is_priced = lines[at].has_price || (next < count && lines[next].has_price && !lines[next].has_sku);
    return lines[at].is_heading || (lines[at].is_other && is_priced);
}

/* True for a line whose words and price say of something else what the name's own line says of the card: "RTX 3070: $0.14/hr", "Other:
 * $0.09/hr". */
static bool is_of_another(const struct auto_line *name, const struct auto_line *line)
{
    const struct quote *own = &name->price.first.quote, *other = &line->price.first.quote;
    bool is_told = name->has_price && line->has_price && line->price_offset > 0;
    return is_told && own->period == other->period && own->role == other->role && own->months == other->months &&
           strcmp(own->currency.code, other->currency.code) == 0;
}

/* Where the lines end that belong to the name in line `at`: at the next name, or, once a price was seen, where something else
 * begins. */
static size_t run_end(const struct auto_line *lines, size_t count, size_t at)
{
    size_t end = at + 1;
    bool has_price = lines[at].has_price;
    while (end < count && !lines[end].has_sku && !(has_price && is_elsewhere(lines, count, end)) &&
           !(lines[end].is_heading && !lines[at].is_heading) && !is_of_another(&lines[at], &lines[end])) {
        has_price |= lines[end].has_price;
        end++;
    }
    return end;
}

/* A unit as one offer, or, when it names several cards, cut before each of them. */
static size_t read_unit(struct blocks *blocks, size_t unit)
{
    size_t first = blocks->unit_first[unit], end = blocks->unit_end[unit], names = 0, offers = 0;
    const struct sku_node *sku = NULL;
    bool is_one = true;
    for (size_t i = first; i < end; i++) {
        if (!blocks->lines[i].has_sku) continue;
        is_one &= names == 0 || blocks->lines[i].sku == sku;
        sku = blocks->lines[i].sku;
        names++;
    }
    if (is_one) {
        size_t alike = count_alike(blocks, unit);
        return end - first <= UNIT_LINES_MAX || names > 1 ? read_lines(blocks, first, end, alike) : 0;
    }
    for (size_t i = first; i < end;) {
        size_t next = run_end(blocks->lines, end, i);
        if (blocks->lines[i].has_sku && next - i <= UNIT_LINES_MAX) offers += read_lines(blocks, i, next, names);
        i = next;
    }
    return offers;
}

size_t auto_blocks_read(struct auto_page *page, struct _xmlNode *top)
{
    size_t offers = 0;
    struct blocks *blocks = calloc(1, sizeof *blocks);
    if (blocks != NULL) blocks->lines = calloc(BLOCK_LINES_MAX, sizeof *blocks->lines);
    if (blocks == NULL || blocks->lines == NULL) {
        page->err = gt_fail(page->info, GT_ENOMEM, "no memory for a page");
        goto out;
    }
    blocks->page = page;
    blocks->shape = "cards";
    blocks->reader = (struct auto_lines){page, GT_STR(""), GT_STR("")};
    blocks->count = auto_lines_collect(&blocks->reader, top, blocks->lines, BLOCK_LINES_MAX);
    collect_units(blocks);
    for (size_t i = 0; i < blocks->unit_count && page->err == GT_OK; i++) {
        offers += read_unit(blocks, i);
        arena_clear(page->scratch);
    }
    if (offers == 0 && page->rows_found == 0) offers = auto_unnamed_read(page, blocks->lines, blocks->count);
    size_t rows = page->rows_found;
    auto_sentences_read(page, blocks->lines, blocks->count);
    offers += page->rows_found - rows;
out:
    if (blocks != NULL) free(blocks->lines);
    free(blocks);
    return offers;
}

/* How many names have a price in their own line or below it. */
static size_t count_runs(const struct auto_line *lines, size_t count)
{
    size_t runs = 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = run_end(lines, count, i);
        bool has_price = false;
        for (size_t j = i; j < end; j++) has_price |= lines[j].has_price;
        runs += lines[i].has_sku && has_price;
    }
    return runs;
}

/* The value of the first of the attributes that a component of a document's markup has; "" when it has none. */
static struct gt_str attribute_of(struct gt_str line, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = gt_str_find(line, gt_str_from(names[i]), 0), from = at == SIZE_MAX ? SIZE_MAX : at + strlen(names[i]);
        size_t end = from == SIZE_MAX ? SIZE_MAX : gt_str_find(line, GT_STR("\""), from);
        if (end != SIZE_MAX) return gt_str_slice(line, from, end - from);
    }
    return GT_STR("");
}

/* What such a component is titled, and its price: <Card title="RTX 4090" price="$0.39/hr">; the line itself when it is none. */
static struct gt_str titled(struct auto_page *page, struct gt_str line)
{
    static const char *const NAMES[] = {"title=\"", "name=\"", "label=\""}, *const PRICES[] = {"price=\"", "cost=\"", "rate=\""};
    struct gt_str title = line.ptr[0] == '<' ? attribute_of(line, NAMES, sizeof NAMES / sizeof NAMES[0]) : GT_STR("");
    if (title.len == 0) return line;
    struct gt_str price = attribute_of(line, PRICES, sizeof PRICES / sizeof PRICES[0]);
    struct gt_str both = price.len > 0 ? arena_printf(page->arena, "%.*s: %.*s", GT_STR_ARG(title), GT_STR_ARG(price)) : title;
    return both.ptr != NULL ? both : title;
}

/* "- x", "* x": an item of a list. */
static bool is_item(struct gt_str line)
{
    return line.len > 2 && strchr("-*+", line.ptr[0]) != NULL && line.ptr[1] == ' ';
}

/* Carries on what a line says of those below it. */
static void move_on(struct place *place, struct gt_str text, struct gt_str line)
{
    static const struct gt_str DASHES[] = {{" — ", 5}, {" – ", 5}, {" - ", 3}, {": ", 2}, {"：", 3}};
    struct gt_str plain = gt_str_trim(text), rest = line, last = GT_STR("");
    bool is_leading = gt_str_ends(plain, GT_STR(":")) || gt_str_ends(plain, GT_STR("："));
    if (plain.ptr[0] == '#') *place = (struct place){GT_STR(""), GT_STR("")};
    else if (plain.ptr == text.ptr) place->item = gt_str_trim(auto_cut_at(&rest, DASHES, sizeof DASHES / sizeof DASHES[0]));
    if (plain.ptr[0] == '#' || is_item(plain)) return;
    for (rest = line; rest.len > 0;) last = auto_sentence_cut(&rest);
    last = gt_str_trim(last);
    place->term = is_leading && last.len <= AUTO_LABEL_MAX && auto_term_of(last).len > 0 ? last : GT_STR("");
}

/* Keeps a line of plain text that names a card or its specifications, has a price with its unit, or is a sentence. */
static void keep_line(struct blocks *blocks, struct auto_line line, bool takes_all)
{
    if (blocks->count == UNITS_MAX) return;
    auto_line_judge(&blocks->reader, &line);
    /* A name by itself may have its price in the next line. */
    bool is_name = line.has_sku && !line.has_price && line.text.len <= LONE_NAME_MAX;
    bool is_priced = line.has_price && line.price.has_period && (!line.has_sku || auto_line_is_terse(&line));
    bool is_kept = line.is_prose || (takes_all && (line.is_heading || is_name || is_priced || auto_line_is_spec(&line)));
    if (is_kept) blocks->lines[blocks->count++] = line;
    arena_clear(blocks->page->scratch);
}

/* Keeps a line of plain text, or what it lists; among tables only sentences and items of lists. */
static void keep_lines(struct blocks *blocks, struct gt_str text, bool takes_items)
{
    struct place *place = &blocks->place;
    struct gt_str plain = gt_str_trim(text), pieces[AUTO_PIECES_MAX];
    struct gt_str line = auto_line_strip(markdown_plain(titled(blocks->page, plain), blocks->page->arena));
    while (gt_str_starts(line, GT_STR("#"))) line = auto_line_strip(gt_str_slice(line, 1, SIZE_MAX));
    bool takes_all = !takes_items || text.ptr[0] == '#' || is_item(text);
    struct auto_line kind = {.above = gt_str_cut(plain.ptr != text.ptr ? place->item : GT_STR(""), AUTO_LABEL_MAX), .term = place->term};
    size_t count = takes_all || is_item(plain) ? auto_line_cut(blocks->page, line, pieces) : 0;
    for (size_t i = 0; i < count; i++) {
        kind.text = pieces[i];
        if (kind.term.len == 0) kind.term = auto_term_of(line);
        keep_line(blocks, kind, true);
    }
    kind.text = line;
    kind.is_heading = text.ptr[0] == '#';
    if (count == 0) keep_line(blocks, kind, takes_all);
    move_on(place, text, line);
}

void auto_lines_read(struct auto_page *page, struct gt_str text, bool takes_items)
{
    struct gt_str rest = text, piece;
    struct auto_line *kept = calloc(UNITS_MAX, sizeof *kept);
    struct blocks *blocks = calloc(1, sizeof *blocks);
    if (kept == NULL || blocks == NULL) {
        page->err = gt_fail(page->info, GT_ENOMEM, "no memory for a page");
        goto out;
    }
    *blocks = (struct blocks){
        .page = page, .reader = {page, GT_STR(""), GT_STR("")}, .lines = kept, .shape = takes_items ? AUTO_SHAPE_LIST : "cards"};
    while (page->err == GT_OK && blocks->count < UNITS_MAX && gt_str_split(&rest, '\n', &piece)) {
        bool is_row = takes_items && piece.len > 0 && piece.ptr[0] == '|';
        if (gt_str_trim(piece).len > 0 && piece.len <= AUTO_PARAGRAPH_MAX && !is_row) keep_lines(blocks, piece, takes_items);
    }
    size_t runs = count_runs(kept, blocks->count), found = blocks->count;
    for (size_t i = 0, end; i < found; i = end) {
        end = run_end(kept, found, i);
        if (kept[i].has_sku) read_lines(blocks, i, end, runs);
    }
    if (page->rows_found == 0) auto_unnamed_read(page, kept, found);
    auto_sentences_read(page, kept, found);
out:
    free(blocks);
    free(kept);
}
