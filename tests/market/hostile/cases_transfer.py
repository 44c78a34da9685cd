"""Lengths, chunks, connections, versions, headers: how a body can come, whole or not."""

from case import GOOD, HTML, Case, chunked, head, in_turn, raw, reply

LENGTH = f"Content-Length: {len(GOOD)}"
TYPE = HTML.strip()
CHUNKED = "Transfer-Encoding: chunked"
CUT = "incomplete"


def whole():
    """Odd, and still the whole page."""
    thirds = GOOD[:100], GOOD[100:200], GOOD[200:]
    yield Case("length", reply(), "ok")
    yield Case("length-http", reply(), "ok", scheme="http")
    yield Case("length-zeros", raw(head(TYPE, f"Content-Length: 000{len(GOOD)}"), GOOD), "ok")
    yield Case("length-twice-same", raw(head(TYPE, LENGTH, LENGTH), GOOD), "ok")
    yield Case("length-and-close", raw(head(TYPE, LENGTH, "Connection: close"), GOOD), "ok")
    yield Case("length-more-sent", raw(head(TYPE, LENGTH), GOOD + b"<tr><td>H800</td><td>0.01</td></tr>"), "ok")
    yield Case("chunks", raw(head(TYPE, CHUNKED), chunked(*thirds), end="keep"), "ok")
    yield Case("chunks-of-a-byte", raw(head(TYPE, CHUNKED), chunked(*(bytes([byte]) for byte in GOOD)), end="keep"), "ok")
    yield Case("chunks-with-trailer", raw(head(TYPE, CHUNKED), chunked(*thirds, last="0\r\nX-Sum: 1\r\n\r\n"), end="keep"), "ok")
    yield Case("chunks-with-extension", raw(head(TYPE, CHUNKED), f"{len(GOOD):x};name=value\r\n", GOOD, "\r\n0\r\n\r\n", end="keep"), "ok")
    yield Case("chunks-upper-hex", raw(head(TYPE, CHUNKED), f"{len(GOOD):X}\r\n", GOOD, "\r\n0\r\n\r\n", end="keep"), "ok")
    yield Case("chunks-leading-zeros", raw(head(TYPE, CHUNKED), f"000{len(GOOD):x}\r\n", GOOD, "\r\n000\r\n\r\n", end="keep"), "ok")
    yield Case("chunks-said-in-capitals", raw(head(TYPE, "TRANSFER-ENCODING: CHUNKED"), chunked(GOOD), end="keep"), "ok")
    yield Case("chunks-and-length", raw(head(TYPE, CHUNKED, "Content-Length: 5"), chunked(GOOD)), "ok")
    yield Case("until-close", raw(head(TYPE, "Connection: close"), GOOD), "ok")
    yield Case("http-1-0", raw(head(TYPE, version="HTTP/1.0"), GOOD), "ok")
    yield Case("http-1-0-length", raw(head(TYPE, LENGTH, version="HTTP/1.0"), GOOD), "ok")
    yield Case("http-1-0-keep-alive", raw(head(TYPE, LENGTH, "Connection: keep-alive", version="HTTP/1.0"), GOOD, end="keep"), "ok")
    yield Case("line-feeds-only", raw(f"HTTP/1.1 200 OK\n{TYPE}\n{LENGTH}\n\n", GOOD), "ok")
    yield Case("no-reason-phrase", raw(f"HTTP/1.1 200\r\n{TYPE}\r\n{LENGTH}\r\n\r\n", GOOD), "ok")
    yield Case("reason-in-chinese", raw(f"HTTP/1.1 200 成功\r\n{TYPE}\r\n{LENGTH}\r\n\r\n".encode(), GOOD), "ok")
    yield Case("reason-of-8-kib", raw(head(TYPE, LENGTH, status="200 " + "O" * 8192), GOOD), "ok")
    yield Case("headers-lower-case", raw(head("content-type: text/html; charset=utf-8", LENGTH.lower()), GOOD), "ok")
    yield Case("headers-without-blank", raw(head("Content-Type:text/html; charset=utf-8", f"Content-Length:{len(GOOD)}"), GOOD), "ok")
    yield Case("headers-folded", raw(head("Content-Type: text/html;\r\n charset=utf-8", LENGTH), GOOD), "ok")
    yield Case("headers-eight-bit", raw(head("X-Name: \xe9\xff\x80", TYPE, LENGTH), GOOD), "ok")
    yield Case("headers-a-hundred", raw(head(*(f"X-{i}: {i}" for i in range(100)), TYPE, LENGTH), GOOD), "ok")
    yield Case("headers-of-60-kib", raw(head(*(f"X-{i}: {'x' * 1000}" for i in range(60)), TYPE, LENGTH), GOOD), "ok")
    yield Case("headers-by-the-byte", raw(*(bytes([byte]) for byte in head(TYPE, LENGTH)), GOOD), "ok")
    yield Case("type-twice", raw(head(TYPE, "Content-Type: application/pdf", LENGTH), GOOD), "ok")
    yield Case("type-none", reply(headers=""), "ok")
    yield Case("type-octets", reply(headers="Content-Type: application/octet-stream\r\n"), "ok")
    yield Case("type-plain", reply(headers="Content-Type: text/plain; charset=utf-8\r\n"), "ok")
    yield Case("type-rubbish", reply(headers="Content-Type: ;;;=\r\n"), "ok")
    yield Case("disposition-names-a-file", reply(headers=HTML + "Content-Disposition: attachment; filename=\"../../etc/cron.d/x\"\r\n"), "ok")
    yield Case("cookies-three-hundred", reply(headers=HTML + "".join(f"Set-Cookie: c{i}={i}; Path=/\r\n" for i in range(300))), "ok")
    yield Case("server-pushes-hsts", reply(headers=HTML + "Strict-Transport-Security: max-age=99999999\r\nAlt-Svc: h3=\":443\"\r\n"), "ok")
    yield Case("upgrade-offered", reply(headers=HTML + "Upgrade: h2c, websocket\r\nConnection: Upgrade\r\n"), "ok")
    yield Case("interim-100", raw("HTTP/1.1 100 Continue\r\n\r\n", head(TYPE, LENGTH), GOOD), "ok")
    yield Case("interim-102", raw("HTTP/1.1 102 Processing\r\n\r\n", head(TYPE, LENGTH), GOOD), "ok")
    yield Case("interim-103", raw("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", head(TYPE, LENGTH), GOOD), "ok")
    yield Case("interim-ten", raw("HTTP/1.1 103 Early Hints\r\n\r\n" * 10, head(TYPE, LENGTH), GOOD), "ok")
    yield Case("pieces", raw(head(TYPE, LENGTH), *(GOOD[i:i + 37] for i in range(0, len(GOOD), 37)), pause=0.005), "ok")
    yield Case("closed-once", in_turn(raw(), reply()), "ok", requests=2)
    yield Case("reset-once", in_turn(raw(end="reset"), reply()), "ok", requests=2)
    yield Case("cut-once", in_turn(raw(head(TYPE, LENGTH), GOOD[:50]), reply()), "ok", requests=2)
    yield Case("closed-twice", in_turn(raw(), raw(), reply()), "ok", requests=3)


