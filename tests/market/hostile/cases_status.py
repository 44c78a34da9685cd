"""Status codes, retries, waits that are asked for, validators."""

from case import GOOD, HTML, Case, by_path, head, in_turn, raw, redirect, reply

PLAIN = "Content-Type: text/plain\r\n"
ASKED_AGAIN = (408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
ALL = (201, 202, 203, 205, 206, 207, 208, 226, 299, 300, 305, 306, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415,
       416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 444, 451, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521,
       522, 523, 524, 525, 526, 530, 598, 599, 600, 777, 999)


def plain_codes():
    """Each code with a price list behind it: prices of an answer that is no 200 are not believed."""
    for code in ALL:
        want = "incomplete" if code == 206 else "failed"
        yield Case(f"status-{code}", reply(status=f"{code} Odd"), want, f"HTTP {code}", requests=3 if code in ASKED_AGAIN else 1)
    yield Case("status-204", raw(head(status="204 No Content"), end="keep"), "failed", "HTTP 204", requests=1)
    yield Case("status-206-range", raw(head(HTML.strip(), f"Content-Range: bytes 0-99/{len(GOOD)}", "Content-Length: 100",
                                            status="206 Partial Content"), GOOD[:100], end="keep"), "incomplete", "HTTP 206")
    yield Case("status-416-range", raw(head(f"Content-Range: bytes */{len(GOOD)}", "Content-Length: 0", status="416 Range Not Satisfiable"), end="keep"),
               "failed", "HTTP 416")
    yield Case("status-304-unasked", raw(head('ETag: "x"', status="304 Not Modified"), end="keep"), "failed", "HTTP 304", requests=1)
    yield Case("status-200-empty", reply(b""), "blocked", "empty")
    yield Case("status-200-blanks", reply(b" \r\n\t " * 100), "blocked", "empty")


def retries():
    """What is asked for again, how often, and what is not."""
    for code in (500, 502, 503, 429):
        bad = reply("later\n", f"{code} Later", PLAIN)
        yield Case(f"once-{code}", in_turn(bad, reply()), "ok", requests=2)
        yield Case(f"twice-{code}", in_turn(bad, bad, reply()), "ok", requests=3)
        yield Case(f"thrice-{code}", in_turn(bad, bad, bad, reply()), "failed", f"HTTP {code}", requests=3)
    yield Case("retry-changes-code", in_turn(reply("", "500 Oops", PLAIN), reply("", "404 Not Found", PLAIN)), "failed", "HTTP 404", requests=2)
    bad = reply("no\n", "500 Oops", PLAIN)
    yield Case("post-not-repeated", bad, "failed", "HTTP 500", conf="method = POST\nbody = {}\n", requests=1)
    yield Case("post-closed-not-repeated", raw(), "failed", conf="method = POST\nbody = {}\n", requests=1)
    yield Case("post-good", reply(), "ok", conf="method = POST\nbody = {}\n", requests=1)


def waits():
    """Retry-After in every shape. Long ones are kept for the next run, short ones are waited for, rubbish is passed over."""
    for name, value, want, requests in (
            ("zero", "0", "ok", 2), ("one", "1", "ok", 2), ("blanks", "  0  ", "ok", 2), ("an-hour", "3600", "failed", 1),
            ("a-year", "31536000", "failed", 1), ("twenty-digits", "99999999999999999999", "failed", 1),
            ("date-far", "Fri, 31 Dec 2049 23:59:59 GMT", "failed", 1), ("date-past", "Fri, 31 Dec 1999 23:59:59 GMT", "ok", 2),
            ("negative", "-5", "ok", 2), ("fraction", "1.5", "ok", 2), ("a-word", "soon", "ok", 2), ("empty", "", "ok", 2),
            ("unit", "120s", "ok", 2), ("bad-date", "Fri, 99 Foo 2026 25:61:61 GMT", "ok", 2)):
        later = reply("later\n", "503 Later", f"{PLAIN}Retry-After: {value}\r\n")
        yield Case(f"retry-after-{name}", in_turn(later, reply()), want, "HTTP 503" if want == "failed" else "", requests=requests)
    two = reply("later\n", "429 Slow", PLAIN + "Retry-After: 0\r\nRetry-After: 7200\r\n")
    yield Case("retry-after-two", in_turn(two, reply()), "failed", "HTTP 429", requests=1)
    moved = redirect("/there", "301 Moved", "Retry-After: 7200\r\n")
    yield Case("retry-after-with-301", by_path({"/prices": moved, "/there": reply()}), "ok", requests=2)


def validators():
    """Tags and dates that are no use, or worse."""
    for name, tag in (("weak", 'W/"x"'), ("unquoted", "x"), ("empty", ""), ("of-8-kib", '"' + "t" * 8300 + '"'), ("eight-bit", '"\xe9"'),
                      ("comma", '"a,b"')):
        yield Case(f"tag-{name}", reply(headers=f"{HTML}ETag: {tag}\r\n"), "ok")
    yield Case("date-rubbish", reply(headers=HTML + "Last-Modified: yesterday\r\n"), "ok")
    yield Case("date-future", reply(headers=HTML + "Last-Modified: Fri, 31 Dec 2049 23:59:59 GMT\r\n"), "ok")


def cases():
    """All of them."""
    yield from plain_codes()
    yield from retries()
    yield from waits()
    yield from validators()
