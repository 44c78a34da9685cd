/* A label's way to a node: the site's own words, a canonical name, or names found in the text and what stands beside them. */
#include "pricing/sku_context.h"
#include "pricing/sku_label.h"
#include "pricing/sku_pick.h"

enum { ALIAS_WORDS_MAX = 512 };

/* Of two that overlap the one that goes on stays: "昇腾 910 B2C" is a 910B2C. */
static void mention_add(struct sku_mentions *mentions, const struct sku_mention *found)
{
    if (mentions->count > 0) {
        struct sku_mention *last = &mentions->at[mentions->count - 1];
        if (found->start < last->end) {
            if (found->end > last->end) *last = *found;
            return;
        }
    }
    if (mentions->count < SKU_MENTIONS_MAX) mentions->at[mentions->count++] = *found;
}

/* Every position may begin a name; the table says no to most after one step. */
static void mentions_find(const struct sku_text *text, struct sku_mentions *mentions)
{
    for (size_t at = 0; at < text->len; at++) {
        struct sku_mention found;
        if (sku_text_char(text, at) == SKU_CHAR_MARK) continue;
        if (sku_alias_longest(text, at, &found)) mention_add(mentions, &found);
    }
}

/* Drops mentions that the words around them speak against. */
static void mentions_judge(const struct sku_text *text, struct sku_mentions *mentions)
{
    size_t kept = 0;
    struct sku_beside besides[SKU_MENTIONS_MAX];
    bool has_certain = false;
    for (size_t i = 0; i < mentions->count; i++) has_certain = has_certain || mentions->at[i].row->strength != SKU_STRENGTH_SHY;
    for (size_t i = 0; i < mentions->count; i++) {
        besides[i] = sku_beside_read(text, &mentions->at[i]);
        besides[i].is_among_certain = has_certain; /* what does not stand in a list with it is dropped later */
    }
    for (size_t i = 0; i < mentions->count; i++) {
        if (!sku_context_allows(text, &mentions->at[i], besides, mentions->count, i)) continue;
        mentions->at[kept] = mentions->at[i];
        mentions->beside[kept++] = besides[i];
    }
    mentions->count = kept;
}

/* True when nothing but marks of a list stands between two mentions: "A100/A800", "3090、4090". */
static bool is_listed_with(const struct sku_text *text, const struct sku_mentions *mentions, size_t i)
{
    size_t from = mentions->beside[i - 1].tail_end, to = mentions->beside[i].head_start;
    while (from < to && (strchr(" /,;+&|", text->s[from]) != NULL || sku_text_has(text, from, "、") ||
                         sku_text_has(text, from, "和") || sku_text_has(text, from, "或")))
        from += sku_text_char(text, from) == SKU_CHAR_WIDE ? 3 : 1;
    return from >= to;
}

/* Where a name that can mean nothing else stands, shy ones count only in a list with it. */
static void mentions_drop_shy(const struct sku_text *text, struct sku_mentions *mentions)
{
    bool has_certain = false;
    for (size_t i = 0; i < mentions->count; i++) has_certain = has_certain || mentions->at[i].row->strength != SKU_STRENGTH_SHY;
    size_t kept = 0;
    bool was_kept = false;
    for (size_t i = 0; i < mentions->count; i++) {
        bool is_shy = has_certain && mentions->at[i].row->strength == SKU_STRENGTH_SHY;
        bool stays = !is_shy || (i > 0 && was_kept && is_listed_with(text, mentions, i)) ||
                     (i + 1 < mentions->count && is_listed_with(text, mentions, i + 1));
        was_kept = stays;
        if (!stays) continue;
        mentions->at[kept] = mentions->at[i];
        mentions->beside[kept++] = mentions->beside[i];
    }
    mentions->count = kept;
}

static void candidate_add(struct sku_match *match, const struct sku_node *node)
{
    for (size_t i = 0; i < match->candidate_count; i++)
        if (match->candidates[i] == node) return;
    if (match->candidate_count < SKU_CANDIDATES_MAX) match->candidates[match->candidate_count++] = node;
}

/* Exact when the node fixes the memory, or nothing lies below it. */
static enum sku_status status_of(const struct sku_node *node)
{
    return node->vram_gb != 0 || sku_is_leaf(node) ? SKU_EXACT : SKU_FAMILY;
}

/* Fills status, node and candidates from what the words allow. */
static void match_conclude(struct sku_match *match, const struct sku_pick *pick)
{
    const struct sku_node *node = pick->is_refused ? NULL : sku_pick_node(pick);
    match->status = node != NULL ? status_of(node) : pick->count > 0 ? SKU_AMBIGUOUS : SKU_UNMAPPED;
    match->node = node;
    if (match->status == SKU_EXACT) return;
    for (size_t i = 0; i < pick->count; i++) candidate_add(match, pick->leaves[i]);
}

