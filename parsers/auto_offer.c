/* How sure a guess is, and why. */
#include "common/strbuf.h"
#include "parsers/auto.h"
#include "pricing/listing_spec.h"
#include "pricing/sku.h"

enum { LISTED_MAX = 6 /* cards of one label */, LISTED_NAME_MAX = 40 /* bytes of each */, LISTED_LEAD_MAX = 8 /* … before the name */ };

enum { INSTALMENTS_MIN = 3 };

enum { REASONS_MAX = 400, CONFIDENCE_MAX = 990, MONTH_HOURS_MIN = 710, MONTH_HOURS_MAX = 750 };

/* The confidence being added up, with its reasons. */
struct weighing {
    int permille;
    struct strbuf reasons;
};

static void weigh(struct weighing *weighing, bool holds, int permille, const char *reason)
{
    if (!holds) return;
    weighing->permille += permille;
    if (reason == NULL) return;
    if (weighing->reasons.len > 0) strbuf_adds(&weighing->reasons, "; ");
    strbuf_adds(&weighing->reasons, reason);
}

/* True for "4090/3090" ("3090" is a name only alone) and "RTX 3090 and RTX 4090": more than one card in one name, whatever stands around it. */
static bool names_several(struct gt_str label)
{
    size_t cards = 0;
    struct gt_str rest = label, cell, piece;
    while (gt_str_split(&rest, '|', &cell)) {
        while (gt_str_split(&cell, '/', &piece)) {
            struct sku_match match = sku_resolve(piece, 0, NULL, 0);
            struct gt_str behind = gt_str_slice(piece, match.offset + match.len, SIZE_MAX);
            if (match.status == SKU_UNMAPPED) continue;
            cards += sku_resolve(behind, 0, NULL, 0).status != SKU_UNMAPPED ? 2 : 1;
        }
    }
    return cards > 1;
}

/* "About 2 to 4", or a table's row that was read as a line because the table gave nothing: a remark rather than a price. */
static bool is_remark(const struct auto_offer *offer)
{
    enum bound bound = offer->prices[0].first.quote.bound;
    return bound == BOUND_RANGE || bound == BOUND_APPROX || gt_str_find(offer->label, GT_STR("|"), 0) != SIZE_MAX;
}

/* The weights were set by hand: what a careful reader would want to see before believing. */
static void weigh_all(struct weighing *weighing, const struct auto_page *page, const struct auto_offer *offer)
{
    const struct auto_price *price = &offer->prices[0];
    weigh(weighing, true, 500, offer->shape);
    weigh(weighing, !offer->is_generic, 150, "card named");
    weigh(weighing, offer->is_generic, -50, "card not named");
    weigh(weighing, offer->is_sku_column, 60, "a column of cards");
    weigh(weighing, price->is_period_printed, 150, "unit beside the price");
    weigh(weighing, price->has_period && !price->is_period_printed, 120, "unit from the heading");
    weigh(weighing, !price->has_period, -60, "no unit");
    weigh(weighing, price->has_currency, 60, "currency");
    weigh(weighing, offer->alike >= AUTO_MANY_ALIKE, 80, "several alike");
    weigh(weighing, offer->alike == 1, -60, "alone of its kind");
    weigh(weighing, page->evidence.purchase > page->evidence.rental, -150, "the page speaks of buying");
}

static void add(struct auto_page *page, const char *name, struct gt_str text)
{
    listing_builder_add(&page->builder, gt_str_from(name), text, GT_STR(""), GT_STR("auto"));
}

/* True for a month that is what so many cards cost by the hour, times the hours of a month. */
static bool is_same_by_month(const struct quote *hour, const struct quote *month, int32_t cards)
{
    int64_t hours = hour->amount_nano > 0 ? month->amount_nano / hour->amount_nano : 0;
    return hour->period == PERIOD_HOUR && month->period == PERIOD_MONTH && hours >= (int64_t)MONTH_HOURS_MIN * cards &&
           hours <= (int64_t)MONTH_HOURS_MAX * cards;
}

