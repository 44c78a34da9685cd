/* The rule `follow`: addresses that a page leads to. Inside parsers/ only. */
#ifndef GT_PARSERS_FOLLOW_H
#define GT_PARSERS_FOLLOW_H

#include "parsers/extractor.h"

struct follow_rule;

/* Compiles the section's `follow`: /regex/, jq when the section extracts JSON and the rule does not begin like an XPath, else
 * XPath. *ret_rule is NULL when there is none. GT_OK; GT_ECONF with file:line; GT_ENOMEM. Free with follow_rule_free. */
enum gt_err follow_rule_new(const struct conf_section *section, struct follow_rule **ret_rule, struct gt_errinfo *info);

/* Compiles what follow_rule_new left for the first page that asks for it. NULL is accepted. GT_OK; GT_ECONF with file:line; GT_ENOMEM. */
enum gt_err follow_rule_check(const struct follow_rule *rule, struct gt_errinfo *info);

/* NULL is accepted. */
void follow_rule_free(struct follow_rule *rule);

/* Fills ret->follow with absolute addresses, each once, in page order; references that lead elsewhere than http(s) are left
 * out. GT_OK also when there are none; GT_ELIMIT past EXTRACT_FOLLOW_MAX; GT_EFORMAT for a page that cannot be read so. */
enum gt_err follow_collect(const struct follow_rule *rule, const struct decoded_page *page, struct arena *arena,
                           struct extraction *ret, struct gt_errinfo *info);

#endif
