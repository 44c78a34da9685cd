/* The same reading of a rule decides two things: where libcurl connects to, and whether a private address is then allowed.
 * Were they read by two parsers, a rule could open a door that leads elsewhere. */
#include "net/connect_to.h"

/* Cuts one part off: a bracketed address is kept whole. */
static bool take_part(struct gt_str *rest, bool is_last, struct gt_str *ret_part)
{
    size_t end = 0;
    if (rest->len > 0 && rest->ptr[0] == '[') {
        end = gt_str_find(*rest, GT_STR("]"), 0);
        if (end == SIZE_MAX) return false;
    }
    size_t colon = gt_str_find(*rest, GT_STR(":"), end);
    if (is_last != (colon == SIZE_MAX)) return false;
    *ret_part = gt_str_slice(*rest, 0, is_last ? rest->len : colon);
    *rest = gt_str_slice(*rest, is_last ? rest->len : colon + 1, SIZE_MAX);
    return true;
}

/* A port number, or nothing at all (0): an empty part stands for any. */
static bool port_is_valid(struct gt_str port, uint32_t *ret_port)
{
    uint32_t number = 0;
    for (size_t i = 0; i < port.len; i++) {
        if (port.ptr[i] < '0' || port.ptr[i] > '9') return false;
        number = number * 10 + (uint32_t)(port.ptr[i] - '0');
        if (number > UINT16_MAX) return false;
    }
    *ret_port = number;
    return true;
}

/* Read before curl has it: a mistyped rule is told, and no page is fetched from the real host in its place. */
enum gt_err connect_rule_parse(struct gt_str text, struct connect_rule *ret_rule, struct gt_errinfo *info)
{
    struct connect_rule rule = {.port = {NULL, 0}};
    struct gt_str rest = text;
    uint32_t port = 0, to_port = 0;
    bool is_read = take_part(&rest, false, &rule.host) && take_part(&rest, false, &rule.port) &&
                   take_part(&rest, false, &rule.to_host) && take_part(&rest, true, &rule.to_port);
    if (!is_read || !port_is_valid(rule.port, &port) || !port_is_valid(rule.to_port, &to_port))
        return gt_fail(info, GT_EUSAGE, "not HOST:PORT:ADDRESS:PORT: %.*s", GT_STR_ARG(text));
    *ret_rule = rule;
    return GT_OK;
}

/* Asked before addresses are judged: what a rule leads to was named by the operator. */
bool connect_to_applies(const char *const *rules, struct gt_str host, uint16_t port)
{
    for (; rules != NULL && *rules != NULL; rules++) {
        struct connect_rule rule = {.port = {NULL, 0}};
        uint32_t wanted = 0;
        if (connect_rule_parse(gt_str_from(*rules), &rule, NULL) != GT_OK || !port_is_valid(rule.port, &wanted)) continue;
        bool is_host = rule.host.len == 0 || gt_str_eq_nocase(rule.host, host);
        bool is_port = rule.port.len == 0 || wanted == port;
        if (is_host && is_port && (rule.to_host.len > 0 || rule.to_port.len > 0)) return true;
    }
    return false;
}
