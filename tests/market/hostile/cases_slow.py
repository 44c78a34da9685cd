"""Hosts that take their time, and most of them too much of it.

Requests are not counted one by one: on a busy machine robots.txt may be late, too."""

import coding
from case import GOOD, HTML, SHORT, Case, by_path, head, in_turn, raw, redirect, reply

TYPE = HTML.strip()
LENGTH = f"Content-Length: {len(GOOD)}"
PATIENT = "timeout = 8s\n"  # waited for once, and enough for the honest answer after it
DRIP_S = 0.15


def cases():
    """All of them."""
    yield Case("slow-silent", raw(end="stall"), "failed", conf=SHORT)
    yield Case("slow-silent-http", raw(end="stall"), "failed", conf=SHORT, scheme="http")
    yield Case("slow-head-drip", raw(*(bytes([byte]) for byte in head(TYPE, LENGTH)), pause=DRIP_S), "failed", conf=SHORT)
    yield Case("slow-head-never-ends", raw("HTTP/1.1 200 OK\r\n", *["X-A: b\r\n"] * 60, pause=DRIP_S), "failed", conf=SHORT)
    yield Case("slow-silent-after-head", raw(head(TYPE, LENGTH), end="stall"), "failed", conf=SHORT)
    yield Case("slow-silent-after-half-head", raw(f"HTTP/1.1 200 OK\r\n{TYPE}\r\n", end="stall"), "failed", conf=SHORT)
    yield Case("slow-silent-in-the-body", raw(head(TYPE, LENGTH), GOOD[:90], end="stall"), "failed", conf=SHORT)
    yield Case("slow-silent-before-last-byte", raw(head(TYPE, LENGTH), GOOD[:-1], end="stall"), "failed", conf=SHORT)
    yield Case("slow-silent-before-last-chunk", raw(head(TYPE, "Transfer-Encoding: chunked"), f"{len(GOOD):x}\r\n", GOOD, "\r\n", end="stall"), "failed", conf=SHORT)
    yield Case("slow-open-end", raw(head(TYPE, "Connection: close"), GOOD, end="stall"), "failed", conf=SHORT)
    yield Case("slow-drip", raw(head(TYPE, LENGTH), *(bytes([byte]) for byte in GOOD[:60]), pause=DRIP_S), "failed", conf=SHORT)
    yield Case("slow-drip-gzip", raw(head(TYPE, "Content-Encoding: gzip", "Content-Length: 300"), *(bytes([byte]) for byte in coding.gzip(GOOD)[:60]), pause=DRIP_S),
               "failed", conf=SHORT)
    yield Case("slow-drip-chunks", raw(head(TYPE, "Transfer-Encoding: chunked"), *["1\r\nx\r\n"] * 60, pause=DRIP_S), "failed", conf=SHORT)
    yield Case("slow-interim", raw(*["HTTP/1.1 103 Early Hints\r\n\r\n"] * 60, pause=DRIP_S), "failed", conf=SHORT)
    yield Case("slow-once", in_turn(raw(end="stall"), reply()), "ok", conf=PATIENT)
    yield Case("slow-but-in-time", raw(head(TYPE, LENGTH), GOOD[:90], GOOD[90:], pause=0.4), "ok")
    yield Case("slow-post", raw(end="stall"), "failed", conf=SHORT + "method = POST\nbody = {}\n")
    yield Case("slow-behind-a-hop", by_path({"/prices": redirect("/there"), "/there": raw(end="stall")}), "failed", conf=SHORT)