static void make_per_card(struct auto_page *page, struct auto_price *price)
{
    struct gt_str header = arena_printf(page->arena, "%.*s | per GPU", GT_STR_ARG(price->header));
    if (header.ptr != NULL) price->header = header;
}

/* A month beside an hour "per GPU" is per GPU as well when it is reckoned from it, however many cards the machine's name tells; and an hour
 * that the month of eight cards is eight times of is per GPU. */
static void carry_basis(struct auto_page *page, const struct auto_offer *offer, struct auto_price *hour, struct auto_price *month)
{
    const struct quote *by_hour = &hour->first.quote, *by_month = &month->first.quote;
    int32_t named = sku_resolve(offer->label, 0, NULL, 0).cards, cards = named > 0 ? named : spec_cards_read(offer->cards).cards;
    bool is_month_open = by_hour->basis == BASIS_CARD && by_month->basis == BASIS_UNKNOWN;
    bool is_hour_open = by_hour->basis != BASIS_CARD && by_month->basis != BASIS_CARD && cards > 1;
    if (is_month_open && is_same_by_month(by_hour, by_month, 1)) make_per_card(page, month);
    if (is_hour_open && is_same_by_month(by_hour, by_month, cards)) make_per_card(page, hour);
}

/* The cards that a label lists and nothing else ("A6000, A40", "A100、A800"): each is offered at the price, but for those whose name leaves
 * the card open ("A4500, RTX 4000"). 0 when it is no such list. */
static size_t list_cards(struct gt_str label, struct gt_str *cards)
{
    static const struct gt_str SIGNS[] = {{", ", 2}, {"、", 3}, {"/", 1}, {" or ", 4}, {"，", 3}};
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        size_t count = auto_pieces_cut(label, SIGNS[i], LISTED_MAX, cards), named = 0;
        for (size_t j = 0; j < count; j++) {
            const struct sku_match match = sku_resolve(cards[j], 0, NULL, 0);
            /* Its name and its maker's, and not "Faster GPUs (L4". */
            named += match.status != SKU_UNMAPPED && match.offset <= LISTED_LEAD_MAX && cards[j].len <= LISTED_NAME_MAX;
        }
        if (count == 0 || named != count) continue;
        size_t kept = 0;
        for (size_t j = 0; j < count; j++) {
            if (sku_resolve(cards[j], 0, NULL, 0).node != NULL) cards[kept++] = cards[j];
        }
        return kept;
    }
    return 0;
}

void auto_offer_note(struct auto_offer *offer, const struct auto_price *price)
{
    if (!price->has_period && price->first.quote.amount_nano > offer->once_nano) offer->once_nano = price->first.quote.amount_nano;
}

bool auto_is_service(struct auto_page *page, struct gt_str words)
{
    static const char SERVICES[] = "support|managed service|setup|set-up|onboarding|monitoring|administration|consulting|care|fee|deposit|migration|"
                                   "maintenance|training course|技术支持|服务费|运维|代维|押金|咨询|部署服务|调优服务",
                      INCLUDED[] = "with|incl|included|including|supported|no setup|no fee|no deposit|free|免|含";
    return auto_has_words(page, words, SERVICES) && !auto_has_words(page, words, INCLUDED);
}

/* "Care for up to 4 A100", by the month: what is paid for more than the card. */
static bool is_of_service(struct auto_page *page, const struct auto_offer *offer)
{
    const struct quote *quote = &offer->prices[0].first.quote;
    bool is_long = quote->period == PERIOD_MONTH || quote->period == PERIOD_YEAR;
    return auto_is_service(page, offer->label) || (is_long && quote->basis != BASIS_CARD && auto_has_words(page, offer->label, "up to|最多"));
}

