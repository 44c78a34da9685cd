/* What is settled of a request before anything is made for it: method, header, token, address. */
#ifndef GT_WEB_GATE_H
#define GT_WEB_GATE_H

#include "web/exchange.h"

/* The refusal of a request whose header has just come, by its method and header alone: 405, 400 (a body, two hosts), 401. 0: go on. *ret_why is one
 * sentence. */
unsigned web_gate_header(struct MHD_Connection *connection, const char *method, const struct web_settings *settings, const char **ret_why);

/* Reads the address into the exchange (target and arena are set), finds its route, its key and ETag. 400, 404, 414, 500; 0: go on. */
unsigned web_gate_address(struct web_exchange *exchange, const char **ret_why);

/* True when the client has this ETag already (If-None-Match, RFC 9110, 13.1.2). */
bool web_gate_is_known(struct MHD_Connection *connection, const char *etag);

#endif
