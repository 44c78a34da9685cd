/* The result: items, discounts and refusals from the settled finds. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

/* ---- items ---- */

/* ¥ is yuan where 元 or CNY stands in the text or its heading, yen where 円 or JPY does; both or
 * neither leave it open. */
static enum price_currency yen_of(const struct price_parse *parse)
{
    bool has_cny = parse->header.currency == PRICE_CUR_CNY, has_jpy = parse->header.currency == PRICE_CUR_JPY;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        if (parse->tokens[i].kind != PK_CURRENCY) continue;
        has_cny |= parse->tokens[i].value == PRICE_CUR_CNY;
        has_jpy |= parse->tokens[i].value == PRICE_CUR_JPY;
    }
    return has_cny == has_jpy ? PRICE_CUR_NONE : has_cny ? PRICE_CUR_CNY : PRICE_CUR_JPY;
}

/* What the printed currency is called, once the words or the site say which yen or dollar it is. */
static inline struct currency currency_of(const struct price_parse *parse, enum price_currency printed)
{
    struct currency site = parse->context->currency, code = price_currency_code(printed);
    if (printed == PRICE_CUR_NONE) return site;
    if (printed == PRICE_CUR_YEN_SIGN) {
        enum price_currency yen = yen_of(parse);
        if (yen != PRICE_CUR_NONE) return price_currency_code(yen);
        return strcmp(site.code, "CNY") == 0 || strcmp(site.code, "JPY") == 0 ? site : code;
    }
    if (printed != PRICE_CUR_DOLLAR_SIGN) return code;
    static const char dollars[][CURRENCY_MAX] = {"HKD", "SGD", "AUD", "CAD", "TWD", "NZD"};
    for (size_t i = 0; i < sizeof dollars / sizeof dollars[0]; i++)
        if (memcmp(site.code, dollars[i], CURRENCY_MAX) == 0) return site;
    return code;
}

/* Doubts are few; one too many is left out rather than an error. */
static void flag(struct price_item *item, bool is_set, const char *code)
{
    if (is_set && item->flag_count < PRICE_FLAGS_MAX) item->flags[item->flag_count++] = gt_str_from(code);
}

/* The doubts of an item, in an order that does not change. */
static void flags_set(const struct price_find *find, struct price_item *item)
{
    flag(item, item->quote.currency.code[0] == '\0', "currency-unknown");
    flag(item, find->is_inherited, "unit-inherited");
    flag(item, find->is_header_unit, "unit-from-heading");
    flag(item, find->is_site_unit, "unit-from-site");
    flag(item, find->is_by_custom, "separator-by-custom");
    flag(item, find->is_computed, "cards-computed");
    flag(item, find->is_estimate, "estimate");
    flag(item, find->is_claim, "claim");
    flag(item, find->is_mean, "average");
    flag(item, find->is_range && find->bound != BOUND_RANGE, "range");
}

/* One item from its find. False when memory is out. */
static bool item_fill(struct price_parse *parse, size_t index, struct price_item *item)
{
    const struct price_find *find = &parse->finds[index];
    const struct condition *conditions;
    size_t count;
    if (!price_conditions_read(parse, index, &conditions, &count)) return false;
    item->quote = (struct quote){
        .amount_nano = find->low_nano,
        .amount_high_nano = find->high_nano,
        .currency = currency_of(parse, find->currency),
        .period = find->unit.period,
        .period_count = find->unit.period_count > 0 ? find->unit.period_count : 1,
        .basis = find->unit.basis,
        .cards = find->unit.cards,
        .role = find->role,
        .bound = find->bound,
        .months = find->months,
        .is_upfront = find->is_upfront,
        .tax = find->tax,
        .conditions = conditions,
        .condition_count = count,
        .raw = price_lexed_raw(&parse->lexed, find->first, find->last),
    };
    item->offset = price_lexed_offset(&parse->lexed, find->first);
    item->len = item->quote.raw.len;
    flags_set(find, item);
    return true;
}

/* A find that is a price. */
static bool is_item(const struct price_find *find)
{
    return find->type == PRICE_FIND_AMOUNT && find->reason == REFUSAL_NONE;
}

