/* Evaluation of simple XPaths. */
#include "parsers/xpath_simple.h"

#include <libxml/tree.h>
#include <stdlib.h>

static void add(struct xpath_found *found, xmlNodePtr node)
{
    if (found->count == found->cap) {
        size_t cap = found->cap * 2;
        xmlNodePtr *grown = found->is_heap ? realloc(found->nodes, cap * sizeof(xmlNodePtr)) : malloc(cap * sizeof(xmlNodePtr));
        if (grown == NULL) {
            found->is_out_of_memory = true;
            return;
        }
        if (!found->is_heap) memcpy(grown, found->nodes, found->count * sizeof(xmlNodePtr));
        found->nodes = grown;
        found->cap = cap;
        found->is_heap = true;
    }
    found->nodes[found->count++] = node;
}

/* strcmp after a look at the first byte, which tells most names apart without a call. */
static bool is_same(const xmlChar *a, const char *b)
{
    return (char)a[0] == b[0] && strcmp((const char *)a, b) == 0;
}

static xmlAttrPtr attribute_of(const xmlNode *node, const char *name)
{
    for (xmlAttrPtr attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        if (is_same(attribute->name, name)) return attribute;
    }
    return NULL;
}

static const char *value_of(const xmlAttr *attribute)
{
    return attribute->children != NULL && attribute->children->content != NULL ? (const char *)attribute->children->content : "";
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* True when one of the blank-separated words of `text` is `word`. */
static bool has_word(const char *text, const char *word)
{
    for (;;) {
        while (is_blank(*text)) text++;
        if (*text == '\0') return false;
        const char *w = word;
        while (*w != '\0' && *text == *w) text++, w++;
        if (*w == '\0' && (*text == '\0' || is_blank(*text))) return true;
        while (*text != '\0' && !is_blank(*text)) text++;
    }
}

static bool has_child(const xmlNode *node, const char *name)
{
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && is_same(child->name, name)) return true;
    }
    return false;
}

/* Every kind of test but that of position, which needs the siblings. */
static bool holds(const struct xpath_test *test, const xmlNode *node)
{
    if (test->kind == XPATH_HAS_CHILD) return has_child(node, test->name);
    const xmlAttr *attribute = attribute_of(node, test->name);
    if (attribute == NULL) return false;
    switch (test->kind) {
    case XPATH_EQUALS: return strcmp(value_of(attribute), test->value) == 0;
    case XPATH_CONTAINS: return strstr(value_of(attribute), test->value) != NULL;
    case XPATH_HAS_WORD: return has_word(value_of(attribute), test->value);
    default: return true;
    }
}

static bool is_named(const struct xpath_step *step, const xmlNode *node)
{
    if (node->type != XML_ELEMENT_NODE) return false;
    return step->name[0] == '*' || is_same(node->name, step->name);
}

/* `counts` has, for each test of position, how many siblings came as far as it. */
static bool passes(const struct xpath_step *step, const xmlNode *node, long *counts)
{
    if (!is_named(step, node)) return false;
    for (size_t i = 0; i < step->test_count; i++) {
        const struct xpath_test *test = &step->tests[i];
        if (test->kind == XPATH_POSITION ? ++counts[i] != test->position : !holds(test, node)) return false;
    }
    return true;
}

static void keep(const struct xpath_simple *simple, xmlNodePtr node, struct xpath_found *found)
{
    if (simple->attribute[0] == '\0') {
        add(found, node);
        return;
    }
    xmlAttrPtr attribute = attribute_of(node, simple->attribute);
    if (attribute != NULL) add(found, (xmlNodePtr)attribute);
}

/* Child steps from one node: the subtrees are disjoint, so the order is the document's. At most XPATH_STEPS_MAX deep. */
static void find_children(const struct xpath_simple *simple, size_t step, xmlNodePtr node, struct xpath_found *found)
{
    long counts[XPATH_TESTS_MAX] = {0};
    if (step == simple->step_count) {
        keep(simple, node, found);
        return;
    }
    for (xmlNodePtr child = node->children; child != NULL; child = child->next) {
        if (passes(&simple->steps[step], child, counts)) find_children(simple, step + 1, child, found);
    }
}

/* True when the node is the end of a path of child steps that begins anywhere below `top`. Read from the right, so that a walk through the
 * tree finds each node once and in order. */
static bool ends_path(const struct xpath_simple *simple, const xmlNode *node, const xmlNode *top)
{
    long none[XPATH_TESTS_MAX] = {0}; /* deep paths have no tests of position */
    for (size_t i = simple->step_count; i > 0; i--) {
        if (node == NULL || node == top || !passes(&simple->steps[i - 1], node, none)) return false;
        node = node->parent;
    }
    return true;
}

static void find_deep(const struct xpath_simple *simple, xmlNodePtr top, struct xpath_found *found)
{
    xmlNodePtr node = top->children;
    while (node != NULL) {
        if (node->type == XML_ELEMENT_NODE && ends_path(simple, node, top)) keep(simple, node, found);
        if (node->type == XML_ELEMENT_NODE && node->children != NULL) {
            node = node->children;
            continue;
        }
        while (node != top && node->next == NULL) node = node->parent;
        if (node == top) return;
        node = node->next;
    }
}

void xpath_simple_find(const struct xpath_simple *simple, struct _xmlNode *node, struct xpath_found *found)
{
    if (simple->is_absolute) node = (xmlNodePtr)node->doc;
    if (node == NULL || (node->type != XML_ELEMENT_NODE && node->type != XML_HTML_DOCUMENT_NODE)) return;
    if (simple->is_deep) find_deep(simple, node, found);
    else find_children(simple, 0, node, found);
}
