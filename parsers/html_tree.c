#include "parsers/html_tree.h"

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "parsers/extract.h"

/* What is watched while libxml2 parses. */
struct guard {
    size_t nodes;
    const char *over; /* the limit that was passed */
    bool is_losing;   /* an error of a kind that drops text */
    bool is_out_of_memory;
    char message[128]; /* of the first such error */
};

/* Counts before the node is made; stops the parser at a limit. */
static bool may_add(xmlParserCtxtPtr parser)
{
    struct guard *guard = parser->_private;
    if (guard->over != NULL) return false;
    if (++guard->nodes > HTML_NODES_MAX) guard->over = "nodes (HTML_NODES_MAX)";
    else if (parser->nameNr > HTML_DEPTH_MAX) guard->over = "open elements (HTML_DEPTH_MAX)";
    if (guard->over == NULL) return true;
    xmlStopParser(parser);
    return false;
}

static void start_element(void *context, const xmlChar *name, const xmlChar **attributes)
{
    if (may_add(context)) xmlSAX2StartElement(context, name, attributes);
}

static void add_characters(void *context, const xmlChar *text, int len)
{
    if (may_add(context)) xmlSAX2Characters(context, text, len);
}

static void add_cdata(void *context, const xmlChar *text, int len)
{
    if (may_add(context)) xmlSAX2CDataBlock(context, text, len);
}

/* Markup errors are normal; these kinds cut the page short. The parser's context hides some of them, so this is the global
 * handler. */
static void on_error(void *user, xmlErrorPtr error)
{
    struct guard *guard = user;
    bool is_memory = error->code == XML_ERR_NO_MEMORY || error->domain == XML_FROM_MEMORY;
    bool is_losing = is_memory || error->code == XML_ERR_INTERNAL_ERROR || error->code == XML_ERR_INVALID_ENCODING ||
                     error->code == XML_ERR_UNSUPPORTED_ENCODING || error->code == XML_ERR_UNKNOWN_ENCODING ||
                     error->domain == XML_FROM_I18N || error->domain == XML_FROM_IO;
    if (!is_losing || guard->is_losing) return;
    guard->is_losing = true;
    guard->is_out_of_memory = is_memory;
    snprintf(guard->message, sizeof guard->message, "%s", error->message != NULL ? error->message : "");
    guard->message[strcspn(guard->message, "\n")] = '\0';
}

static xmlDocPtr read_guarded(xmlParserCtxtPtr parser, struct gt_str text, struct guard *guard)
{
    const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD |
                        HTML_PARSE_COMPACT | XML_PARSE_HUGE;
    parser->_private = guard;
    parser->sax->startElement = start_element;
    parser->sax->characters = add_characters;
    parser->sax->ignorableWhitespace = add_characters;
    parser->sax->cdataBlock = add_cdata;
    parser->sax->comment = NULL;
    parser->sax->processingInstruction = NULL;
    xmlStructuredErrorFunc handler_before = xmlStructuredError;
    void *context_before = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(guard, on_error);
    /* The encoding is named so that a stale <meta> cannot turn the decoder round in mid-page. */
    xmlDocPtr doc = htmlCtxtReadMemory(parser, text.ptr, (int)text.len, NULL, "UTF-8", options);
    xmlSetStructuredErrorFunc(context_before, handler_before);
    return doc;
}

enum gt_err html_tree_parse(struct gt_str text, struct _xmlDoc **ret_doc, struct gt_errinfo *info)
{
    if (gt_str_trim(text).len == 0) return gt_fail(info, GT_EFORMAT, "the page is empty");
    if (text.len > (size_t)PAGE_BYTES_MAX * 3) return gt_fail(info, GT_ELIMIT, "the page has more than PAGE_BYTES_MAX bytes");
    if (html_tags_are_crowded(text))
        return gt_fail(info, GT_ELIMIT, "a tag has more attributes than HTML_TAG_ATTRIBUTES_MAX (%d)", HTML_TAG_ATTRIBUTES_MAX);
    struct guard guard = {0};
    xmlParserCtxtPtr parser = htmlNewParserCtxt();
    if (parser == NULL) return gt_fail(info, GT_ENOMEM, "no memory for the HTML parser");
    xmlDocPtr doc = read_guarded(parser, text, &guard);
    enum gt_err err = GT_OK;
    if (guard.over != NULL) err = gt_fail(info, GT_ELIMIT, "the page has too many %s", guard.over);
    else if (guard.is_out_of_memory) err = gt_fail(info, GT_ENOMEM, "libxml2: %s", guard.message);
    else if (guard.is_losing) err = gt_fail(info, GT_EFORMAT, "libxml2 lost part of the page: %s", guard.message);
    else if (doc == NULL || xmlDocGetRootElement(doc) == NULL) err = gt_fail(info, GT_EFORMAT, "the page holds no element");
    htmlFreeParserCtxt(parser);
    if (err != GT_OK) {
        xmlFreeDoc(doc);
        return err;
    }
    *ret_doc = doc;
    return GT_OK;
}

void html_tree_free(struct _xmlDoc *doc)
{
    if (doc != NULL) xmlFreeDoc(doc);
}
