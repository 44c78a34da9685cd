/* Prices in sentences: "Spot capacity of the B300 starts at $10.90 per GPU hour, the MI350X at $3.90." A price belongs to the nearest card
 * before it in its own sentence. What a sentence guesses, remembers, reckons or says of a market is no offer, so one word of that kind
 * takes the whole sentence out. */
#include "parsers/auto_line.h"
#include "pricing/listing_spec.h"

enum {
    THING_BYTES_MAX = 24, /* behind an amount, where what it is for stands */
    NAME_MAX = 48, /* bytes of a heading that is a card's name and little else */
    SENTENCE_MAX = 300,  /* bytes: what is longer says more than what a card costs */
    OFFER_BYTES_MAX = 24, /* before an amount, where the word that offers it stands */
};

/* Words right before an amount that ask it for what was named. */
static const char OFFERS[] = "from|at|for|costs|cost|is|are|start|starts|starting|runs|rents|lands|around|priced|pricing|price|"
                             "标价|起售价|售价|仅|低至|租金|月费|月租|价格|收费|仅需|只需|为";

/* Words that lead to an amount without asking it for anything that they name. */
static const char LEADS[] = "hourly|monthly|per hour|per month|on demand|on-demand|rate|按量计费|按量|按需|包月|月付|时租|月租";

/* Words by which a sentence tells what a page asks, not what something cost. */
static const char TITLES[] = "pricing|price|plan|rate|start|starting|价格|起价|收费|租金|定价";

/* Words of a guess, a report, a reckoning, a sale or an expense; and of clouds that are spoken of only to be compared with. */
static const char DOUBTS[] =
    "example|would|could|might|if|when|assuming|assume|suppose|average|median|mean|typical|typically|compared|comparable|versus|vs|than|instead|"
    "market|elsewhere|estimated|estimate|expect|expects|expected|forecast|predicted|reckon|analyst|was|were|had|fell|rose|dropped|down|"
    "up to|last year|a year ago|ago|used to|previously|formerly|paid|pays|spend|spent|budget|bill|burn|total|saving|save|saves|saved|earn|earned|"
    "earns|break even|breakeven|buy|bought|buying|purchase|retail|resale|refurbished|used|sells|sold|checkout|instalment|installment|store card|over|"
    "so|costs about|costs around|costs roughly|cost about|cost around|cost roughly|"
    "pay from|cost us|costs us|cost me|charged us|charged me|spread|power|electricity|depreciation|license|licence|million|billion|"
    "slice|sliced|mig|1g|2g|3g|4g|fraction|fractional|half a|half an|half of|quarter of|third of|seventh of|eighth of|切片|半卡|"
    "public cloud|commercial cloud|i pay|i rent|i use|i got|my|mine|several|providers|other clouds|rack|colocation|"
    "aws|azure|google|gcp|amazon|which|draws|watt|watts|peaked|laptop|insurance|support plan|cheaper|less|"
    "例如|比如|假设|如果|相比|相当于|平均|均价|约合|去年|以前|曾|此前|跌|涨|降至|升至|预计|预测|报道|市场|行情|购买|购入|采购|二手|整机价|电费|"
    "节省|省下|花了|花费|账单|预算|总计|合计|共计|回本|分期";

/* Words of a term that a sentence's or a list's first words give all of its prices. */
static const char *const TERMS[] = {"spot", "Spot", "reserved", "Reserved", "commitment", "committed", "竞价", "抢占", "预留", "包年", "包月"};