/* What a shop sells for so much at once, or for so much by the month until that is paid. */
static bool is_for_sale(const struct auto_page *page, const struct auto_offer *offer)
{
    bool is_sold = false;
    for (size_t i = 0; i < offer->price_count && page->evidence.purchase > 0; i++) {
        const struct quote *quote = &offer->prices[i].first.quote;
        is_sold |= quote->period == PERIOD_MONTH && offer->once_nano / INSTALMENTS_MIN >= quote->amount_nano;
    }
    return is_sold;
}

/* True for what a table of the page tells already: a list's line with the same amount for the card, a sentence with any in the same
 * currency, since another one is another seller's. What tables tell is noted here. */
static bool is_told(struct auto_page *page, const struct auto_offer *offer)
{
    const struct sku_node *card = sku_resolve(offer->label, 0, NULL, 0).node;
    bool is_sentence = strcmp(offer->shape, AUTO_SHAPE_SENTENCE) == 0, is_beside = is_sentence || strcmp(offer->shape, AUTO_SHAPE_LIST) == 0;
    for (size_t i = 0; is_beside && card != NULL && i < page->told_count; i++) {
        const struct quote *quote = &offer->prices[0].first.quote;
        bool is_same = is_sentence ? strcmp(page->told[i].currency.code, quote->currency.code) == 0 : page->told[i].amount_nano == quote->amount_nano;
        if (page->told[i].card == card && is_same) return true;
    }
    for (size_t i = 0; !is_beside && card != NULL && i < offer->price_count && page->told_count < AUTO_TOLD_MAX; i++)
        page->told[page->told_count++] = (struct auto_told){card, offer->prices[i].first.quote.currency, offer->prices[i].first.quote.amount_nano};
    return false;
}

/* True where less memory is printed than the card has: a part of it costs less than anybody lets the card for. */
static bool is_part(const struct auto_offer *offer)
{
    const struct sku_node *card = sku_resolve(offer->label, 0, NULL, 0).node;
    int32_t vram_gb = spec_vram_find(offer->variant);
    return card != NULL && vram_gb > 0 && vram_gb <= card->vram_gb / 2;
}

/* The memory that is printed for the unit sold, in GB; 0 when none is, or a sum ("4*16"). */
static int32_t memory_of(const struct auto_offer *offer)
{
    bool is_sum = false;
    for (size_t i = 0; i < offer->memory.len && !is_sum; i++) is_sum = gt_char_is_in(offer->memory.ptr[i], "*x/+\xC3");
    int32_t gb = is_sum ? 0 : spec_gb_read(offer->memory), beside = spec_vram_find(offer->label);
    if (beside <= 0) beside = spec_vram_find(offer->variant);
    return offer->memory.len > 0 ? gb : beside;
}

/* How many times so much memory makes up the card, where it is made with one size only that it goes into; 0 where not. */
static int32_t times_in(const struct sku_match *card, int32_t gb)
{
    int32_t whole = 0;
    for (size_t i = 0; i < card->candidate_count; i++) {
        int32_t own = card->candidates[i]->vram_gb;
        if (own % gb != 0 || own == whole) continue;
        if (whole > 0) return 0;
        whole = own;
    }
    return whole / gb;
}

/* Counts a part of a card whose size only its memory tells. False for one that nothing tells the size of: as a whole card it would be far
 * too cheap. "A100 (1/7)" and no more may be a part, or one free card of seven. */
