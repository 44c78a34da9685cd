"""Charsets and markup: the same price list in every encoding, under every wrong label, and in markup that parsers stumble over."""

from case import GOOD, GOOD_ROWS, Case, page, reply

PLAIN_HTML = "Content-Type: text/html\r\n"
META = '<meta charset="{}">'
CHINESE = (("RTX 4090 显卡", "1.98"), ("镕 A100 80G", "6.50"), ("昇腾910B", "5.20"))
DEEP = 100


def typed(charset):
    """A Content-Type with this label."""
    return f"Content-Type: text/html; charset={charset}\r\n"


def labelled(label, codec, rows, where):
    """The list in a codec under a label: in the header or in a meta element."""
    text = page(rows, head=META.format(label) if where == "meta" else "")
    return reply(text.encode(codec), headers=typed(label) if where == "header" else PLAIN_HTML)


def charsets():
    """Right labels, and wrong ones that the bytes overrule."""
    for label, codec in (("gbk", "gbk"), ("gb2312", "gbk"), ("GB_2312-80", "gbk"), ("x-gbk", "gbk"), ("chinese", "gbk"), ("gb18030", "gb18030"),
                         ("utf-8", "utf-8"), ("UTF8", "utf-8"), ("unicode-1-1-utf-8", "utf-8")):
        for where in ("header", "meta"):
            yield Case(f"text-{label.lower().replace('_', '-')}-{where}", labelled(label, codec, CHINESE, where), "ok", rows=CHINESE)
    big5 = (("RTX 4090 顯示卡", "1.98"), ("A100 80G", "6.50"))
    traditional = page(big5).translate(str.maketrans("号价时", "號價時"))
    yield Case("text-big5", reply(traditional.encode("big5"), headers=typed("big5")), "ok", rows=big5)
    four = (("RTX 4090 𠀀", "1.98"), ("A100 80G", "6.50"))
    for label in ("gbk", "gb2312", "gb18030"):
        yield Case(f"text-four-bytes-{label}", reply(page(four).encode("gb18030"), headers=typed(label)), "ok", rows=four)
    yield Case("text-quoted-label", reply(page(CHINESE).encode("gbk"), headers=typed('"GB2312"')), "ok", rows=CHINESE)
    yield Case("text-apostrophes", reply(page(CHINESE).encode("gbk"), headers=typed("'gbk'")), "ok", rows=CHINESE)
    yield Case("text-capital-charset", reply(page(CHINESE).encode("gbk"), headers="Content-Type: text/html; CharSet=GBK\r\n"), "ok", rows=CHINESE)
    yield Case("text-two-labels", reply(page(CHINESE).encode("gbk"), headers="Content-Type: text/html; charset=gbk; charset=utf-8\r\n"), "ok", rows=CHINESE)
    yield Case("text-no-label", reply(page(CHINESE).encode("utf-8"), headers=PLAIN_HTML), "ok", rows=CHINESE)
    yield Case("text-gbk-no-label", reply(page(CHINESE).encode("gbk"), headers=PLAIN_HTML), "ok", rows=CHINESE)
    yield Case("text-gbk-by-the-section", reply(page(CHINESE).encode("gbk"), headers=PLAIN_HTML), "ok", rows=CHINESE, conf="charset = gbk\n")
    yield Case("text-mark-utf-8", reply(b"\xef\xbb\xbf" + page(CHINESE).encode(), headers=typed("gbk")), "ok", rows=CHINESE)
    yield Case("text-utf-16le", reply(b"\xff\xfe" + page(CHINESE).encode("utf-16-le"), headers=PLAIN_HTML), "ok", rows=CHINESE)
    yield Case("text-utf-16be", reply(b"\xfe\xff" + page(CHINESE).encode("utf-16-be"), headers=typed("utf-8")), "ok", rows=CHINESE)
    yield Case("text-wrong-header-right-meta", reply(page(CHINESE, head=META.format("utf-8")).encode(), headers=typed("gb2312")), "ok", rows=CHINESE)
    yield Case("text-right-header-wrong-meta", reply(page(CHINESE, head=META.format("gb2312")).encode(), headers=typed("utf-8")), "ok", rows=CHINESE)
    yield Case("text-stale-meta", reply(page(CHINESE, head=META.format("gb2312")).encode(), headers=PLAIN_HTML), "ok", rows=CHINESE)
    yield Case("text-utf-16-in-meta", reply(page(CHINESE, head=META.format("utf-16")).encode(), headers=PLAIN_HTML), "ok", rows=CHINESE)
    yield Case("text-late-meta", reply(page(CHINESE, head="<!--" + "x" * 2000 + "-->" + META.format("gbk")).encode("gbk"), headers=PLAIN_HTML), "ok",
               rows=CHINESE)
    for label in ("utf-7", "gb-2312x", "none", "binary", "x" * 300):
        yield Case(f"text-label-{label[:9]}", reply(page(CHINESE).encode(), headers=typed(label)), "ok", rows=CHINESE)
    for label in ("hz-gb-2312", "iso-2022-cn", "iso-2022-kr"):
        yield Case(f"text-refused-{label}", reply(GOOD, headers=typed(label)), "drifted", "may not be decoded")


