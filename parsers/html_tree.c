#include "parsers/html_tree.h"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>

#include "parsers/extract.h"
#include "parsers/html_build.h"
#include "parsers/html_heap.h"

/* Errors that drop text. */
struct losses {
    bool is_losing;
    bool is_out_of_memory;
    char message[128]; /* of the first */
};

/* Markup errors are normal; these kinds cut the page short. The parser's context hides some of them, so this is the global
 * handler. */
static void on_error(void *user, xmlErrorPtr error)
{
    struct losses *losses = user;
    bool is_memory = error->code == XML_ERR_NO_MEMORY || error->domain == XML_FROM_MEMORY;
    bool is_losing = is_memory || error->code == XML_ERR_INTERNAL_ERROR || error->code == XML_ERR_INVALID_ENCODING ||
                     error->code == XML_ERR_UNSUPPORTED_ENCODING || error->code == XML_ERR_UNKNOWN_ENCODING ||
                     error->domain == XML_FROM_I18N || error->domain == XML_FROM_IO;
    if (!is_losing || losses->is_losing) return;
    losses->is_losing = true;
    losses->is_out_of_memory = is_memory;
    snprintf(losses->message, sizeof losses->message, "%s", error->message != NULL ? error->message : "");
    losses->message[strcspn(losses->message, "\n")] = '\0';
}

static xmlDocPtr read_guarded(xmlParserCtxtPtr parser, struct gt_str text, struct losses *losses)
{
    const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD |
                        HTML_PARSE_COMPACT | XML_PARSE_HUGE;
    xmlStructuredErrorFunc handler_before = xmlStructuredError;
    void *context_before = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(losses, on_error);
    /* The encoding is named so that a stale <meta> cannot turn the decoder round in mid-page. */
    xmlDocPtr doc = htmlCtxtReadMemory(parser, text.ptr, (int)text.len, NULL, "UTF-8", options);
    xmlSetStructuredErrorFunc(context_before, handler_before);
    return doc;
}

/* Why a parse cannot be used; GT_OK when it can. */
static enum gt_err judge(const struct html_builder *builder, const struct losses *losses, xmlDocPtr doc, struct gt_errinfo *info)
{
    if (builder->over != NULL) return gt_fail(info, GT_ELIMIT, "the page has too many %s", builder->over);
    if (builder->is_out_of_arena) return gt_fail(info, GT_ELIMIT, "the page's tree has more than EXTRACT_ARENA_MAX bytes");
    if (losses->is_out_of_memory) return gt_fail(info, GT_ENOMEM, "libxml2: %s", losses->message);
    if (losses->is_losing) return gt_fail(info, GT_EFORMAT, "libxml2 lost part of the page: %s", losses->message);
    if (doc == NULL || xmlDocGetRootElement(doc) == NULL) return gt_fail(info, GT_EFORMAT, "the page holds no element");
    return GT_OK;
}

/* Frees what libxml2 owns: the document, without the nodes, and the parser, whose dictionary has their names. */
static void free_parse(xmlDocPtr doc, xmlParserCtxtPtr parser)
{
    /* a table of ids is made by XPath, out of the parse's memory */
    if (html_heap_leave() && (doc == NULL || doc->ids == NULL)) return;
    if (doc != NULL) {
        doc->children = doc->last = NULL;
        xmlFreeDoc(doc);
    }
    htmlFreeParserCtxt(parser);
}

/* One parse. With `raw`, `text` holds tokens; whether they all came back is for the caller to see. */
static enum gt_err parse(struct gt_str text, struct html_raw *raw, struct arena *arena, xmlDocPtr *ret_doc, struct gt_errinfo *info)
{
    struct html_builder builder = {.arena = arena, .raw = raw};
    struct losses losses = {0};
    xmlDocPtr doc = NULL;
    html_heap_use();
    xmlParserCtxtPtr parser = htmlNewParserCtxt();
    if (parser != NULL) {
        html_builder_attach(&builder, parser);
        doc = read_guarded(parser, text, &losses);
    }
    html_heap_pause();
    if (parser == NULL) {
        html_heap_leave();
        return gt_fail(info, GT_ENOMEM, "no memory for the HTML parser");
    }
    enum gt_err err = judge(&builder, &losses, doc, info);
    parser->_private = NULL;
    if (err != GT_OK) {
        free_parse(doc, parser);
        return err;
    }
    doc->_private = parser;
    *ret_doc = doc;
    return GT_OK;
}

/* With the scripts cut out first; should they not all find their place again, the page is parsed as it is. */
enum gt_err html_tree_parse(struct gt_str text, struct arena *arena, struct _xmlDoc **ret_doc, struct gt_errinfo *info)
{
    struct html_raw raw = {.pieces = NULL};
    if (gt_str_trim(text).len == 0) return gt_fail(info, GT_EFORMAT, "the page is empty");
    if (text.len > (size_t)PAGE_BYTES_MAX * 3) return gt_fail(info, GT_ELIMIT, "the page has more than PAGE_BYTES_MAX bytes");
    enum gt_err err = html_scan(text, arena, &raw, info);
    if (err != GT_OK) return err;
    if (raw.count == 0) return parse(text, NULL, arena, ret_doc, info);
    struct gt_str cut = html_raw_cut(&raw, text, arena);
    if (cut.ptr == NULL) return gt_fail(info, GT_ELIMIT, "the page has more than EXTRACT_ARENA_MAX bytes");
    xmlDocPtr doc = NULL;
    err = parse(cut, &raw, arena, &doc, info);
    if (err == GT_ELIMIT || html_raw_is_whole(&raw)) {
        if (err == GT_OK) *ret_doc = doc;
        return err;
    }
    if (err == GT_OK) html_tree_free(doc);
    return parse(text, NULL, arena, ret_doc, info);
}

enum gt_err html_tree_parse_uncut(struct gt_str text, struct arena *arena, struct _xmlDoc **ret_doc, struct gt_errinfo *info)
{
    enum gt_err err = html_scan(text, arena, NULL, info);
    return err == GT_OK ? parse(text, NULL, arena, ret_doc, info) : err;
}

void html_tree_free(struct _xmlDoc *doc)
{
    if (doc != NULL) free_parse(doc, doc->_private);
}
