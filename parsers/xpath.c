#include "parsers/xpath.h"

#include "parsers/html_tree.h"
#include "parsers/xpath_simple.h"

#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>

struct xpath {
    xmlXPathCompExprPtr expression;
    bool uses_ids; /* id(…) stands in it */
    bool is_simple;
    struct xpath_simple simple; /* when is_simple */
};

struct xpath_run {
    xmlXPathContextPtr context;
    xmlGenericErrorFunc printer; /* libxml2's own, put back at the end */
    void *printer_context;
    bool has_ids;
};

/* libxml2 would print; the message is kept instead. */
static void keep_message(void *user, xmlErrorPtr error)
{
    struct gt_errinfo *info = user;
    if (info->text[0] != '\0' || error->message == NULL) return;
    snprintf(info->text, sizeof info->text, "%.*s", (int)strcspn(error->message, "\n"), error->message);
}

enum gt_err xpath_new(const struct conf_value *origin, struct gt_str text, struct xpath **ret_xpath, struct gt_errinfo *info)
{
    if (text.len > XPATH_TEXT_MAX) return conf_fail(origin, info, "the XPath is too long (XPATH_TEXT_MAX)");
    enum gt_err err = GT_ENOMEM;
    struct gt_errinfo reason = {0};
    struct xpath *xpath = calloc(1, sizeof *xpath);
    char *copy = strndup(text.ptr != NULL ? text.ptr : "", text.len);
    xmlXPathContextPtr context = xmlXPathNewContext(NULL);
    if (xpath == NULL || copy == NULL || context == NULL) {
        err = gt_fail(info, GT_ENOMEM, "no memory for an XPath");
        goto out;
    }
    context->error = keep_message;
    context->userData = &reason;
    xpath->expression = xmlXPathCtxtCompile(context, (const xmlChar *)copy);
    if (xpath->expression == NULL) {
        char message[256];
        snprintf(message, sizeof message, "XPath: %.200s", reason.text[0] != '\0' ? reason.text : "not an expression");
        err = conf_fail(origin, info, message);
        goto out;
    }
    xpath->is_simple = xpath_simple_read(text, &xpath->simple);
    xpath->uses_ids = gt_str_find(text, GT_STR("id("), 0) != SIZE_MAX;
    *ret_xpath = xpath;
    xpath = NULL;
    err = GT_OK;
out:
    xmlXPathFreeContext(context);
    free(copy);
    xpath_free(xpath);
    return err;
}

void xpath_free(struct xpath *xpath)
{
    if (xpath == NULL) return;
    if (xpath->expression != NULL) xmlXPathFreeCompExpr(xpath->expression);
    free(xpath->simple.steps);
    free(xpath);
}

static bool is_listed(struct gt_str name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (gt_str_is(name, list[i])) return true;
    }
    return false;
}

static bool is_function(struct gt_str name)
{
    static const char *const FUNCTIONS[] = {"string",
                                            "concat",
                                            "normalize-space",
                                            "substring",
                                            "substring-before",
                                            "substring-after",
                                            "translate",
                                            "string-length",
                                            "count",
                                            "sum",
                                            "number",
                                            "text",
                                            "node",
                                            "id",
                                            "name",
                                            "boolean",
                                            "not",
                                            "round",
                                            "floor",
                                            "ceiling"};
    return is_listed(name, FUNCTIONS, sizeof FUNCTIONS / sizeof FUNCTIONS[0]);
}

static bool is_axis(struct gt_str name)
{
    static const char *const AXES[] = {"ancestor",   "ancestor-or-self",   "attribute",         "child",
                                       "descendant", "descendant-or-self", "following",         "following-sibling",
                                       "parent",     "preceding",          "preceding-sibling", "self"};
    return is_listed(name, AXES, sizeof AXES / sizeof AXES[0]);
}

/* HTML's own elements, and custom ones, whose names have a hyphen. */
static bool is_element(struct gt_str name)
{
    char copy[32];
    if (name.len == 0 || name.len >= sizeof copy) return false;
    memcpy(copy, name.ptr, name.len);
    copy[name.len] = '\0';
    static const char *const HTML5[] = {"section", "article", "header", "footer", "nav",
                                        "main",    "figure",  "aside",  "time",   "data"};
    return memchr(name.ptr, '-', name.len) != NULL || htmlTagLookup((const xmlChar *)copy) != NULL ||
           is_listed(name, HTML5, sizeof HTML5 / sizeof HTML5[0]);
}

bool rule_is_xpath(struct gt_str rule)
{
    rule = gt_str_trim(rule);
    while (rule.len > 1 && rule.ptr[0] == '(') rule = gt_str_trim(gt_str_slice(rule, 1, SIZE_MAX));
    if (rule.len == 0) return false;
    if (strchr("./@*", rule.ptr[0]) != NULL) return true;
    size_t len = 0;
    while (len < rule.len && ((rule.ptr[len] >= 'a' && rule.ptr[len] <= 'z') ||
                              (len > 0 && rule.ptr[len] >= '0' && rule.ptr[len] <= '9') || (len > 0 && rule.ptr[len] == '-')))
        len++;
    struct gt_str name = gt_str_slice(rule, 0, len), rest = gt_str_slice(rule, len, SIZE_MAX);
    if (gt_str_starts(rest, GT_STR("::"))) return is_axis(name);
    if (gt_str_starts(rest, GT_STR("("))) return is_function(name);
    return (gt_str_starts(rest, GT_STR("[")) || gt_str_starts(rest, GT_STR("/"))) && is_element(name);
}