/* What stands around a sentence. */
struct context {
    struct gt_str above; /* a heading, a list's item */
    struct gt_str only;  /* the one card that the page names; "" when it names several, or has prices of cards elsewhere */
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

static struct gt_str clause_cut(struct gt_str *rest)
{
    static const struct gt_str SIGNS[] = {{", ", 2}, {"，", 3}, {" and ", 5}, {" while ", 7}, {" — ", 5}, {" – ", 5}, {" - ", 3}};
    return gt_str_trim(auto_cut_at(rest, SIGNS, sizeof SIGNS / sizeof SIGNS[0]));
}

/* Where a text names another card behind its first; SIZE_MAX when it does not. */
static size_t second_card(struct gt_str text)
{
    struct sku_match first = sku_resolve(text, 0, NULL, 0);
    size_t end = first.offset + first.len;
    struct sku_match next = sku_resolve(gt_str_slice(text, end, SIZE_MAX), 0, NULL, 0);
    bool is_another = first.status != SKU_UNMAPPED && next.status != SKU_UNMAPPED && next.node != first.node;
    return is_another ? end + next.offset : SIZE_MAX;
}

/* The words before an amount without those that say that it is not quite that. */
static struct gt_str without_hedge(struct gt_str text)
{
    static const struct gt_str HEDGES[] = {{"~", 1}, {"≈", 3}, {"约", 3}, {"around", 6}, {"about", 5}, {"roughly", 7}, {"approximately", 13}};
    text = auto_line_strip(text);
    for (size_t i = 0; i < sizeof HEDGES / sizeof HEDGES[0]; i++) {
        if (gt_str_ends(text, HEDGES[i])) return auto_line_strip(gt_str_slice(text, 0, text.len - HEDGES[i].len));
    }
    return text;
}

/* The last word before the word that offers: "4090" of "the site lists the 4090 标价为", a name only where it stands alone. */
static struct gt_str bare_name(struct gt_str lead)
{
    struct gt_str rest = lead, word, before = GT_STR("");
    while (gt_str_split(&rest, ' ', &word)) {
        if (word.len > 0 && rest.len > 0) before = word;
    }
    /* "4090：约 ¥2/时" */
    return before.len > 0 && without_hedge(lead).len > before.len ? before : without_hedge(lead);
}

/* The card that a clause names; "" when it names none, or several. */
static struct gt_str card_of(struct auto_page *page, struct gt_str clause, const struct auto_price *price)
{
    struct gt_str words = clause;
    if (!auto_cell_read(page, clause).has_sku) words = price != NULL ? bare_name(gt_str_slice(clause, 0, price->first.offset)) : GT_STR("");
    struct sku_match match = sku_resolve(words, 0, NULL, 0);
    if (words.len == 0 || match.status == SKU_UNMAPPED || second_card(words) != SIZE_MAX) return GT_STR("");
    return gt_str_slice(words, match.offset, match.len);
}

/* True for one amount by time, or one by the month and by the hour, that the clause asks for what was named. */
static bool is_asked(struct auto_page *page, const struct auto_price *price, struct gt_str card)
{
    const struct quote *quote = &price->first.quote;
    bool is_money = price->has_currency || gt_str_find(price->text, GT_STR("¥"), 0) != SIZE_MAX ||
                    gt_str_find(price->text, GT_STR("￥"), 0) != SIZE_MAX; /* yuan or yen: no more than the code is open */
    bool is_sure = (price->items == 1 || price->has_two_units) && price->is_period_printed && is_money && !price->is_zero &&
                   quote->bound != BOUND_RANGE;
    struct gt_str lead = without_hedge(gt_str_slice(price->text, 0, price->first.offset));
    struct gt_str last = gt_str_slice(lead, lead.len > OFFER_BYTES_MAX ? lead.len - OFFER_BYTES_MAX : 0, SIZE_MAX);
    return is_sure && !auto_has_role(page, price->text, AUTO_FOREIGN) && !auto_is_service(page, lead) &&
           (auto_has_words(page, last, OFFERS) || (card.len > 0 && gt_str_ends(lead, card)));
}

struct gt_str auto_term_of(struct gt_str sentence)
{
    static const char *const OTHERS[] = {"n demand", "n-demand", "按量", "按需"};
    struct gt_str term = GT_STR("");
    for (size_t i = 0; i < sizeof TERMS / sizeof TERMS[0] && term.len == 0; i++) {
        if (gt_str_find(sentence, gt_str_from(TERMS[i]), 0) != SIZE_MAX) term = gt_str_from(TERMS[i]);
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        if (gt_str_find(sentence, gt_str_from(OTHERS[i]), 0) != SIZE_MAX) term = GT_STR("");
    }
    return term;
}

/* The card that a clause is about which names none: the one of the heading above; or the only one that the page names, where the clause
 * speaks of a GPU. Only for an amount that the card is let for: it may be of something else. "" when there is none. */
static struct gt_str card_above(struct auto_page *page, const struct auto_price *price, const struct context *context)
{
    static const char THINGS[] = "storage|disk|traffic|bandwidth|egress|transfer|backup|snapshot|volume|"
                                 "shop|site|plugin|seat|user|account|dashboard|software|course|cpu|vcpu|ip|image|memory|存储|硬盘|流量|带宽|快照";
    int32_t cards = spec_cards_find(price->text);
    struct gt_str card = auto_line_compares(page, context->above) ? GT_STR("") : card_of(page, context->above, NULL);
    if (card.len > 0 && context->above.len <= NAME_MAX) card = context->above; /* with its memory */
    struct gt_str lead = without_hedge(gt_str_slice(price->text, 0, price->first.offset));
    if (card.len == 0 && auto_has_role(page, price->text, AUTO_LABEL) && auto_has_words(page, lead, TITLES)) card = context->only;
    struct gt_str near = gt_str_slice(price->text, 0, price->first.offset + price->first.len + THING_BYTES_MAX);
    bool is_asked_alone = is_asked(page, price, GT_STR("")) || auto_has_words(page, lead, LEADS) || lead.len == 0;
    bool is_of_card = card.len > 0 && is_asked_alone && !auto_has_words(page, near, THINGS) && auto_price_is_usual(price, card, cards);
    return is_of_card ? card : GT_STR("");
}

/* Reads one sentence, clause by clause. A clause without an amount leaves its card to the next one that has it. */
static void read_sentence(struct auto_page *page, struct gt_str sentence, const struct context *context)
{
    struct gt_str rest = sentence, card = GT_STR("");
    size_t named = 0;
    bool names_none = sku_resolve(sentence, 0, NULL, 0).status == SKU_UNMAPPED;
    while (rest.len > 0) {
        struct auto_price price;
        struct gt_str clause = clause_cut(&rest);
        bool has_price = auto_price_read(page, clause, GT_STR(""), GT_STR(""), &NOTHING, false, &price);
        struct gt_str own = card_of(page, has_price ? price.text : clause, has_price ? &price : NULL);
        if (own.len > 0) card = own, named = has_price ? 1 : named + 1;
        else if (second_card(clause) != SIZE_MAX) named += 2;
        if (!has_price) continue;
        struct auto_offer offer = {.label = card, .plan = auto_term_of(sentence), .variant = context->above, .prices = {price}, .price_count = 1,
                                   .alike = 1, .shape = AUTO_SHAPE_SENTENCE};
        offer.prices[0].header = offer.plan;
        if (named == 0 && names_none) {
            offer.label = card_above(page, &price, context);
            int32_t cards = spec_cards_find(price.text);
            if (cards > 0) offer.cards = arena_printf(page->arena, "%d", cards);
            if (offer.label.len > 0 && (cards == 0 || offer.cards.ptr != NULL)) auto_offer_add(page, &offer);
        }
        if (named == 1 && is_asked(page, &price, card)) auto_offer_add(page, &offer);
        named = 0;
    }
}

bool auto_sentence_doubts(struct auto_page *page, struct gt_str sentence)
{
    return auto_has_words(page, sentence, DOUBTS);
}

/* Reads the sentences of a paragraph. */
static void read_paragraph(struct auto_page *page, struct gt_str text, const struct context *context)
{
    while (text.len > 0 && text.len <= AUTO_PARAGRAPH_MAX && page->err == GT_OK) {
        struct gt_str sentence = gt_str_trim(auto_sentence_cut(&text));
        if (sentence.len <= SENTENCE_MAX && !auto_sentence_doubts(page, sentence)) read_sentence(page, sentence, context);
        arena_clear(page->scratch);
    }
}

/* True when a card may be what `only` is: the same, or one of those that its name leaves open. */
static bool may_be(const struct sku_match *match, const struct sku_match *only)
{
    bool is_same = match->node != NULL && match->node == only->node;
    for (size_t i = 0; i < match->candidate_count && !is_same; i++) is_same = match->candidates[i] == only->node;
    for (size_t i = 0; i < only->candidate_count && !is_same; i++) is_same = only->candidates[i] == match->node;
    return is_same;
}

/* The name of the only card that the lines speak of; "" when they name none, or several. */
static struct gt_str only_card(const struct auto_line *lines, size_t count)
{
    struct sku_match only = {.status = SKU_UNMAPPED};
    struct gt_str name = GT_STR("");
    for (size_t i = 0; i < count; i++) {
        for (struct gt_str rest = lines[i].text; rest.len > 0;) {
            struct gt_str sentence = auto_sentence_cut(&rest);
            struct sku_match match = sku_resolve(sentence, 0, NULL, 0);
            if (match.status == SKU_UNMAPPED) continue;
            if (second_card(sentence) != SIZE_MAX || (name.len > 0 && !may_be(&match, &only))) return GT_STR("");
            if (name.len > 0 && only.status != SKU_AMBIGUOUS) continue;
            only = match;
            name = gt_str_slice(sentence, match.offset, match.len);
        }
    }
    return name;
}

void auto_sentences_read(struct auto_page *page, const struct auto_line *lines, size_t count)
{
    const struct auto_evidence *evidence = &page->evidence;
    bool is_of_else = (evidence->rates_cores && page->rows_found > 0) || evidence->purchase >= evidence->rental ||
                      evidence->other >= evidence->rental;
    struct gt_str heading = GT_STR("");
    struct context context = {.above = heading, .only = heading};
    if (page->rows_found == 0 && !is_of_else && !evidence->rates_cores) context.only = only_card(lines, count);
    for (size_t i = 0; i < count && !is_of_else; i++) {
        if (lines[i].is_heading) heading = lines[i].text;
        context.above = gt_str_cut(lines[i].above.len > 0 ? lines[i].above : heading, AUTO_LABEL_MAX);
        if (lines[i].is_prose) read_paragraph(page, lines[i].text, &context);
    }
}