/* What stands beside a machine's name counts cards too ("p4de.24xlarge 8 GPUs"); where nothing does, the name counts them. */
static int32_t cards_of(const struct sku_mention *mention, const struct sku_beside *beside)
{
    return beside->cards != 0 ? beside->cards : mention->row->cards;
}

static struct sku_slice slice_of(const struct sku_text *text, const struct sku_mention *mention, bool is_part)
{
    return mention->row->part != 0 ? (struct sku_slice){.num = 1, .den = mention->row->part} : sku_slice_read(text, mention, is_part);
}

/* The cards of a mention that have the sizes which the label and the row print. */
static struct sku_pick pick_by_sizes(const struct sku_mention *mention, const struct sku_beside *beside, struct sku_size size, int32_t row_vram_gb)
{
    struct sku_pick pick = sku_pick_begin(mention->row->nodes);
    if (!sku_pick_by_two(&pick, &size, beside->vram_other)) sku_pick_by_vram(&pick, &size);
    size.vram = (struct sku_vram){.tenths = row_vram_gb < 100000 ? row_vram_gb * 10 : 0, .is_whole = true};
    if (row_vram_gb > 0) sku_pick_by_vram(&pick, &size);
    return pick;
}

/* Reads one mention: its cards, and the sizes that the label and the row print. */
static struct sku_match match_mention(const struct sku_text *text, const struct sku_mentions *mentions, size_t i, int32_t row_vram_gb)
{
    const struct sku_mention *mention = &mentions->at[i];
    const struct sku_beside *beside = &mentions->beside[i];
    struct sku_pick any = sku_pick_begin(mention->row->nodes);
    bool is_part = sku_pick_is_part(&any, beside->vram.tenths > 0 ? beside->vram.tenths / 10 : row_vram_gb);
    struct sku_size size = {beside->vram, cards_of(mention, beside), slice_of(text, mention, is_part)};
    if (mention->row->is_type) size.vram.is_doubtful = true;
    if (size.vram.tenths == 0 && mentions->count == 1) size.vram = sku_vram_tagged(text);
    struct sku_pick pick = pick_by_sizes(mention, beside, size, row_vram_gb);
    if (pick.is_refused && size.cards == 0 && beside->bare_count > 1) {
        size.cards = beside->bare_count;
        pick = pick_by_sizes(mention, beside, size, row_vram_gb);
        if (pick.is_refused) size.cards = 0;
    }
    sku_pick_by_form(&pick, beside->form);
    struct sku_match match = {.cards = size.cards,
                              .is_type_count = beside->cards == 0 && mention->row->cards != 0,
                              .vram_gb = pick.vram_gb,
                              .slice_num = size.slice.num,
                              .slice_den = size.slice.den};
    match.offset = text->origin[mention->start];
    match.len = text->origin[mention->end] - match.offset;
    match_conclude(&match, &pick);
    return match;
}

/* Two mentions of one label: the deeper one when they lie on one path of the tree, else both are candidates. */
static void match_join(struct sku_match *match, const struct sku_match *other)
{
    if (match->cards == 0 || (match->is_type_count && other->cards != 0)) {
        match->cards = other->cards;
        match->is_type_count = other->is_type_count;
    }
    if (match->node == other->node && match->vram_gb == 0) match->vram_gb = other->vram_gb;
    if (match->node != NULL && other->node != NULL) {
        if (sku_node_is_within(match->node, other->node)) return;
        if (sku_node_is_within(other->node, match->node)) {
            struct sku_match first = *match;
            *match = *other;
            match->cards = first.cards;
            match->is_type_count = first.is_type_count;
            return;
        }
    }
    if (match->node != NULL) match->candidate_count = 0, candidate_add(match, match->node);
    if (other->node != NULL) candidate_add(match, other->node);
    for (size_t i = 0; other->node == NULL && i < other->candidate_count; i++) candidate_add(match, other->candidates[i]);
    match->node = NULL;
    match->status = SKU_AMBIGUOUS;
    match->vram_gb = 0;
}

/* All the label's mentions, told as one. */
static struct sku_match match_text(const struct sku_label *label, int32_t row_vram_gb)
{
    if (label->mentions.count == 0) return (struct sku_match){.status = SKU_UNMAPPED};
    struct sku_match match = match_mention(&label->text, &label->mentions, 0, row_vram_gb);
    for (size_t i = 1; i < label->mentions.count; i++) {
        struct sku_match other = match_mention(&label->text, &label->mentions, i, row_vram_gb);
        match_join(&match, &other);
    }
    return match;
}

/* Where the folded words of a site's alias stand in the text, blanks in either being the same however many; SIZE_MAX when
 * nowhere. */
