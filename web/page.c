#include "web/page.h"

#include "reports/html_text.h"
#include "reports/name.h"
#include "web/form.h"

static const struct {
    struct gt_str text[LANG_COUNT];
} words[WEB_WORDS] = {
#define WORD(id, zh, en) [WEB_WORD_##id] = {{{zh, sizeof(zh) - 1}, {en, sizeof(en) - 1}}},
#include "web/words.def"
#undef WORD
};

struct gt_str web_word(enum gt_lang lang, enum web_word word)
{
    return words[word].text[lang];
}

struct gt_str web_phrase(struct arena *arena, enum gt_lang lang, enum web_word word, const struct gt_str *args, size_t count)
{
    return phrase_fill(arena, web_word(lang, word).ptr, args, count);
}

/* ---- links ---- */

struct gt_str web_link(const struct web_view *view, const char *path, enum web_param param, struct gt_str value)
{
    struct web_request request = {.path = gt_str_from(path)};
    request.params[param] = value;
    request.params[WEB_LANG] = view->request->params[WEB_LANG];
    return web_request_key(&request, 0, view->arena);
}

void web_link_write(const struct web_page *page, struct gt_str link, struct gt_str text)
{
    html_element(page->writer, "<a href=\"", link, "\">");
    html_text(page->writer, text);
    out_text(&page->writer->out, "</a>");
}

struct cell web_link_cell(struct gt_str text, struct gt_str link)
{
    struct cell cell = cell_text(text);
    cell.link = link;
    return cell;
}

/* An address of this server as web_request_key writes it; "//host" would lead elsewhere. */
static bool is_own_link(struct gt_str link)
{
    if (link.len == 0 || link.ptr[0] != '/' || (link.len > 1 && link.ptr[1] == '/')) return false;
    for (size_t i = 0; i < link.len; i++)
        if ((unsigned char)link.ptr[i] <= 0x20 || (unsigned char)link.ptr[i] >= 0x7F || gt_char_is_in(link.ptr[i], "\"'<>\\")) return false;
    return true;
}

/* Reports name platforms by their short titles. */
static struct gt_str site_link(const struct web_page *page, struct gt_str shown)
{
    const struct report_input *input = &page->view->input;
    for (size_t i = 0; i < input->site_count; i++)
        if (gt_str_eq(shown, name_site_title(input->sites[i].title, input->sites[i].name, input->lang)))
            return web_link(page->view, "/platform", WEB_SITE, input->sites[i].name);
    return (struct gt_str){NULL, 0};
}

/* ---- the sink ---- */

static struct web_page *page_of(const struct sink_writer *writer)
{
    return (struct web_page *)(uintptr_t)writer->sink;
}

/* A link takes the language along and nothing else: what was asked belongs to the page it was asked on. */
static void put_nav(struct sink_writer *writer, const struct web_view *view)
{
    static const struct {
        const char *path;
        enum web_word word;
    } links[] = {{"/", WEB_WORD_BOARD},          {"/changes", WEB_WORD_CHANGES},
                 {"/index", WEB_WORD_INDEX},     {"/reports", WEB_WORD_WEEKLY},
                 {"/breakeven", WEB_WORD_BREAKEVEN}, {"/advise", WEB_WORD_ADVISE}, {"/audit", WEB_WORD_AUDIT},
                 {"/transparency", WEB_WORD_TRANSPARENCY}, {"/health", WEB_WORD_HEALTH}};
    enum gt_lang lang = view->input.lang;
    html_element(writer, "<nav aria-label=\"", web_word(lang, WEB_WORD_NAVIGATION), "\">\n<ul>\n");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        bool is_here = view->route != NULL && strcmp(view->route->path, links[i].path) == 0;
        html_element(writer, "<li><a href=\"", web_link(view, links[i].path, WEB_Q, (struct gt_str){NULL, 0}),
                    is_here ? "\" aria-current=\"page\">" : "\">");
        html_element(writer, "", web_word(lang, links[i].word), "</a></li>\n");
    }
    struct web_request other = *view->request;
    other.params[WEB_LANG] = gt_str_from(lang_name(lang == LANG_ZH ? LANG_EN : LANG_ZH));
    html_element(writer, "<li><a class=\"lang\" hreflang=\"", other.params[WEB_LANG], "\" href=\"");
    html_element(writer, "", web_request_key(&other, 0, view->arena), "\">");
    html_element(writer, "", web_word(lang, WEB_WORD_OTHER_LANG), "</a></li>\n</ul>\n</nav>\n");
}

static void page_begin(struct sink_writer *writer)
{
    const struct web_page *page = page_of(writer);
    enum gt_lang lang = page->view->input.lang;
    html_head_begin(writer);
    html_element(writer, "<title>", writer->head.title, " · gputape</title>\n");
    out_text(&writer->out, "<link rel=\"stylesheet\" href=\"/page.css\">\n<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n"
                           "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"/feed.atom\">\n"
                           "<script src=\"/page.js\" defer></script>\n</head>\n<body>\n");
    html_element(writer, "<a class=\"skip\" href=\"#main\">", web_word(lang, WEB_WORD_SKIP), "</a>\n");
    put_nav(writer, page->view);
    out_text(&writer->out, "<main id=\"main\" tabindex=\"-1\">\n");
    html_notice(writer);
    html_titles(writer, "<h1>", "</h1>\n");
    web_form_write(writer, page->view);
}

