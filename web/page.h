/* The frame of every page: head, navigation, the form of what can be asked, foot; and a sink that writes reports into it. It is the html sink
 * with another beginning and end, so that pages and saved reports show tables and charts alike. */
#ifndef GT_WEB_PAGE_H
#define GT_WEB_PAGE_H

#include "reports/sink.h"
#include "web/route.h"

enum web_word {
#define WORD(id, zh, en) WEB_WORD_##id,
#include "web/words.def"
#undef WORD
    WEB_WORDS
};

/* A word of the pages. Static storage. */
struct gt_str web_word(enum gt_lang lang, enum web_word word);

/* A word with its places {0} … filled; in the arena. */
struct gt_str web_phrase(struct arena *arena, enum gt_lang lang, enum web_word word, const struct gt_str *args, size_t count);

/* A page being written. The sink stands first: a writer's sink leads back to the page. */
struct web_page {
    struct sink sink;
    const struct web_view *view;
    FILE *file;
    struct sink_writer *writer;
    int charts;               /* so far, so that ids are unique over all reports of the page */
    struct web_page *outer;   /* of a report within a page: the page */
};

/* Begins a page of this title. `page` must stay where it is until web_page_close; the writer is page->writer. GT_OK; GT_ENOMEM; what the
 * store says. */
enum gt_err web_page_open(struct web_page *page, const struct web_view *view, FILE *file, struct gt_str title, struct gt_str terms,
                          struct gt_errinfo *info);

/* Writes a whole report into the open page, one level below its title. */
enum gt_err web_page_report(struct web_page *page, const struct report *report, const struct report_input *input, struct gt_errinfo *info);

/* Ends the page; returns `err`, or the first failure of writing. */
enum gt_err web_page_close(struct web_page *page, enum gt_err err, struct gt_errinfo *info);

/* A page that says why there is no other. */
enum gt_err web_page_refuse(const struct web_view *view, struct gt_str why, FILE *file, struct gt_errinfo *info);

/* A link of this server: "/path?name=value", keeping the language. In the view's arena; ptr NULL when that is full. */
struct gt_str web_link(const struct web_view *view, const char *path, enum web_param param, struct gt_str value);

/* Writes such a link around a text. */
void web_link_write(const struct web_page *page, struct gt_str link, struct gt_str text);

/* A cell with such a link. */
struct cell web_link_cell(struct gt_str text, struct gt_str link);

#endif