/* Some messages of XPath go past every handler but this one. */
static void print_nothing(void *user, const char *message, ...)
{
    (void)user;
    (void)message;
}

enum gt_err xpath_run_begin(struct _xmlDoc *doc, struct xpath_run **ret_run)
{
    struct xpath_run *run = calloc(1, sizeof *run);
    if (run == NULL) return GT_ENOMEM;
    run->context = xmlXPathNewContext(doc);
    if (run->context == NULL) {
        free(run);
        return GT_ENOMEM;
    }
    run->context->opLimit = XPATH_OPERATIONS_MAX;
    run->printer = xmlGenericError;
    run->printer_context = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, print_nothing);
    *ret_run = run;
    return GT_OK;
}

void xpath_run_end(struct xpath_run *run)
{
    if (run == NULL) return;
    xmlSetGenericErrorFunc(run->printer_context, run->printer);
    xmlXPathFreeContext(run->context);
    free(run);
}

/* Translates a failed evaluation. */
static enum gt_err fail_evaluation(const xmlError *last, const struct gt_errinfo *reason, struct gt_errinfo *info)
{
    int code = last->code - XML_XPATH_EXPRESSION_OK;
    enum gt_err err = code == XPATH_OP_LIMIT_EXCEEDED || code == XPATH_RECURSION_LIMIT_EXCEEDED ? GT_ELIMIT
                      : code == XPATH_MEMORY_ERROR                                              ? GT_ENOMEM
                                                                                                : GT_EFORMAT;
    return gt_fail(info, err, "XPath: %s", reason->text[0] != '\0' ? reason->text : "cannot be evaluated");
}

/* Takes namespace nodes out: they are another struct. */
static void take_nodes(xmlNodeSetPtr set, struct xpath_result *result)
{
    if (set == NULL) return;
    int kept = 0;
    for (int i = 0; i < set->nodeNr; i++) {
        if (set->nodeTab[i]->type != XML_NAMESPACE_DECL) set->nodeTab[kept++] = set->nodeTab[i];
    }
    set->nodeNr = kept;
    result->nodes = set->nodeTab;
    result->count = (size_t)kept;
}

/* The nodes of a simple expression. The operation limit does not apply: each node is looked at once at most. */
static enum gt_err find_simple(const struct xpath *xpath, struct _xmlNode *node, struct xpath_result *ret_result,
                               struct gt_errinfo *info)
{
    struct xpath_found found = {.nodes = ret_result->few, .cap = XPATH_FEW};
    xpath_simple_find(&xpath->simple, node, &found);
    ret_result->object = NULL;
    ret_result->is_text = false;
    ret_result->heap = found.is_heap ? found.nodes : NULL;
    ret_result->nodes = found.nodes;
    ret_result->count = found.count;
    if (!found.is_out_of_memory) return GT_OK;
    xpath_result_done(ret_result);
    return gt_fail(info, GT_ENOMEM, "no memory for an XPath");
}

/* Enters the document's ids into its table when an expression first asks for one: few do, and the table costs more than the rest of a
 * small page. Of equal ids the first counts. The table goes with the document. */
static void know_ids(struct xpath_run *run)
{
    xmlDocPtr doc = run->context->doc;
    run->has_ids = true;
    for (xmlNodePtr node = xmlDocGetRootElement(doc); node != NULL; node = html_next(node, NULL, true)) {
        xmlAttrPtr attribute = node->type == XML_ELEMENT_NODE ? xmlHasProp(node, (const xmlChar *)"id") : NULL;
        if (attribute != NULL && attribute->children != NULL) xmlAddID(NULL, doc, attribute->children->content, attribute);
    }
}

bool xpath_is_simple(const struct xpath *xpath)
{
    return xpath->is_simple;
}

enum gt_err xpath_evaluate(struct xpath_run *run, const struct xpath *xpath, struct _xmlNode *node,
                           struct xpath_result *ret_result, struct gt_errinfo *info)
{
    if (xpath->is_simple) return find_simple(xpath, node != NULL ? node : (xmlNodePtr)run->context->doc, ret_result, info);
    return xpath_evaluate_by_libxml(run, xpath, node, ret_result, info);
}

enum gt_err xpath_evaluate_by_libxml(struct xpath_run *run, const struct xpath *xpath, struct _xmlNode *node,
                                     struct xpath_result *ret_result, struct gt_errinfo *info)
{
    struct gt_errinfo reason = {0};
    if (xpath->uses_ids && !run->has_ids) know_ids(run);
    run->context->error = keep_message;
    run->context->userData = &reason;
    run->context->node = node != NULL ? node : (xmlNodePtr)run->context->doc;
    xmlXPathObjectPtr object = xmlXPathCompiledEval(xpath->expression, run->context);
    if (object == NULL) return fail_evaluation(&run->context->lastError, &reason, info);
    struct xpath_result result = {.object = object};
    if (object->type == XPATH_NODESET) {
        take_nodes(object->nodesetval, &result);
    } else {
        object = xmlXPathConvertString(object);
        result.object = object;
        result.is_text = true;
        if (object != NULL) result.text = gt_str_from((const char *)object->stringval);
    }
    if (result.object == NULL) return gt_fail(info, GT_ENOMEM, "no memory for an XPath");
    *ret_result = result;
    return GT_OK;
}

void xpath_result_done(struct xpath_result *result)
{
    if (result->object != NULL) xmlXPathFreeObject(result->object);
    free(result->heap);
    result->object = NULL;
    result->heap = NULL;
    result->nodes = NULL;
    result->count = 0;
}