def cut():
    """Not the whole page."""
    for name, at in (("nothing", 0), ("a-byte", 1), ("half", len(GOOD) // 2), ("all-but-a-byte", len(GOOD) - 1)):
        yield Case(f"cut-after-{name}", raw(head(TYPE, LENGTH), GOOD[:at]), CUT, requests=3)
        yield Case(f"reset-after-{name}", raw(head(TYPE, LENGTH), GOOD[:at], end="reset"), CUT, requests=3)
    yield Case("cut-plain-http", raw(head(TYPE, LENGTH), GOOD[:90]), CUT, scheme="http", requests=3)
    yield Case("cut-tls-no-goodbye", raw(head(TYPE, LENGTH), GOOD[:90], end="cut"), CUT, requests=3)
    yield Case("cut-until-close", raw(head(TYPE, "Connection: close"), GOOD[:-40]), CUT)
    yield Case("cut-until-close-no-goodbye", raw(head(TYPE, "Connection: close"), GOOD[:-40], end="cut"), CUT)
    yield Case("cut-http-1-0", raw(head(TYPE, version="HTTP/1.0"), GOOD[:-40]), CUT)
    yield Case("cut-length-one-more", raw(head(TYPE, f"Content-Length: {len(GOOD) + 1}"), GOOD), CUT, requests=3)
    yield Case("cut-length-exabyte", raw(head(TYPE, "Content-Length: 1152921504606846976"), GOOD), CUT)
    yield Case("length-two", raw(head(TYPE, LENGTH, "Content-Length: 3"), GOOD), "failed", "two different lengths")
    yield Case("length-two-longer", raw(head(TYPE, "Content-Length: 3", LENGTH), GOOD), "failed", "two different lengths")
    yield Case("length-negative", raw(head(TYPE, "Content-Length: -1"), GOOD), "failed")
    yield Case("length-a-word", raw(head(TYPE, "Content-Length: many"), GOOD), "failed")
    yield Case("length-too-many-digits", raw(head(TYPE, "Content-Length: 99999999999999999999999"), GOOD), "failed", "no number")
    yield Case("length-list-same", raw(head(TYPE, f"{LENGTH}, {len(GOOD)}"), GOOD), ("ok", "failed"))
    yield Case("length-list-other", raw(head(TYPE, f"{LENGTH}, 3"), GOOD), "failed")
    yield Case("length-plus", raw(head(TYPE, f"Content-Length: +{len(GOOD)}"), GOOD), "failed")
    yield Case("length-shorter", raw(head(TYPE, "Content-Length: 60"), GOOD), "blocked", "shell")
    for name, tail in (("no-last", b""), ("half-last", b"0\r\n"), ("no-line-end", b"0\r")):
        yield Case(f"chunks-{name}", raw(head(TYPE, CHUNKED), chunked(GOOD, last=tail)), CUT, requests=3)
    yield Case("chunks-cut-inside", raw(head(TYPE, CHUNKED), f"{len(GOOD):x}\r\n", GOOD[:90]), CUT, requests=3)
    yield Case("chunks-cut-no-goodbye", raw(head(TYPE, CHUNKED), f"{len(GOOD):x}\r\n", GOOD[:90], end="cut"), CUT, requests=3)
    yield Case("chunks-reset-inside", raw(head(TYPE, CHUNKED), f"{len(GOOD):x}\r\n", GOOD[:90], end="reset"), CUT, requests=3)
    for name, size in (("a-word", "zz"), ("negative", "-5"), ("empty", ""), ("too-large", "f" * 17), ("decimal-point", "5.5x"),
                       ("hex-prefix", "0x10"), ("blank-first", " 10")):
        yield Case(f"chunk-size-{name}", raw(head(TYPE, CHUNKED), size.encode() + b"\r\n", GOOD, "\r\n0\r\n\r\n"), CUT)
    yield Case("chunks-without-line-end", raw(head(TYPE, CHUNKED), f"{len(GOOD):x}\r\n", GOOD + b"XX0\r\n\r\n"), CUT)
    yield Case("chunks-not-chunked", raw(head(TYPE, CHUNKED), GOOD), CUT)
    yield Case("transfer-gzip", raw(head(TYPE, "Transfer-Encoding: gzip"), GOOD), "failed", "transfer coding")
    yield Case("transfer-unknown", raw(head(TYPE, "Transfer-Encoding: rot13"), GOOD), "failed", "transfer coding")
    yield Case("transfer-gzip-chunked", raw(head(TYPE, "Transfer-Encoding: gzip, chunked"), chunked(GOOD)), "failed", "transfer coding")
    yield Case("trailer-without-end", raw(head(TYPE, CHUNKED), chunked(GOOD, last="0\r\n" + "X-Trailer: x\r\n" * 30000)), "failed", "headers are larger")


def no_answer():
    """No HTTP at all, or none that ends."""
    yield Case("nothing", raw(), "failed", "without an answer", requests=3)
    yield Case("nothing-reset", raw(end="reset"), "failed", requests=3)
    yield Case("nothing-http", raw(), "failed", "without an answer", scheme="http", requests=3)
    yield Case("half-a-status-line", raw("HTTP/1.1 20"), "failed")
    yield Case("half-the-headers", raw(f"HTTP/1.1 200 OK\r\n{TYPE}\r\nContent-Le"), "failed", "inside the headers", requests=3)
    yield Case("not-http", raw("SSH-2.0-OpenSSH_9.2p1\r\n"), "failed", "not an HTTP answer")
    yield Case("http-0-9", raw(GOOD), "failed", "not an HTTP answer")
    yield Case("http-9-9", raw(head(TYPE, LENGTH, version="HTTP/9.9"), GOOD), "failed")
    yield Case("http-2-frame", raw(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + b"\x00" * 18), "failed")
    yield Case("status-a-word", raw(head(TYPE, LENGTH, status="OK OK"), GOOD), "failed")
    yield Case("status-099", raw(head(TYPE, LENGTH, status="099 Odd"), GOOD), "failed")
    yield Case("status-four-digits", raw(head(TYPE, LENGTH, status="2000 OK"), GOOD), "failed")
    yield Case("null-bytes", raw(b"\0" * 4096), "failed")
    yield Case("headers-endless", raw("HTTP/1.1 200 OK\r\n", *["X-Filler: 0123456789012345678901234567890123456789\r\n" * 100] * 80), "failed",
               "headers")
    yield Case("headers-one-of-200-kib", raw(f"HTTP/1.1 200 OK\r\nX-Long: {'z' * 200000}\r\n", "Content-Length: 0\r\n\r\n"), "failed")
    yield Case("headers-null-byte", raw(b"HTTP/1.1 200 OK\r\nX-A: a\0b\r\n" + LENGTH.encode() + b"\r\n\r\n", GOOD), "failed")
    yield Case("headers-no-colon", raw(head("this is no header", TYPE, LENGTH), GOOD), "failed", "colon")
    # the connection was kept and then closed: what libcurl has to say of its end is not the reason of the next answer
    yield Case("headers-no-colon-after-a-dead-connection", in_turn(raw(head("Content-Length: 0", status="503 Busy")), raw(head("this is no header", TYPE, LENGTH), GOOD)),
               "failed", "colon", requests=2)
    yield Case("interim-storm", raw(*["HTTP/1.1 103 Early Hints\r\nLink: </aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.css>\r\n\r\n" * 100] * 80), "failed")
    yield Case("interim-and-no-more", raw("HTTP/1.1 100 Continue\r\n\r\n"), "failed", "without an answer")
    yield Case("switching-protocols", raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), "failed")


def cases():
    """All of them."""
    yield from whole()
    yield from cut()
    yield from no_answer()
