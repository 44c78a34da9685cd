/* What was told in a period: changes, and between them the events that alerts recorded, by time, each once. */
#ifndef GT_REPORTS_TOLD_LIST_H
#define GT_REPORTS_TOLD_LIST_H

#include "reports/change_list.h"
#include "reports/labels.h"

enum { TOLD_EVENTS_MAX = 1000 * 1000 };

/* An event of the alerts as its message has it; alerts/README.md lists the fields. Texts live in the arena, empty where there is nothing. */
struct told_event {
    struct change change; /* its time, site, offer and card, as a change would have them; `kind` means something with is_of_change alone */
    bool is_of_change;    /* tells a change of that kind: `what` is its word, or that of a price rule */
    struct gt_str id, rule, severity, what, class_key, metric, reference, evidence, formula, term, site_title, url, text;
    struct currency currency;
    int64_t old_nano, new_nano; /* of the metric, for the rule's persona; 0 where the event is about no price */
    bool is_held;               /* silenced, inhibited, a test or the weekly report: no message of a change */
};

/* Reads one from its JSON, the sentence in `lang`. GT_OK; GT_ECORRUPT; GT_ENOMEM. */
enum gt_err told_event_read(struct gt_str json, int64_t t_unix_s, enum gt_lang lang, struct arena *arena, struct told_event *ret_event);

struct told_list {
    const struct change_list *changes;
    struct told_place *places;
    size_t count;
};

/* One line of the list. */
struct told_entry {
    struct change_entry priced;     /* of the change; of an event alone its time, site, offer, title and address */
    const struct told_event *event; /* NULL: no rule fired on the change */
    bool is_event_alone;
};

/* Puts the events of [since, until) that the list's view asks for between its changes, which stay borrowed. An event of the change itself
 * (same moment, site, offer and kind) stands in the change's own line; a further rule's, and what is no change of one offer or source, in
 * lines of their own, behind the changes of the moment. What was silenced, inhibited, a test or the weekly report is left out: so the ids
 * are those of the messages. GT_OK; GT_ENOMEM; GT_ELIMIT past TOLD_EVENTS_MAX; what the store says. */
enum gt_err told_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct change_list *changes, enum gt_lang lang,
                           struct arena *arena, struct told_list *ret_list, struct gt_errinfo *info);

/* The time of the line in place `at`. */
int64_t told_list_time(const struct told_list *list, size_t at);

/* The line in place `at`, priced. GT_OK; GT_ENOMEM. */
enum gt_err told_list_entry(const struct told_list *list, size_t at, struct arena *arena, struct told_entry *ret_entry);

#endif
