/* Every name of the catalogue, in every way it may be written, means its own card and no other. */
#include <ctype.h>

#include "pricing/sku_alias.h"
#include "pricing/sku_pick.h"
#include "tests/unit/table.h"

enum { WORDS_MAX = 256 };

/* A way to write a name: what stands at its optional breaks, the case of its letters, the label around it. */
struct way {
    const char *name;
    const char *joint;
    bool is_upper;
    const char *before, *after;
};

static const struct way ways[] = {
    {"as it stands", " ", false, "", ""},
    {"upper case", " ", true, "", ""},
    {"glued", "", false, "", ""},
    {"glued upper case", "", true, "", ""},
    {"hyphens", "-", false, "", ""},
    {"underscores, upper case", "_", true, "", ""},
    {"two blanks", "  ", false, "", ""},
    {"full-width blank", "\xE3\x80\x80", true, "", ""},
    {"in a Chinese sentence", " ", true, "现货出租 ", " 服务器，即租即用"},
    {"in a Chinese sentence, glued on both sides", "", true, "现货出租", "显卡包月"},
    {"in an English sentence", "-", true, "Rent ", " GPU servers by the hour"},
    {"in brackets", " ", true, "GPU 服务器（", "）"},
    {"behind a glued count", "", true, "8x", " GPU"},
    {"behind a count with a star", " ", true, "8*", " GPU"},
    {"before a count", " ", true, "GPU ", " x 8"},
    {"with a price", " ", true, "", " ¥1.98/时"},
    {"with a tab and a line end around", " ", true, "\t", " 包月\n"},
};

static void write_way(const struct way *way, const char *words, char *text)
{
    size_t out = (size_t)snprintf(text, WORDS_MAX, "%s", way->before);
    for (; *words != '\0'; words++) {
        if (*words == ' ') out += (size_t)snprintf(text + out, WORDS_MAX - out, "%s", way->joint);
        else text[out++] = way->is_upper && (unsigned char)*words < 0x80 ? (char)toupper((unsigned char)*words) : *words;
    }
    snprintf(text + out, WORDS_MAX - out, "%s", way->after);
}

/* The row's own answer: what its nodes have in common, or all of them as candidates. */
static bool is_answer(const struct sku_match *match, const struct sku_alias_row *row)
{
    struct sku_pick pick = sku_pick_begin(row->nodes);
    const struct sku_node *node = sku_pick_node(&pick);
    if (match->node != node) return false;
    if (node != NULL) return match->status == SKU_EXACT || match->status == SKU_FAMILY;
    if (match->status != SKU_AMBIGUOUS || match->candidate_count != pick.count) return false;
    for (size_t i = 0; i < pick.count; i++)
        if (match->candidates[i] != pick.leaves[i]) return false;
    return true;
}

/* "8x370 x8" and the like: a name that begins with a digit cannot stand glued behind a count and an x. */
static bool is_possible(const struct way *way, const char *words)
{
    bool begins_with_digit = isdigit((unsigned char)words[0]) != 0;
    return !(begins_with_digit && strcmp(way->before, "8x") == 0);
}

static void check_way(void **state)
{
    const struct way *way = *state;
    size_t count, wrong = 0;
    const struct sku_alias_row *rows = sku_alias_rows(&count);
    for (size_t i = 0; i < count; i++) {
        char text[WORDS_MAX];
        if (!is_possible(way, rows[i].words)) continue;
        write_way(way, rows[i].words, text);
        struct sku_match match = sku_resolve(gt_str_from(text), 0, NULL, 0);
        if (is_answer(&match, &rows[i])) continue;
        wrong++;
        print_error("\"%s\" should be %s, is %s %s\n", text, rows[i].nodes, word_text(VOCABULARY_SKU, match.status),
                    match.node != NULL ? match.node->name : "");
    }
    assert_int_equal(wrong, 0);
}

/* Letters or digits glued to a name make another word of it. */
struct glue {
    const char *name;
    const char *before, *after;
};

static const struct glue glues[] = {
    {"a letter before", "q", ""}, {"a letter after", "", "q"}, {"letters before", "abc", ""}, {"letters after", "", "zoo"},
    {"a digit after", "", "7"},   {"digits after", "", "777"}, {"digits before", "777", ""},
};

static void check_glue(void **state)
{
    const struct glue *glue = *state;
    size_t count, wrong = 0;
    const struct sku_alias_row *rows = sku_alias_rows(&count);
    for (size_t i = 0; i < count; i++) {
        const struct way way = {"", "", false, glue->before, glue->after};
        char text[WORDS_MAX];
        bool begins_wide = (unsigned char)rows[i].words[0] >= 0x80;
        if (strcmp(rows[i].nodes, "TENCENT-ZIXIAO-V1") == 0) continue; /* its Chinese part is a name of its own */
        bool ends_wide = (unsigned char)rows[i].words[strlen(rows[i].words) - 1] >= 0x80;
        if ((begins_wide && glue->before[0] != '\0') || (ends_wide && glue->after[0] != '\0')) continue;
        write_way(&way, rows[i].words, text);
        struct sku_match match = sku_resolve(gt_str_from(text), 0, NULL, 0);
        /* Another, longer name may have come of it ("910b" and 7 has not, but "a10" and 0 would). */
        if (match.status == SKU_UNMAPPED || !is_answer(&match, &rows[i])) continue;
        wrong++;
        print_error("\"%s\" should not be %s\n", text, rows[i].nodes);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(ways, check_way) + TABLE_RUN(glues, check_glue);
}
