"""robots.txt in every state. The page behind it is a good one."""

import coding
from case import SHORT, Case, by_path, head, in_turn, raw, redirect, reply

TEXT = "Content-Type: text/plain\r\n"
FORBID = "User-agent: *\nDisallow: /prices\n"
ALLOW = "User-agent: *\nDisallow: /admin\n"


def robots(text, status="200 OK"):
    """A robots.txt as it should come."""
    return reply(text, status, TEXT)


ALLOWED = {
    "none": robots("", "404 Not Found"), "empty": robots(""), "plain": robots(ALLOW), "gone": robots("x", "410 Gone"),
    "forbidden": robots("x", "403 Forbidden"), "unauthorized": robots("x", "401 Unauthorized"), "teapot": robots(FORBID, "418 Teapot"),
    "html": reply("<html><body>Welcome to our site</body></html>"), "other-agent": robots("User-agent: evilbot\nDisallow: /\n"),
    "own-group-allows": robots("User-agent: *\nDisallow: /\nUser-agent: gputape\nAllow: /prices\n"),
    "longest-allows": robots("User-agent: *\nDisallow: /\nAllow: /prices\n"), "no-content": raw(head(status="204 No Content"), end="keep"),
    "binary": robots(bytes(range(256)) * 64), "long-lines": robots("User-agent: *\nDisallow: /" + "x" * 60000 + "\n"),
    "delay-half": robots("User-agent: *\nCrawl-delay: 0.5\n"), "delay-word": robots("User-agent: *\nCrawl-delay: abc\n"),
    "delay-negative": robots("User-agent: *\nCrawl-delay: -1\n"), "circle": redirect("/robots.txt"),
    "rule-behind-the-limit": robots("#" * (512 * 1000) + "\nUser-agent: *\nDisallow: /prices\n"),
    "once-500": in_turn(robots("", "500 Oops"), robots(ALLOW)),
}
FORBIDDEN = {
    "disallow": robots(FORBID), "disallow-all": robots("User-agent: *\nDisallow: /\n"), "own-group": robots("User-agent: gputape\nDisallow: /prices\n"),
    "capitals": robots("USER-AGENT: GPUTAPE\nDISALLOW: /prices\n"), "bom": robots("\ufeff" + FORBID), "cr-only": robots(FORBID.replace("\n", "\r")),
    "crlf": robots(FORBID.replace("\n", "\r\n")), "nul-bytes": robots("\0\0\n" + FORBID), "wildcard": robots("User-agent: *\nDisallow: /*ces$\n"),
    "percent": robots("User-agent: *\nDisallow: /%70rices\nDisallow: /prices\n"), "no-final-line-end": robots(FORBID.strip()),
    "colon-missing": robots("User-agent *\nDisallow /prices\n"), "called-html": reply(FORBID), "gzip": reply(coding.gzip(FORBID.encode()), headers=TEXT + "Content-Encoding: gzip\r\n"),
    "redirect": by_path({"/robots.txt": redirect("/r.txt"), "/r.txt": robots(FORBID)}),
    "redirect-other-host": redirect("https://robots-source.hostile.test/r.txt"),
    "first-512-kib": robots("User-agent: *\nDisallow: /prices\n" + "#" * (700 * 1024)),
    "after-interim": raw("HTTP/1.1 103 Early Hints\r\n\r\n", head("Content-Type: text/plain", f"Content-Length: {len(FORBID)}"), FORBID, end="keep"),
}
UNREACHABLE = {
    "500": robots(FORBID, "500 Oops"), "502": robots("", "502 Bad"), "503": robots("", "503 Later"), "504": robots("", "504 Late"), "429": robots("", "429 Slow"),
    "599": robots("", "599 Odd"), "closed": raw(), "reset": raw(end="reset"), "not-http": raw("SSH-2.0-x\r\n"), "silent": raw(end="stall"),
    "cut": raw(head("Content-Type: text/plain", "Content-Length: 1000"), FORBID), "bad-gzip": reply(b"rubbish", headers=TEXT + "Content-Encoding: gzip\r\n"),
    "drip": raw(*["#"] * 100, pause=0.2),
}


def cases():
    """All of them."""
    for name, act in ALLOWED.items():
        yield Case(f"robots-{name}", reply(), "ok", robots=act)
    for name, act in FORBIDDEN.items():
        yield Case(f"robots-{name}", reply(), "failed", "robots.txt forbids", robots=act, requests=0)
    for name, act in UNREACHABLE.items():
        yield Case(f"robots-{name}", reply(), "failed", "robots.txt unreachable", robots=act, requests=0, conf=SHORT if name == "silent" else "")
    for name, seconds in (("day", "86400"), ("huge", "1e9"), ("301", "301")):
        yield Case(f"robots-delay-{name}", reply(), "failed", "asks for a pause", robots=robots(f"User-agent: *\nCrawl-delay: {seconds}\n"), requests=0)
    yield Case("robots-to-private", reply(), "failed", "robots.txt unreachable", robots=redirect("https://10.0.0.1/robots.txt"), requests=0)
    yield Case("robots-to-file", reply(), "failed", "robots.txt unreachable", robots=redirect("file:///etc/passwd"), requests=0)
    yield Case("robots-bomb", reply(), "ok", robots=reply(coding.gzip(b"#" * (8 << 20)), headers=TEXT + "Content-Encoding: gzip\r\n"))
    yield Case("robots-retry-after", reply(), "failed", "left alone until",
               robots=reply("", "503 Later", TEXT + "Retry-After: 7200\r\n"), requests=0)
    yield Case("robots-source", by_path({"/r.txt": robots(FORBID), "/prices": reply()}), "ok")
    hops = {f"/{i}": redirect(f"/{i + 1}") for i in range(1, 6)}
    yield Case("robots-five-hops", reply(), "failed", "robots.txt forbids", requests=0,
               robots=by_path({"/robots.txt": redirect("/1"), **hops, "/5": robots(FORBID)}))
    yield Case("robots-six-hops", reply(), "ok", robots=by_path({"/robots.txt": redirect("/1"), **hops, "/6": robots(FORBID)}))
    yield Case("robots-of-100-mib", reply(), "failed", "robots.txt forbids", requests=0,
               robots=raw(head("Content-Type: text/plain", f"Content-Length: {100 << 20}"), FORBID, *["# nothing to see here\n" * 5000] * 20))
    yield Case("robots-ignored", reply(), "ok", robots=robots(FORBID), conf="robots = ignore\n")
    yield Case("robots-of-the-hop", redirect("https://robots-disallow.hostile.test/prices"), "failed", "robots.txt forbids", requests=1)
