/* Rows of a table of quotes: what they must say, and what is read of them. */
#include "pricing/lead.h"

#include "tests/unit/pricing/build.h"

enum { LEAD_ARENA_BYTES = 16 << 20, CELLS_MAX = 12 };

static const int64_t now_unix_s = 1789869600; /* 2026-09-20T02:00:00Z */

struct lead_case {
    const char *name, *heads, *row; /* cells divided by | */
    const char *want;               /* the first quote: amount, currency, period; cards of the offer; NULL: refused */
};

static const char plain[] = "card|price|currency|period|cards|source|date";

static const struct lead_case leads[] = {
    {"everything in columns", plain, "RTX 4090|1050|CNY|month|1|phone|2026-09-18", "1050 CNY month 1"},
    {"a node of eight", plain, "昇腾910B|21000|CNY|月|8|合同|2026-09-18", "21000 CNY month 8"},
    {"the price says it all", "型号|价格|来源|日期", "H20 141G|7.2元/小时|邮件|2026/09/12", "7.2 CNY hour 1"},
    {"a bare yen sign is no currency", "型号|价格|来源|日期", "H20 141G|¥7.2/小时|邮件|2026/09/12", NULL},
    {"the heading says the unit", "型号|价格（元/月）|来源|日期", "RTX 4090|1050|电话|2026年9月1日", "1050 CNY month 1"},
    {"dollars", "GPU|Price|Source|Date", "A100 80G|$1.20/hr|article|2026-09-15", "1.2 USD hour 1"},
    {"a moment for a date", plain, "RTX 4090|1050|CNY|month|1|phone|2026-09-18T10:00:00+08:00", "1050 CNY month 1"},
    {"a card that nobody knows is a lead too", plain, "Frobnicator 9|10|CNY|hour|1|phone|2026-09-18", "10 CNY hour 1"},
    {"no price", plain, "RTX 4090|ask us|CNY|month|1|phone|2026-09-18", NULL},
    {"an empty price", plain, "RTX 4090||CNY|month|1|phone|2026-09-18", NULL},
    {"no currency", plain, "RTX 4090|1050||month|1|phone|2026-09-18", NULL},
    {"no period", plain, "RTX 4090|1050|CNY||1|phone|2026-09-18", NULL},
    {"a period that is none", plain, "RTX 4090|1050|CNY|fortnight|1|phone|2026-09-18", NULL},
    {"no source", plain, "RTX 4090|1050|CNY|month|1||2026-09-18", NULL},
    {"no card", plain, "|1050|CNY|month|1|phone|2026-09-18", NULL},
    {"no date", plain, "RTX 4090|1050|CNY|month|1|phone|", NULL},
    {"a day that is none", plain, "RTX 4090|1050|CNY|month|1|phone|2026-02-30", NULL},
    {"an open date", plain, "RTX 4090|1050|CNY|month|1|phone|03/04/2026", NULL},
    {"tomorrow", plain, "RTX 4090|1050|CNY|month|1|phone|2026-09-21", NULL},
    {"words behind the date", plain, "RTX 4090|1050|CNY|month|1|phone|2026-09-18 or so", NULL},
    {"no column of sources", "card|price|date", "RTX 4090|¥1/小时|2026-09-18", NULL},
    {"a column twice", "card|price|source|date|gpu", "RTX 4090|¥1/小时|phone|2026-09-18|H20", NULL},
};

/* Cells out of a text. */
static size_t cells_of(const char *text, struct gt_str cells[CELLS_MAX])
{
    size_t count = 0;
    for (struct gt_str rest = gt_str_from(text);;) {
        size_t end = gt_str_find(rest, GT_STR("|"), 0);
        cells[count++] = gt_str_slice(rest, 0, end);
        if (end == SIZE_MAX || count == CELLS_MAX) return count;
        rest = gt_str_slice(rest, end + 1, SIZE_MAX);
    }
}

static void check_lead(void **state)
{
    const struct lead_case *row = *state;
    struct arena *arena = arena_new(LEAD_ARENA_BYTES);
    struct gt_str cells[CELLS_MAX];
    struct gt_errinfo info = {0};
    struct site_facts facts;
    struct lead_header header;
    struct lead lead;
    assert_int_equal(site_facts_from_conf(NULL, &facts, &info), GT_OK);
    enum gt_err err = lead_header_read(cells, cells_of(row->heads, cells), &header, &info);
    if (err == GT_OK) err = lead_read(&header, cells, cells_of(row->row, cells), &facts, now_unix_s, arena, &lead, &info);
    assert_int_equal(err, row->want != NULL ? GT_OK : GT_EFORMAT);
    assert_int_equal(info.text[0] != '\0', row->want == NULL);
    if (row->want != NULL) {
        char money[MONEY_TEXT_MAX];
        const struct quote *quote = &lead.offer.record.quotes[0];
        assert_str(arena_printf(arena, "%s %s %s %d", money_format(quote->amount_nano, money), quote->currency.code,
                                word_text(VOCABULARY_PERIOD, (int)quote->period), lead.offer.attributes.cards),
                   row->want);
        assert_true(gt_str_starts(lead.offer.identity.part, GT_STR("lead ")));
        assert_true(gt_str_starts(lead.offer.identity.variant, lead.source));
    }
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(leads, check_lead);
}