/* The first PRICE_QUOTES_MAX prices in the order printed. */
static enum gt_err items_emit(struct price_parse *parse, struct price_reading *ret)
{
    size_t count = 0;
    for (size_t i = 0; i < parse->find_count; i++) count += is_item(&parse->finds[i]);
    if (count > PRICE_QUOTES_MAX) count = PRICE_QUOTES_MAX;
    if (count == 0) return GT_OK;
    ret->items = arena_array(parse->arena, count, sizeof *ret->items);
    if (ret->items == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < parse->find_count && ret->item_count < count; i++)
        if (is_item(&parse->finds[i]) && !item_fill(parse, i, &ret->items[ret->item_count++])) return GT_ENOMEM;
    return GT_OK;
}

/* ---- discounts ---- */

/* Whether it goes with others: the first word of the region that says so. */
static enum stacks stacks_between(const struct price_parse *parse, size_t from, size_t to)
{
    for (size_t i = from; i < to && price_lexed_has(&parse->lexed, PK_STACK); i++)
        if (parse->tokens[i].kind == PK_STACK) return (enum stacks)parse->tokens[i].value;
    return STACKS_UNKNOWN;
}

/* Two kinds of customer in one discount ("高校和企业 95 折") are alternatives, while conditions must all
 * hold: one discount for each. */
static bool is_alternative(const struct condition *conditions, size_t count, size_t at)
{
    bool has_student = false, has_enterprise = false;
    for (size_t i = 0; i < count; i++) {
        has_student |= conditions[i].kind == COND_STUDENT;
        has_enterprise |= conditions[i].kind == COND_ENTERPRISE;
    }
    return has_student && has_enterprise && (conditions[at].kind == COND_STUDENT || conditions[at].kind == COND_ENTERPRISE);
}

/* The conditions without the alternative of the given kind. */
static const struct condition *without(struct price_parse *parse, const struct discount *from, enum cond_kind kind)
{
    struct condition *items = arena_array(parse->arena, from->condition_count, sizeof *items);
    size_t kept = 0;
    for (size_t i = 0; items != NULL && i < from->condition_count; i++)
        if (from->conditions[i].kind != kind) items[kept++] = from->conditions[i];
    return items;
}

/* Adds the discount, or one for each of two alternatives. A full list keeps what it has. */
static enum gt_err discount_add(struct price_parse *parse, struct price_reading *ret, const struct discount *discount)
{
    if (ret->discount_count == OFFER_DISCOUNTS_MAX) return GT_OK;
    struct discount *into = &ret->discounts[ret->discount_count++];
    *into = *discount;
    bool is_two = false;
    for (size_t i = 0; i < discount->condition_count; i++)
        is_two |= is_alternative(discount->conditions, discount->condition_count, i);
    if (!is_two || ret->discount_count == OFFER_DISCOUNTS_MAX) return GT_OK;
    struct discount *second = &ret->discounts[ret->discount_count++];
    *second = *discount;
    into->conditions = without(parse, discount, COND_ENTERPRISE);
    second->conditions = without(parse, discount, COND_STUDENT);
    into->condition_count = second->condition_count = discount->condition_count - 1;
    return into->conditions != NULL && second->conditions != NULL ? GT_OK : GT_ENOMEM;
}

/* One discount from its find. */
static enum gt_err discount_emit(struct price_parse *parse, size_t index, struct price_reading *ret)
{
    const struct price_find *find = &parse->finds[index];
    struct discount discount = {
        .factor_nano = find->factor_nano,
        .factor_alt_nano = find->factor_alt_nano,
        .amount_off_nano = find->cut == PRICE_CUT_AMOUNT ? find->low_nano : 0,
        .stacks = stacks_between(parse, find->pre_from, find->post_to),
        .is_inferred = find->is_inferred,
        .is_upto = find->is_upto,
        .raw = price_lexed_raw(&parse->lexed, find->first, find->last),
    };
    if (find->cut == PRICE_CUT_AMOUNT) discount.currency = currency_of(parse, find->currency);
    if (!price_conditions_read(parse, index, &discount.conditions, &discount.condition_count)) return GT_ENOMEM;
    return discount_add(parse, ret, &discount);
}

/* "您选择的折扣不可与其他折扣一起使用。": a rule without a figure. */
static void rule_emit(struct price_parse *parse, struct price_reading *ret)
{
    if (ret->item_count > 0 || ret->discount_count > 0) return;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        if (parse->tokens[i].kind != PK_STACK || parse->tokens[i].value != STACKS_NO) continue;
        ret->discounts[ret->discount_count++] =
            (struct discount){.stacks = STACKS_NO, .raw = price_lexed_raw(&parse->lexed, 0, parse->lexed.count - 1)};
        return;
    }
}

