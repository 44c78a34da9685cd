"""Content codings: whole, cut, corrupt, mislabelled, stacked, and bombs."""

import coding
from case import GOOD, HTML, Case, chunked, head, raw, reply

TYPE = HTML.strip()
CUT = "incomplete"
BOMB = b"<table>" + b"0" * (40 * 1024 * 1024)
STACKS = (("gzip", "gzip"), ("deflate", "gzip"), ("gzip", "br"), ("zstd", "br"), ("br", "zstd", "gzip"), ("raw", "gzip", "zstd"),
          ("gzip", "deflate", "br", "zstd"), ("gzip", "deflate", "br", "zstd", "raw"))


def coded(names, body, more=""):
    """An answer whose body says that it stands under these codings."""
    return reply(body, headers=f"{HTML}Content-Encoding: {', '.join(coding.label(name) for name in names)}\r\n{more}")


def single(name):
    """One coding, in every state. brotli has no checksum: a flipped bit may give other text, which is the library's to tell."""
    body = coding.CODERS[name](GOOD)
    yield Case(f"{name}", coded([name], body), "ok")
    yield Case(f"{name}-chunked", raw(head(TYPE, f"Content-Encoding: {coding.label(name)}", "Transfer-Encoding: chunked"),
                                      chunked(*(body[i:i + 50] for i in range(0, len(body), 50))), end="keep"), "ok")
    yield Case(f"{name}-until-close", raw(head(TYPE, f"Content-Encoding: {coding.label(name)}", "Connection: close"), body), "ok")
    for what, less in (("byte", 1), ("trailer", 6), ("half", len(body) // 2), ("most", len(body) - 3)):
        yield Case(f"{name}-cut-{what}", coded([name], body[:-less]), CUT, "cut or corrupt")
    yield Case(f"{name}-byte-behind", coded([name], body + b"x"), CUT)
    yield Case(f"{name}-plain-text", coded([name], GOOD), CUT)
    yield Case(f"{name}-empty", coded([name], b""), "blocked", "empty")
    yield Case(f"{name}-bomb", coded([name], bomb(name)), CUT, "unpacks")
    if name in ("gzip", "deflate", "zstd"):
        yield Case(f"{name}-wrong-sum", coded([name], body[:-5] + bytes([body[-5] ^ 1]) + body[-4:] if name == "gzip"
                                              else body[:-1] + bytes([body[-1] ^ 1])), CUT, "cut or corrupt")
        yield Case(f"{name}-flipped-bit", coded([name], body[:60] + bytes([body[60] ^ 4]) + body[61:]), CUT)


BOMBS = {}


def bomb(name):
    """40 MiB of one sign; made once."""
    if name not in BOMBS:
        BOMBS[name] = coding.CODERS[name](BOMB)
    return BOMBS[name]


def cases():
    """All of them."""
    for name in ("gzip", "deflate", "raw", "br", "zstd"):
        yield from single(name)
    for names in STACKS:
        short = "-".join(names)
        body = coding.stack(names, GOOD)
        yield Case(f"stack-{short}", coded(names, body), "ok")
        yield Case(f"stack-{short}-cut", coded(names, body[:-2]), CUT)
    yield Case("stack-bomb", coded(("gzip", "gzip"), coding.gzip(bomb("gzip"))), CUT, "unpacks")
    yield Case("stack-bomb-of-five", coded(("br", "zstd", "gzip", "br", "gzip"), coding.stack(("zstd", "gzip", "br", "gzip"), bomb("br"))), CUT,
               "unpacks")
    yield Case("stack-six", coded(("gzip",) * 6, coding.stack(("gzip",) * 6, GOOD)), "failed")
    yield Case("stack-wrong-order", coded(("br", "gzip"), coding.stack(("gzip", "br"), GOOD)), CUT)
    yield Case("stack-two-headers", reply(coding.stack(("gzip", "br"), GOOD), headers=HTML + "Content-Encoding: gzip\r\nContent-Encoding: br\r\n"),
               "ok")
    yield Case("coding-x-gzip", coded(["x-gzip"], coding.gzip(GOOD)), "ok")
    yield Case("coding-capitals", reply(coding.gzip(GOOD), headers=HTML + "CONTENT-ENCODING: GZIP\r\n"), "ok")
    yield Case("coding-identity", reply(headers=HTML + "Content-Encoding: identity\r\n"), "ok")
    yield Case("coding-none-named", reply(headers=HTML + "Content-Encoding:\r\n"), "ok")
    yield Case("coding-utf-8", reply(headers=HTML + "Content-Encoding: utf-8\r\n"), "failed", "utf-8")
    yield Case("coding-sdch", reply(headers=HTML + "Content-Encoding: sdch\r\n"), "failed", "sdch")
    yield Case("coding-compress", reply(headers=HTML + "Content-Encoding: compress\r\n"), "failed", "compress")
    yield Case("coding-not-said", reply(coding.gzip(GOOD)), "drifted")
    yield Case("gzip-two-members", coded(["gzip"], coding.gzip(GOOD[:99]) + coding.gzip(GOOD[99:])), "ok")
    yield Case("gzip-called-deflate", coded(["deflate"], coding.gzip(GOOD)), CUT)
    yield Case("zstd-called-gzip", coded(["gzip"], coding.zstd(GOOD)), CUT)
    yield Case("gzip-of-nothing", coded(["gzip"], coding.gzip(b"")), "blocked", "empty")
    large = b"<html><body>" + b"x" * (1200 * 1024) + b"</body></html>"
    yield Case("large-stated", reply(large), CUT, "larger than")
    yield Case("large-chunked", raw(head(TYPE, "Transfer-Encoding: chunked"), chunked(large)), CUT, "larger than")
    yield Case("large-until-close", raw(head(TYPE, "Connection: close"), large), CUT, "larger than")
    yield Case("large-lied-about", raw(head(TYPE, "Content-Length: 100000000000"), large), CUT, "larger than")
    yield Case("large-to-the-byte", reply(GOOD + b" " * (1024 * 1024 - len(GOOD))), "ok")
    yield Case("large-by-a-byte", reply(GOOD + b" " * (1024 * 1024 - len(GOOD) + 1)), CUT, "larger than")
    yield Case("large-unpacked-to-the-byte", coded(["gzip"], coding.gzip(GOOD + b" " * (1024 * 1024 - len(GOOD)))), "ok")
    yield Case("large-unpacked-by-a-byte", coded(["gzip"], coding.gzip(GOOD + b" " * (1024 * 1024 - len(GOOD) + 1))), CUT, "unpacks")
