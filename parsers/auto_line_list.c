/* Lines that list cards, each beside its own price: "Pricing: RTX 4090 from $0.29/hr, A100 from $0.75/hr." */
#include "parsers/auto_line.h"

enum {
    LIST_LINE_MAX = 300, /* bytes */
    LIST_BESIDE_MAX = 40, /* bytes of a clause beside card and price */
};

/* Words by which a line tells of prices instead of asking them. */
static const char DOUBTS[] = "example|e.g|would|could|if|average|compared|compare|than|versus|vs|estimated|assuming|was|were|paid|last|while|whereas|"
                             "instead|expect|expected|competitor|competitors|market|cheaper|aws|azure|google|amazon|例如|如果|假设|平均|曾|相比|去年";

static bool has_digit(struct gt_str text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) digits += text.ptr[i] >= '0' && text.ptr[i] <= '9';
    return digits > 0;
}

/* Takes the first clause off *rest. */
static struct gt_str clause_cut(struct gt_str *rest)
{
    static const struct gt_str SIGNS[] = {{", and ", 6}, {", ", 2}, {"; ", 2}, {" and ", 5}, {". ", 2}, {"，", 3}, {"、", 3}, {"；", 3}, {"。", 3}};
    struct gt_str clause = gt_str_trim(auto_cut_at(rest, SIGNS, sizeof SIGNS / sizeof SIGNS[0]));
    if (gt_str_ends(clause, GT_STR("."))) clause.len--;
    return clause;
}

/* What a clause is: neither card nor price, one card with one price, or anything else. */
enum clause_kind { CLAUSE_ASIDE, CLAUSE_OFFER, CLAUSE_OTHER };

static enum clause_kind clause_kind_of(struct auto_page *page, struct gt_str clause)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price;
    struct sku_match card = sku_resolve(clause, 0, NULL, 0);
    if (!has_digit(clause)) return CLAUSE_ASIDE;
    struct gt_str behind = gt_str_slice(clause, card.offset + card.len, SIZE_MAX);
    bool is_one = card.node != NULL && sku_resolve(behind, 0, NULL, 0).status == SKU_UNMAPPED;
    bool is_offer = is_one && auto_price_read(page, clause, GT_STR(""), GT_STR(""), &nothing, false, &price) && price.is_period_printed &&
                    price.items == 1 && price.has_currency && clause.len <= card.len + price.first.len + LIST_BESIDE_MAX;
    return is_offer ? CLAUSE_OFFER : CLAUSE_OTHER;
}

size_t auto_line_cut(struct auto_page *page, struct gt_str line, struct gt_str *pieces)
{
    size_t count = 0;
    struct gt_str lead = GT_STR("");
    if (line.len > LIST_LINE_MAX || !has_digit(line) || auto_has_words(page, line, DOUBTS)) return 0;
    for (struct gt_str rest = line; rest.len > 0;) {
        struct gt_str clause = clause_cut(&rest);
        enum clause_kind kind = clause_kind_of(page, clause);
        if (kind == CLAUSE_OTHER || (kind == CLAUSE_OFFER && count == AUTO_PIECES_MAX)) return 0;
        if (count == 0 && lead.len == 0) lead = gt_str_slice(clause, 0, gt_str_find(clause, GT_STR(": "), 0) + 1);
        if (kind == CLAUSE_OFFER) pieces[count++] = clause;
    }
    /* One price alone is a list's only where the line says so: "Pricing: H100 from $2.15/hr; no contracts." */
    bool is_list = count > 1 || (count == 1 && lead.len > 1 && gt_str_ends(lead, GT_STR(":")) && auto_has_role(page, lead, AUTO_PRICE));
    return is_list ? count : 0;
}