/* "以上折扣不可叠加", "优惠不叠加": of the discounts themselves, so of all of them; "月付9折（不可叠加）" is one's own. */
static bool excludes_all(const struct price_parse *parse)
{
    for (size_t i = 1; i < parse->lexed.count; i++) {
        const struct price_token *t = &parse->tokens[i];
        if (t->kind != PK_STACK || t->value != STACKS_NO) continue;
        if (t->arg == 1) return true; /* "限用一个优惠" */
        int before = t[-1].kind == PK_FILL && i > 1 ? t[-2].kind : t[-1].kind;
        if (before == PK_ZHEKOU || before == PK_OFF || before == PK_MINUS) return true;
    }
    return false;
}

/* Room for what the text holds: a rule, and of each discount two alternatives. Readings are kept until a site's commit, and most texts hold
 * none or one. */
static enum gt_err discounts_emit(struct price_parse *parse, struct price_reading *ret)
{
    size_t room = price_lexed_has(&parse->lexed, PK_STACK) ? 1 : 0;
    for (size_t i = 0; i < parse->find_count; i++)
        if (parse->finds[i].type == PRICE_FIND_DISCOUNT) room += 2;
    if (room == 0) return GT_OK;
    ret->discounts = arena_array(parse->arena, room < OFFER_DISCOUNTS_MAX ? room : OFFER_DISCOUNTS_MAX, sizeof *ret->discounts);
    if (ret->discounts == NULL) return GT_ENOMEM;
    bool is_all = excludes_all(parse);
    for (size_t i = 0; i < parse->find_count; i++) {
        if (parse->finds[i].type != PRICE_FIND_DISCOUNT) continue;
        enum gt_err err = discount_emit(parse, i, ret);
        for (size_t k = 0; k < ret->discount_count && is_all; k++) ret->discounts[k].stacks = STACKS_NO;
        if (err != GT_OK) return err;
    }
    rule_emit(parse, ret);
    return GT_OK;
}

/* ---- availability ---- */

/* 空闲 3, 可租 4/8: the figure behind a word of stock. -1 when there is none. */
static int stock_of(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    struct gt_str word = gt_str_slice(parse->lexed.text, t->at, t->len);
    if (gt_str_is(word, "总量") || gt_str_is(word, "已租") || gt_str_is(word, "in use")) return -1;
    size_t next = at + 1;
    while (parse->tokens[next].kind == PK_STOCK || price_is_punct(&parse->tokens[next], '/') ||
           price_is_punct(&parse->tokens[next], ':'))
        next++;
    if (parse->tokens[next].kind != PK_NUMBER) return -1;
    struct price_value value = price_number_value(&parse->lexed, next, DECIMAL_POINT, false);
    return value.status == GT_OK ? value.nano > 0 : -1;
}

/* "0 台可用", "Available: 0", "0/24 available", "No GPUs available": nothing is left, whatever the word beside the nought says. */
static bool is_nought_beside(const struct price_parse *parse, size_t at)
{
    const struct price_token *before = &parse->tokens[at] - 1, *behind = &parse->tokens[at] + 1;
    if (before->kind == PK_NODE || before->kind == PK_CARD) before--;
    if (price_is_punct(behind, ':')) behind++;
    if (before->kind == PK_NUMBER && price_is_punct(before - 1, '/') && (before - 2)->kind == PK_NUMBER)
        before -= 2; /* 0/24 available */
    struct gt_str word = gt_str_slice(parse->lexed.text, before->at, before->len);
    if (gt_str_is(word, "no") || gt_str_is(word, "none")) return true;
    for (int i = 0; i < 2; i++) {
        const struct price_token *t = i == 0 ? before : behind;
        if (t->kind != PK_NUMBER || t->len != 1 || parse->lexed.text.ptr[t->at] != '0') continue;
        if (!price_is_punct(t - 1, '/') && t[-1].kind != PK_CURRENCY && t[1].kind != PK_CURRENCY) return true;
    }
    return false;
}