/* Where the same is for programs. */
static void put_data_links(struct sink_writer *writer, const struct web_view *view)
{
    static const struct web_route *const data[] = {&web_route_api_offers, &web_route_api_history,   &web_route_api_changes, &web_route_api_index,
                                                   &web_route_api_report, &web_route_api_breakeven, &web_route_api_audit,
                                                   &web_route_api_transparency, &web_route_api_health,    &web_route_api_advise};
    enum gt_lang lang = view->input.lang;
    html_element(writer, "<p>", web_word(lang, WEB_WORD_DATA), ": ");
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        struct web_request request = *view->request;
        if (view->route == NULL || data[i]->report != view->route->report) continue;
        if (data[i]->report == &report_advise && view->input.advice == NULL) continue; /* it needs a model's size */
        request.path = gt_str_from(data[i]->path);
        html_element(writer, "<a href=\"", web_request_key(&request, ~data[i]->params | WEB_BIT(LANG), view->arena), "\">JSON</a> · ");
    }
    out_text(&writer->out, "<a href=\"/openapi.json\">API</a> · <a href=\"/metrics\">metrics</a> · <a href=\"/feed.atom\">Atom</a></p>\n");
}

static void page_end(struct sink_writer *writer)
{
    const struct web_page *page = page_of(writer);
    html_notice(writer);
    out_text(&writer->out, "</main>\n<footer>\n");
    put_data_links(writer, page->view);
    html_element(writer, "<p>", web_word(page->view->input.lang, WEB_WORD_FOOT), " gputape " GPUTAPE_VERSION "</p>\n");
    out_text(&writer->out, "</footer>\n</body>\n</html>\n");
}

/* A platform's name leads to its page, whichever report wrote the table. */
static void page_row(struct sink_writer *writer, const struct cell *cells)
{
    const struct web_page *page = page_of(writer);
    out_text(&writer->out, "<tr>");
    for (size_t i = 0; i < writer->column_count; i++) {
        struct cell cell = cells[i];
        if (cell.kind == CELL_TEXT && cell.link.len == 0 && strcmp(writer->columns[i].key, "site") == 0) cell.link = site_link(page, cell.text);
        html_cell(writer, &writer->columns[i], &cell, sink_is_link(cell.link) || is_own_link(cell.link));
    }
    out_text(&writer->out, "</tr>\n");
    arena_clear(writer->scratch);
}

static void page_chart(struct sink_writer *writer, const struct chart *chart)
{
    struct web_page *page = page_of(writer);
    while (page->outer != NULL) page = page->outer;
    html_chart(writer, chart, ++page->charts);
}

/* ---- a report within a page ---- */

static void inner_begin(struct sink_writer *writer)
{
    out_text(&writer->out, "<section>\n");
    html_titles(writer, "<h2>", "</h2>\n");
}

static void inner_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    html_heading_keep(writer, text);
    if (level <= 1) html_element(writer, "<h3>", text, "</h3>\n");
    else html_element(writer, "<h4>", text, "</h4>\n");
}

static void inner_end(struct sink_writer *writer)
{
    out_text(&writer->out, "</section>\n");
}

static void page_init(struct web_page *page, const struct web_view *view, FILE *file)
{
    *page = (struct web_page){.sink = sink_html, .view = view, .file = file};
    page->sink.begin = page_begin;
    page->sink.row = page_row;
    page->sink.chart = page_chart;
    page->sink.end = page_end;
}

enum gt_err web_page_open(struct web_page *page, const struct web_view *view, FILE *file, struct gt_str title, struct gt_str terms,
                          struct gt_errinfo *info)
{
    page_init(page, view, file);
    struct report_head head = {.title = title,
                               .terms = terms,
                               .lang = view->input.lang,
                               .zone_offset_s = view->input.zone_offset_s,
                               .now_unix_s = view->input.now_unix_s};
    enum gt_err err = view->input.store != NULL ? store_is_sample(view->input.store, &head.is_sample, info) : GT_OK;
    return err == GT_OK ? sink_open(&page->sink, file, &head, &page->writer, info) : err;
}

/* The report writes into this page's middle: begin and end of its sink are taken away, the rest is the same. */
enum gt_err web_page_report(struct web_page *page, const struct report *report, const struct report_input *input, struct gt_errinfo *info)
{
    struct web_page inner;
    page_init(&inner, page->view, page->file);
    inner.outer = page;
    inner.sink.begin = inner_begin;
    inner.sink.heading = inner_heading;
    inner.sink.end = inner_end;
    return report->run(input, &inner.sink, page->file, info);
}

enum gt_err web_page_close(struct web_page *page, enum gt_err err, struct gt_errinfo *info)
{
    struct gt_errinfo close_info = {0};
    enum gt_err close_err = sink_close(page->writer, &close_info);
    page->writer = NULL;
    if (err == GT_OK && close_err != GT_OK && info != NULL) *info = close_info;
    return err == GT_OK ? close_err : err;
}

enum gt_err web_page_refuse(const struct web_view *view, struct gt_str why, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    enum gt_err err = web_page_open(&page, view, file, web_word(view->input.lang, WEB_WORD_REFUSED), (struct gt_str){NULL, 0}, info);
    if (err != GT_OK) return err;
    sink_paragraph(page.writer, why);
    return web_page_close(&page, GT_OK, info);
}
