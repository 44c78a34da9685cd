/* Members of an object of JSON that are judged by others: lists that make several rows of it, prices of what is not sold. */
#include "parsers/auto_json.h"

enum {
    DEPTH_MAX = AUTO_JSON_FLATTEN_DEPTH_MAX,
    ALIKE = 2, /* bytes that two keys of one way to rent begin with: others are not looked at */
};

/* True when an object has a member of price, in objects within too. */
static bool has_price(struct auto_page *page, const struct jnode *object, int depth)
{
    for (const struct jnode *child = object->children; child != NULL && depth < DEPTH_MAX; child = child->next) {
        bool holds = auto_json_is_scalar(child) || child->kind == JNODE_OBJECT;
        if (holds && auto_role_of(page, auto_key_words(page, GT_STR(""), child->key)) == AUTO_PRICE) return true;
        if (child->kind == JNODE_OBJECT && has_price(page, child, depth + 1)) return true;
    }
    return false;
}

bool auto_json_is_past(const struct jnode *node)
{
    static const struct gt_str WORDS[] = {{"istory", 6}, {"istorical", 9}, {"imeline", 7}, {"历史", 6}, {"往期", 6}};
    bool is_past = false;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0] && !is_past; i++) is_past = gt_str_find(node->key, WORDS[i], 0) != SIZE_MAX;
    return is_past;
}

/* The first list within an object whose members are objects, or the first whose members have prices. NULL when there is none. */
static const struct jnode *find_list(struct auto_page *page, const struct jnode *object, bool needs_price, int depth)
{
    for (const struct jnode *child = object->children; child != NULL; child = child->next) {
        if (auto_json_is_past(child)) continue;
        if (auto_json_is_list(child) && (!needs_price || has_price(page, child->children, 0))) return child;
        if (child->kind == JNODE_OBJECT && depth < DEPTH_MAX) {
            const struct jnode *inner = find_list(page, child, needs_price, depth + 1);
            if (inner != NULL) return inner;
        }
    }
    return NULL;
}

const struct jnode *auto_json_inner_list(struct auto_page *page, const struct jnode *object)
{
    const struct jnode *priced = find_list(page, object, true, 0);
    return priced != NULL ? priced : find_list(page, object, false, 0);
}

/* True when the members of a list or of a map name cards: each is then an offer of its own. */
static bool names_cards(struct auto_page *page, const struct jnode *list)
{
    for (const struct jnode *child = list->children; child != NULL; child = child->next) {
        for (const struct jnode *value = child->children; value != NULL; value = value->next) {
            if (value->kind == JNODE_STRING && auto_cell_read(page, value->text).has_sku) return true;
        }
    }
    return false;
}

/* True when the members of a list are sizes of one thing: they count cards, as rows of a table would. */
static bool counts_cards(struct auto_page *page, const struct jnode *list)
{
    for (const struct jnode *value = list->children->children; value != NULL; value = value->next) {
        if (value->kind == JNODE_NUMBER && auto_role_of(page, auto_key_words(page, GT_STR(""), value->key)) == AUTO_CARDS)
            return true;
    }
    return false;
}

/* True when a list is one of sellers, their offers or their places, each with a price. */
static bool lists_sellers(struct auto_page *page, const struct jnode *list)
{
    struct gt_str key = auto_key_words(page, GT_STR(""), list->key);
    enum auto_role role = auto_role_of(page, key);
    bool is_named = role == AUTO_PROVIDER || role == AUTO_REGION || auto_has_words(page, key, "offer|listing|deal|quote|报价");
    return is_named && has_price(page, list->children, 0);
}

/* True when each member of a list has prices by currency or period in an object of their own: {"pricing": {"USD": {"hour": 1}}}. */
static bool has_price_objects(struct auto_page *page, const struct jnode *list)
{
    for (const struct jnode *value = list->children->children; value != NULL; value = value->next) {
        if (value->kind == JNODE_OBJECT && value->count > 0 &&
            auto_role_of(page, auto_key_words(page, GT_STR(""), value->key)) == AUTO_PRICE)
            return true;
    }
    return false;
}

bool auto_json_makes_rows(struct auto_page *page, const struct jnode *list)
{
    return names_cards(page, list) || counts_cards(page, list) || has_price_objects(page, list) || lists_sellers(page, list);
}

bool auto_json_is_map(struct auto_page *page, const struct jnode *object)
{
    for (const struct jnode *child = object->children; child != NULL; child = child->next) {
        if (child->kind != JNODE_OBJECT || !has_price(page, child, 0)) return false;
    }
    return object->count > 1 && names_cards(page, object);
}

bool auto_json_is_denied(struct auto_page *page, const struct jnode *object, const struct jnode *price)
{
    static const char *const OFFERS[] = {"", "cloud", "market", "enabled", "offered", "supported"};
    for (const struct jnode *other = object->children; other != NULL; other = other->next) {
        bool is_alike = other->kind == JNODE_FALSE && gt_str_eq_nocase(gt_str_slice(other->key, 0, ALIKE), gt_str_slice(price->key, 0, ALIKE));
        if (!is_alike) continue;
        struct gt_str words = auto_key_words(page, GT_STR(""), price->key), flag = auto_key_words(page, GT_STR(""), other->key);
        struct gt_str way = gt_str_slice(words, 0, gt_str_find(words, GT_STR(" "), 0)), rest = gt_str_trim(gt_str_slice(flag, way.len, SIZE_MAX));
        bool is_priced = way.len < words.len && auto_role_of(page, words) == AUTO_PRICE && auto_role_of(page, way) != AUTO_LABEL;
        for (size_t i = 0; is_priced && gt_str_starts(flag, way) && i < sizeof OFFERS / sizeof OFFERS[0]; i++) {
            if (gt_str_eq_nocase(rest, gt_str_from(OFFERS[i]))) return true;
        }
    }
    return false;
}