static size_t words_find(const struct sku_text *text, const struct sku_text *words, size_t *ret_end)
{
    for (size_t start = 0; start < text->len && words->len > 0; start++) {
        size_t at = start, w = 0;
        while (w < words->len && at < text->len && words->s[w] == text->s[at]) {
            bool is_blank = words->s[w] == ' ';
            w = is_blank ? sku_text_skip(words, w, "") : w + 1;
            at = is_blank ? sku_text_skip(text, at, "") : at + 1;
        }
        if (w == words->len && sku_text_begins_word(text, start) && sku_text_ends_word(text, at)) {
            *ret_end = at;
            return start;
        }
    }
    return SIZE_MAX;
}

/* The longest of the site's aliases that stands in the label: the user has said what it means, so nothing is checked against
 * it. */
static bool match_alias(const struct sku_text *text, const struct sku_alias *aliases, size_t alias_count, struct arena *arena,
                        struct sku_match *ret_match)
{
    size_t best = 0;
    for (size_t i = 0; i < alias_count; i++) {
        struct sku_text words;
        const struct sku_node *node = sku_find(gt_str_from(aliases[i].sku));
        struct gt_str printed = gt_str_trim(aliases[i].words);
        if (node == NULL || printed.len > ALIAS_WORDS_MAX || !sku_text_read(printed, arena, &words)) continue;
        size_t end = 0, start = words_find(text, &words, &end);
        if (start == SIZE_MAX || end - start <= best) continue;
        best = end - start;
        struct sku_mention mention = {.start = start, .end = end};
        struct sku_beside beside = sku_beside_read(text, &mention);
        *ret_match = (struct sku_match){.status = status_of(node), .node = node, .cards = beside.cards, .vram_gb = node->vram_gb};
        ret_match->offset = text->origin[start];
        ret_match->len = text->origin[end] - ret_match->offset;
    }
    return best > 0;
}

/* The node that the label is the canonical name of, as exports and other programs write them; NULL when it is none. */
static const struct sku_node *canonical_of(struct gt_str label)
{
    struct gt_str name = gt_str_trim(label);
    if (memchr(name.ptr, ' ', name.len) != NULL) return NULL; /* no canonical name has one, and most labels do */
    const struct sku_node *node = sku_find(name);
    return node != NULL && !sku_is_root(node) ? node : NULL;
}

static struct sku_match match_canonical(struct gt_str label, int32_t row_vram_gb)
{
    struct gt_str name = gt_str_trim(label);
    struct sku_pick pick = sku_pick_begin(canonical_of(label)->name);
    struct sku_size size = {.vram = {.tenths = row_vram_gb > 0 && row_vram_gb < 100000 ? row_vram_gb * 10 : 0, .is_whole = true}};
    sku_pick_by_vram(&pick, &size);
    struct sku_match match = {.vram_gb = pick.vram_gb, .offset = (size_t)(name.ptr - label.ptr), .len = name.len};
    match_conclude(&match, &pick);
    return match;
}

/* Cuts at SKU_LABEL_MAX, before a character that would be cut in two. */
static struct gt_str label_cut(struct gt_str label)
{
    if (label.len <= SKU_LABEL_MAX) return label;
    size_t len = SKU_LABEL_MAX;
    while (len > 0 && ((unsigned char)label.ptr[len] & 0xC0) == 0x80) len--;
    return (struct gt_str){label.ptr, len};
}

void sku_label_read(struct gt_str label, const struct sku_alias *aliases, size_t alias_count, struct arena *arena, struct sku_label *ret_label)
{
    *ret_label = (struct sku_label){.words = label_cut(label)};
    if (label.len == 0) return;
    ret_label->is_canonical = canonical_of(ret_label->words) != NULL;
    if (ret_label->is_canonical && alias_count == 0) {
        ret_label->is_read = true;
        return;
    }
    if (!sku_text_read(ret_label->words, arena, &ret_label->text)) return;
    ret_label->is_read = true;
    ret_label->is_alias = match_alias(&ret_label->text, aliases, alias_count, arena, &ret_label->alias);
    if (ret_label->is_alias || ret_label->is_canonical) return;
    mentions_find(&ret_label->text, &ret_label->mentions);
    mentions_judge(&ret_label->text, &ret_label->mentions);
    mentions_drop_shy(&ret_label->text, &ret_label->mentions);
}

struct sku_match sku_label_match(const struct sku_label *label, int32_t vram_gb)
{
    if (!label->is_read) return (struct sku_match){.status = SKU_UNMAPPED};
    if (label->is_alias) return label->alias;
    return label->is_canonical ? match_canonical(label->words, vram_gb) : match_text(label, vram_gb);
}

struct sku_match sku_resolve(struct gt_str label, int32_t vram_gb, const struct sku_alias *aliases, size_t alias_count)
{
    struct sku_label read;
    struct arena *arena = arena_new(SKU_LABEL_ARENA_BYTES);
    if (arena == NULL) return (struct sku_match){.status = SKU_UNMAPPED};
    sku_label_read(label, aliases, alias_count, arena, &read);
    struct sku_match match = sku_label_match(&read, vram_gb);
    arena_free(arena);
    return match;
}
