/* One answer ready to be sent: body, headers, status; shared by the cache and by everybody to whom it is being sent. */
#ifndef GT_WEB_ANSWER_H
#define GT_WEB_ANSWER_H

#include <stdatomic.h>

#include "web/route.h"

enum { WEB_ETAG_MAX = 72 };

struct MHD_Response;

struct web_answer {
    unsigned status;
    struct MHD_Response *response;
    size_t bytes;
    atomic_size_t *living; /* the sum of all answers' bytes; borrowed */
    atomic_uint refs;
};

/* How an answer is to be made. */
struct web_answer_terms {
    const struct web_route *route; /* NULL: the address is none of ours */
    const char *etag;              /* quoted; NULL: not to be kept by anybody */
    bool is_gzip;
    bool is_asked_for_token; /* the answer is for those who have it */
    atomic_size_t *living;
};

/* Runs the view's route into an answer: 200, or what its error says. Past a limit of memory the answer says so. NULL only where there is no
 * memory even for that. The caller owns one reference. */
struct web_answer *web_answer_render(const struct web_view *view, const struct web_answer_terms *terms, const struct log *log);

/* A short answer of a status and one sentence, as the route's kind wants it (text without a route). NULL without memory. */
struct web_answer *web_answer_refuse(unsigned status, const char *why, const struct web_answer_terms *terms);

/* 304 for an ETag. NULL without memory. */
struct web_answer *web_answer_unmodified(const struct web_answer_terms *terms);

/* One more reference, one less; NULL is accepted. */
struct web_answer *web_answer_ref(struct web_answer *answer);
void web_answer_unref(struct web_answer *answer);

#endif