/* Words that contradict each other (可租16/16满租) say nothing. */
static enum availability availability_of(const struct price_parse *parse)
{
    bool has[AVAIL_WORDS] = {false};
    if (!price_lexed_has(&parse->lexed, PK_AVAIL) && !price_lexed_has(&parse->lexed, PK_STOCK)) return AVAIL_UNKNOWN;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        const struct price_token *t = &parse->tokens[i];
        bool is_nought = (t->kind == PK_STOCK || t->kind == PK_AVAIL) && is_nought_beside(parse, i);
        if (t->kind == PK_AVAIL) has[is_nought ? AVAIL_SOLD_OUT : t->value] = true;
        else if (is_nought) has[AVAIL_SOLD_OUT] = true;
        if (t->kind != PK_STOCK || (i > 0 && t[-1].kind == PK_STOCK)) continue;
        int stock = stock_of(parse, i);
        if (stock >= 0) has[stock > 0 ? AVAIL_IN_STOCK : AVAIL_SOLD_OUT] = true;
    }
    if (has[AVAIL_SOLD_OUT]) return has[AVAIL_IN_STOCK] || has[AVAIL_LIMITED] ? AVAIL_UNKNOWN : AVAIL_SOLD_OUT;
    return has[AVAIL_LIMITED] ? AVAIL_LIMITED : has[AVAIL_IN_STOCK] ? AVAIL_IN_STOCK : AVAIL_UNKNOWN;
}

/* ---- refusals ---- */

/* Reasons of numbers that were never meant as money come last. */
static bool is_weak(enum refusal_reason reason)
{
    return reason == REFUSAL_MODEL || reason == REFUSAL_SPEC || reason == REFUSAL_COUNT || reason == REFUSAL_NO_UNIT;
}

/* Money first, then by place. */
static bool comes_before(const struct price_refused *a, const struct price_refused *b)
{
    if (is_weak(a->reason) != is_weak(b->reason)) return !is_weak(a->reason);
    return a->first < b->first;
}

/* Insertion: the list is short and nearly sorted already. */
static void refused_sort(struct price_refused *refused, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct price_refused moving = refused[i];
        size_t k = i;
        for (; k > 0 && comes_before(&moving, &refused[k - 1]); k--) refused[k] = refused[k - 1];
        refused[k] = moving;
    }
}

/* Everything that was looked at and not taken, with its reason. */
static enum gt_err refused_emit(struct price_parse *parse, struct price_reading *ret)
{
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *find = &parse->finds[i];
        if (find->reason != REFUSAL_NONE) price_refuse(parse, find->first, find->last, find->reason);
    }
    for (size_t i = 0; i < parse->lexed.count && price_lexed_has(&parse->lexed, PK_QUOTE); i++) {
        if (parse->tokens[i].kind != PK_QUOTE) continue;
        ret->is_quote_only = 1;
        if (ret->item_count == 0) price_refuse(parse, i, i, REFUSAL_QUOTE_ONLY);
        break;
    }
    if (parse->refused_count == 0) return GT_OK;
    refused_sort(parse->refused, parse->refused_count);
    ret->refused = arena_array(parse->arena, parse->refused_count, sizeof *ret->refused);
    if (ret->refused == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < parse->refused_count; i++)
        ret->refused[ret->refused_count++] = (struct refusal){
            .raw = price_lexed_raw(&parse->lexed, parse->refused[i].first, parse->refused[i].last),
            .reason = refusal_code(parse->refused[i].reason),
        };
    return GT_OK;
}

/* 免费 is the price when nothing else is priced; "$10k free credits" is not. */
static bool is_free(const struct price_parse *parse, const struct price_reading *ret)
{
    if (ret->item_count > 0 || !price_lexed_has(&parse->lexed, PK_FREE)) return false;
    for (size_t i = 0; i < parse->refused_count; i++)
        if (!is_weak(parse->refused[i].reason) && parse->refused[i].reason != REFUSAL_ZERO) return false;
    return true;
}

enum gt_err price_emit(struct price_parse *parse, struct price_reading *ret)
{
    enum gt_err err = items_emit(parse, ret);
    if (err == GT_OK) err = discounts_emit(parse, ret);
    if (err == GT_OK) err = refused_emit(parse, ret);
    if (err != GT_OK) return err;
    ret->availability = availability_of(parse);
    ret->is_free = is_free(parse, ret);
    if (ret->item_count > 0) return GT_OK;
    /* A discount needs no price beside it: only a number that looked like one is worth a reason then. */
    bool is_strong = parse->refused_count > 0 && !is_weak(parse->refused[0].reason);
    if (is_strong || ret->discount_count == 0)
        ret->refused_all = refusal_code(parse->refused_count > 0 ? parse->refused[0].reason : REFUSAL_NONE);
    return GT_OK;
}