def bad_bytes():
    """Bytes that are none in their encoding must cost their own character and no row."""
    plain = page()
    for name, label, junk in (("euro-gb2312", "gb2312", b"\x80"), ("euro-gb18030", "gb18030", b"\x80"), ("ff", "gbk", b"\xff"), ("lead-before-markup", "gbk", b"\xc4"),
                              ("four-cut", "gb18030", b"\x81\x30\x81"), ("utf-8-cut", "utf-8", b"\xe4\xbd"), ("utf-8-ff", "utf-8", b"\xff\xfe"),
                              ("utf-8-overlong", "utf-8", b"\xc0\xaf"), ("surrogate", "utf-8", b"\xed\xa0\x80"), ("nul", "utf-8", b"\0"), ("nul-gbk", "gbk", b"\0"),
                              ("escape", "utf-8", b"\x1b[2J\x07"), ("latin-1", "utf-8", b"caf\xe9")):
        codec = "gb18030" if label.startswith("gb") else label
        body = plain.encode(codec).replace(b"<table>", b"<p>" + junk + b"</p><table>")
        yield Case(f"bytes-{name}", reply(body, headers=typed(label)), "ok")
    yield Case("bytes-cut-in-a-character", reply(page().encode("gbk") + b"\xc4", headers=typed("gbk")), "ok")
    yield Case("bytes-null-in-a-tag", reply(page().replace("<table>", "<ta\0ble><table>").encode()), "ok")


def markup():
    """Whole, or said to be none; never short."""
    deep = "<div>" * DEEP
    for depth in (255, 256, 300, 2000):
        yield Case(f"markup-deep-{depth}", reply(page(before="<div>" * depth)), "ok")
    yield Case("markup-deep-100000", reply(page(before="<div>" * 100000)), "failed")
    yield Case("markup-script-of-900-kib", reply(page(before="<script>" + "x=1;" * 225000 + "</script>")), "ok")
    yield Case("markup-attributes", reply(page(before="<p " + " ".join(f"a{i}=1" for i in range(200)) + ">x</p>")), "ok")
    yield Case("markup-attributes-many", reply(page(before="<p " + " ".join(f"a{i}=1" for i in range(50000)) + ">x</p>")), "failed", "attributes")
    yield Case("markup-comment-unclosed", reply(page(after="<!-- and no end")), "ok")
    yield Case("markup-no-end-tags", reply(page(after="").replace("</td>", "").replace("</tr>", "")), "ok")
    yield Case("markup-capitals", reply(page().replace("<tr>", "<TR>").replace("</tr>", "</TR>").replace("td>", "TD>")), "ok")
    yield Case("markup-two-pages", reply(page(rows=()) + page()), "ok")
    yield Case("markup-behind-the-end", reply("<html><body></body></html>" + page()), "ok")
    yield Case("markup-nested-tables", reply(page(before="<table><tbody>" * DEEP)), "ok")
    yield Case("markup-entity-bomb", reply('<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + page(before="&b;" * 1000)), "ok")
    yield Case("markup-external-entity", reply('<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + page(before="<p>&x;</p>")), "ok")
    yield Case("markup-xinclude", reply(page(before='<xi:include href="file:///etc/passwd" parse="text"/>')), "ok")
    yield Case("markup-xhtml", reply('<?xml version="1.0" encoding="utf-8"?>' + page(), headers="Content-Type: application/xhtml+xml\r\n"), "ok")
    yield Case("markup-cdata", reply(page(before="<![CDATA[ <tr><td>x</td></tr> ]]>")), "ok")
    yield Case("markup-escape-in-label", reply(page(rows=(("RTX 4090 \x1b[31m", "1.98"), *GOOD_ROWS[1:]))), "ok", rows=None)
    yield Case("markup-bidi-in-label", reply(page(rows=(("RTX 4090 \u202e", "1.98"), *GOOD_ROWS[1:]))), "ok", rows=None)
    yield Case("markup-formula-in-label", reply(page(rows=(("=cmd() RTX 4090", "1.98"), *GOOD_ROWS[1:]))), "ok", rows=None)
    yield Case("markup-two-rows-of-forty", reply(page(rows=tuple((f"RTX 4090 #{i}", "1.98") for i in range(40)))), "ok", rows=None)
    yield Case("markup-no-rows", reply(page(rows=(), before="<p>" + "Our prices have moved to another place on this site. " * 40 + "</p>")), "drifted")
    yield Case("markup-no-prices", reply(page(rows=(("RTX 4090", "面议"), ("A100", "询价")), before="<p>" + "words " * 400 + "</p>")), "drifted")
    yield Case("markup-too-few-rows", reply(), "drifted", "rows_min", conf="rows_min = 9\n")
    yield Case("markup-too-many-rows", reply(), "drifted", "rows_max", conf="rows_max = 2\n")


def cases():
    """All of them."""
    yield from charsets()
    yield from bad_bytes()
    yield from markup()
