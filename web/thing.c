#include "web/thing.h"

#include "reports/sink_writer.h"

enum gt_err web_table_begin(const struct web_page *page, enum web_word caption, const struct web_column *columns, size_t count)
{
    enum gt_lang lang = page->view->input.lang;
    struct column *made = arena_array(page->view->arena, count, sizeof *made);
    if (made == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < count; i++)
        made[i] = (struct column){.key = columns[i].key,
                                  .title = web_word(lang, columns[i].title),
                                  .is_right = columns[i].is_right,
                                  .is_wrapped = columns[i].is_wrapped};
    sink_table_begin(page->writer, columns[0].key, web_word(lang, caption), made, count);
    return GT_OK;
}

/* What is not known has no row: a page of dashes hides the facts that there are. */
enum gt_err web_facts_write(const struct web_page *page, enum web_word heading, const struct web_fact *facts, size_t count)
{
    static const struct web_column columns[] = {{"fact", WEB_WORD_FACT, false, false}, {"value", WEB_WORD_VALUE, false, true}};
    enum gt_err err = web_table_begin(page, heading, columns, sizeof columns / sizeof columns[0]);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < count; i++) {
        if (facts[i].value.kind == CELL_NONE || (facts[i].value.kind == CELL_TEXT && facts[i].value.text.len == 0)) continue;
        struct cell cells[] = {cell_text(web_word(page->view->input.lang, facts[i].word)), facts[i].value};
        sink_row(page->writer, cells);
    }
    sink_table_end(page->writer);
    return GT_OK;
}
