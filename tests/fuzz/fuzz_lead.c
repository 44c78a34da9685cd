/* A table of quotes: any bytes are rows of cells within their limits, and a row is a lead with a price, source and date, or refused with a
 * sentence. */
#include "parsers/charset.h"
#include "parsers/csv_table.h"
#include "pricing/lead.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

static const int64_t now_unix_s = 1789869600;

struct table {
    struct arena *arena;
    struct lead_header header;
    bool has_header;
    size_t line;
};

static enum gt_err on_row(void *ctx, size_t line, const struct gt_str *cells, size_t count)
{
    struct table *table = ctx;
    struct gt_errinfo info = {0};
    struct site_facts facts;
    struct lead lead;
    FUZZ_CHECK("lines grow", line > table->line);
    table->line = line;
    if (count > CSV_CELLS_MAX) return GT_OK;
    for (size_t i = 0; i < count; i++) FUZZ_CHECK("cells have a limit", cells[i].len <= CSV_CELL_BYTES_MAX + 1);
    if (!table->has_header) {
        table->has_header = true;
        return lead_header_read(cells, count, &table->header, &info);
    }
    FUZZ_CHECK("facts without a section", site_facts_from_conf(NULL, &facts, &info) == GT_OK);
    enum gt_err err = lead_read(&table->header, cells, count, &facts, now_unix_s, table->arena, &lead, &info);
    FUZZ_CHECK("a lead, or a sentence", err == GT_OK || info.text[0] != '\0');
    if (err != GT_OK) return err == GT_EFORMAT ? GT_OK : err;
    FUZZ_CHECK("a price with currency and period", lead.offer.record.quote_count > 0 && lead.offer.record.quotes[0].currency.code[0] != '\0' &&
                                                       lead.offer.record.quotes[0].period != PERIOD_NONE);
    FUZZ_CHECK("a source and a date that has come", lead.source.len > 0 && lead.t_unix_s <= now_unix_s);
    FUZZ_CHECK("a part of its own", gt_str_starts(lead.offer.identity.part, GT_STR("lead ")));
    return GT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_errinfo info = {0};
    struct charset_text text;
    struct table table = {.arena = arena_new(ARENA_BYTES_MAX)};
    struct gt_str bytes = fuzz_copy(fuzz_input(data, size)), none = {"", 0};
    if (table.arena != NULL && charset_decode(bytes, none, none, table.arena, &text, &info) == GT_OK) {
        enum gt_err err = csv_table_read(text.text, table.arena, on_row, &table, &info);
        FUZZ_CHECK("a known result", err == GT_OK || err == GT_EFORMAT || err == GT_ENOMEM || err == GT_ELIMIT);
    }
    fuzz_free(bytes);
    arena_free(table.arena);
    return 0;
}
