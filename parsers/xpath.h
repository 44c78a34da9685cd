/* XPath by libxml2: compiled once, evaluated under an operation limit, errors kept off stderr. Inside parsers/ only. */
#ifndef GT_PARSERS_XPATH_H
#define GT_PARSERS_XPATH_H

#include <stdbool.h>

#include "common/conf.h"

struct _xmlDoc;
struct _xmlNode;

enum {
    XPATH_TEXT_MAX = 8 * 1024,
    XPATH_FEW = 8,                           /* nodes that a result holds without memory of its own */
    XPATH_OPERATIONS_MAX = 50 * 1000 * 1000, /* nodes looked at, for all evaluations on one page */
};

struct xpath;

/* Compiles an expression. GT_OK; GT_ECONF with file:line; GT_ENOMEM. Free with xpath_free. */
enum gt_err xpath_new(const struct conf_value *origin, struct gt_str text, struct xpath **ret_xpath, struct gt_errinfo *info);

/* NULL is accepted. */
void xpath_free(struct xpath *xpath);

/* True when a rule's text is an XPath and not a header's words: it begins with . / @ * or a bracket before one of these, or
 * with a step, function or axis (`td[1]`, `div/span`, `string(.)`, `ancestor::tr`) whose name HTML or XPath knows. `价格（元/月）`
 * and `Price/hr` are words. */
bool rule_is_xpath(struct gt_str rule);

/* A tree on which expressions are evaluated. */
struct xpath_run;

/* GT_OK or GT_ENOMEM. The document stays the caller's. */
enum gt_err xpath_run_begin(struct _xmlDoc *doc, struct xpath_run **ret_run);
void xpath_run_end(struct xpath_run *run);

/* What an expression gave: nodes in document order, or a text (of a string, number or truth value). Ends with
 * xpath_result_done.
 * */
struct xpath_result {
    struct _xmlNode **nodes; /* elements, attributes, texts; never namespaces */
    size_t count;
    struct gt_str text; /* when is_text */
    bool is_text;
    void *object;           /* libxml2's */
    struct _xmlNode **heap; /* what a simple expression found, when it is more than a few */
    struct _xmlNode *few[XPATH_FEW];
};

/* Evaluates relative to `node` (NULL: the document). GT_OK; GT_ELIMIT when the operation limit is passed; GT_EFORMAT for an
 * expression that cannot be evaluated here; GT_ENOMEM. */
enum gt_err xpath_evaluate(struct xpath_run *run, const struct xpath *xpath, struct _xmlNode *node,
                           struct xpath_result *ret_result, struct gt_errinfo *info);

/* The same by libxml2 whatever the expression is, for the comparison of both. */
enum gt_err xpath_evaluate_by_libxml(struct xpath_run *run, const struct xpath *xpath, struct _xmlNode *node,
                                     struct xpath_result *ret_result, struct gt_errinfo *info);

/* True when the expression is one of those that need no libxml2 (xpath_simple.h). */
bool xpath_is_simple(const struct xpath *xpath);

/* Releases what a result holds; one that is all zero is accepted. */
void xpath_result_done(struct xpath_result *result);

#endif