static bool settle_part(struct auto_page *page, struct auto_offer *offer)
{
    static const char PARTS[] = "mig|slice|sliced|fraction|fractional|half|quarter of|quarter gpu|third of|seventh of|eighth of|partial|"
                                "切片|分片|切分|半卡|1/7|2/7|3/7|4/7",
                      WHOLES[] = "mig support|mig supported|mig capable|mig-capable|mig ready|mig enabled|half precision|half-precision";
    struct gt_str words = arena_printf(page->scratch, "%.*s %.*s", GT_STR_ARG(offer->variant), GT_STR_ARG(offer->label));
    int32_t gb = memory_of(offer);
    struct sku_match card = sku_resolve(offer->label, 0, NULL, 0), sized = sku_resolve(offer->label, gb, NULL, 0);
    if (sized.status == SKU_UNMAPPED) { /* "1g.10gb" below "A100 80GB MIG" */
        card = sized = sku_resolve(words, 0, NULL, 0);
        if (sized.slice_den > 0) offer->cards = arena_printf(page->arena, "%d/%d", sized.slice_num, sized.slice_den);
    }
    bool is_told = sized.slice_den > 0 || gt_str_find(offer->cards, GT_STR("/"), 0) != SIZE_MAX;
    if (is_told || sized.status == SKU_UNMAPPED || words.ptr == NULL) return true;
    bool is_small = gb > 0 && sku_is_part(&card, gb), says_part = auto_has_words(page, words, PARTS) && !auto_has_words(page, words, WHOLES);
    if (!is_small || card.status == SKU_EXACT) return is_small || !says_part; /* what a card is made with fixes its part as well */
    int32_t times = offer->memory.len > 0 ? times_in(&card, gb) : 0; /* among the name's words it contradicts the card's */
    if (times > 0) offer->cards = arena_printf(page->arena, "1/%d", times);
    return times > 0 && offer->cards.ptr != NULL;
}

static void add_one(struct auto_page *page, struct auto_offer *offer)
{
    for (size_t i = 1; i < offer->price_count; i++) carry_basis(page, offer, &offer->prices[0], &offer->prices[i]);
    struct weighing weighing = {0};
    bool is_of_else = page->evidence.other > page->evidence.rental || is_for_sale(page, offer) || is_of_service(page, offer);
    if (is_of_else || !settle_part(page, offer) || is_told(page, offer)) return;
    bool is_whole = gt_str_find(offer->cards, GT_STR("/"), 0) == SIZE_MAX;
    if (offer->price_count == 1 && is_whole && !is_part(offer) && auto_price_is_fee(&offer->prices[0], offer->label)) return;
    strbuf_init(&weighing.reasons, REASONS_MAX);
    weigh_all(&weighing, page, offer);
    if (offer->price_count > 0 && weighing.permille >= AUTO_CONFIDENCE_MIN) {
        add(page, "label", gt_str_cut(offer->label, AUTO_LABEL_MAX));
        add(page, "cards", offer->cards);
        add(page, "vram", offer->vram);
        add(page, "plan", offer->plan);
        add(page, "variant", offer->variant);
        add(page, "region", offer->region);
        add(page, "stock", offer->stock);
        add(page, "vcpu", offer->vcpu);
        add(page, "ram", offer->ram);
        add(page, "disk", offer->disk);
        add(page, "interconnect", offer->interconnect);
        add(page, "currency", offer->currency.len > 0 ? offer->currency : page->evidence.yuan);
        listing_builder_add(&page->builder, GT_STR("discount"), offer->discount, offer->discount_heading, GT_STR("auto"));
        for (size_t i = 0; i < offer->price_count; i++)
            listing_builder_add(&page->builder, offer->prices[i].name, offer->prices[i].text, offer->prices[i].header,
                                GT_STR("auto"));
        int permille = weighing.permille > CONFIDENCE_MAX ? CONFIDENCE_MAX : weighing.permille;
        listing_builder_close(&page->builder, offer->label, permille, arena_dup(page->arena, strbuf_str(&weighing.reasons)));
        page->rows_found++;
        if (page->builder.err != GT_OK) page->err = page->builder.err;
    }
    strbuf_done(&weighing.reasons);
}

void auto_offer_add(struct auto_page *page, struct auto_offer *offer)
{
    struct gt_str cards[LISTED_MAX];
    size_t count = list_cards(offer->label, cards);
    if (offer->price_count > 0 && names_several(offer->label) && is_remark(offer)) return;
    if (count == 0) add_one(page, offer);
    for (size_t i = 0; i < count; i++) {
        struct auto_offer each = *offer;
        each.label = cards[i];
        add_one(page, &each);
    }
}
