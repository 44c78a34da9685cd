#!/usr/bin/env python3
"""The server: pages that are whole, JSON that is the command line's, caches, a crawl that commits meanwhile, and clients that are broken or hostile."""

import gzip
import html.parser
import json
import re
import signal
import socket
import sys
import time
import urllib.parse
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Pages, Tap, wait_for  # noqa: E402
from web_client import HOST, Server  # noqa: E402

DAYS = ("2026-08-30", "2026-09-06", "2026-09-13", "2026-09-18", "2026-09-20")
MONDAY = "2026-09-21T01:00:00Z"
VOID = {"meta", "link", "br", "img", "hr", "input", "col"}
HOSTILE = '"><script>alert(1)</script>&\'\u202e'
PAGES = ("/", "/?q=4090", "/?persona=pay%3Dhour&currency=CNY", "/?sort=site", "/?sort=age", "/?sort=hour", "/?lang=en", "/?q=label~zzzz",
         "/sku?sku=NVIDIA-RTX-4090", "/sku?sku=NVIDIA-A100&persona=pay%3Dhour&lang=en", "/sku?sku=ASCEND-910B&since=2026-09-01", "/platform?site=jygpu",
         "/platform?site=autodl&lang=en", "/changes", "/changes?q=4090&since=2026-09-01&until=2026-09-19", "/index", "/index?lang=en", "/reports",
         "/reports?week=2026-W38", "/reports?week=2026-W37&lang=en", "/reports?month=2026-09", "/breakeven", "/advise", "/advise?lang=en",
         "/advise?params=70B", "/advise?params=7B&method=qlora&hours=200&storage=100&cards=1&lang=en&q=4090&persona=pay%3Dhour&currency=CNY", "/audit", "/transparency", "/health", "/history?q=4090")
APIS = (("offers",), ("offers", "q=4090"), ("offers", "q=4090 5090", "persona=pay=hour"), ("offers", "currency=USD"), ("history", "q=4090", "since=2026-08-01"),
        ("changes", "since=2026-09-01", "until=2026-09-20"), ("changes", "q=site=jygpu"), ("index",), ("index", "base=2026-W37"), ("report", "week=2026-W38"),
        ("report", "month=2026-09"), ("reports",), ("reports", "week=2026-W37"), ("reports", "week=2026-W30"), ("report", "lang=en", "since=2026-09-01"), ("audit",), ("advise", "params=70B"),
        ("advise", "params=1.5B", "method=full", "context=8192", "batch=4", "months=3", "storage=100", "egress=20", "cards=16", "layers=28", "kv-width=512", "q=4090", "lang=en"),
        ("advise", "params=700亿", "precision=int8", "hours=200", "persona=startup"), ("transparency", "q=4090"), ("breakeven", "q=4090"), ("health",), ("health", "since=2026-08-01"))


class Page(html.parser.HTMLParser):
    """What a page opens and does not close, loads, and lacks."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.loads, self.links, self.ids, self.labels, self.fields = [], [], [], [], [], set(), set()
        self.headings, self.tables = [], 0

    def handle_starttag(self, tag, attrs):
        """Rules that hold for every element of ours."""
        names = dict(attrs)
        self.tables += tag == "table"
        if tag not in VOID:
            self.open.append(tag)
        for name in names:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{tag} has {name}")
        if "src" in names or tag == "link":
            self.loads.append(names.get("src") or names.get("href"))
        if tag == "a":
            self.links.append(names.get("href", ""))
        if "id" in names:
            self.ids.append(names["id"])
        if tag == "label":
            self.labels.add(names.get("for"))
        if tag in ("input", "select") and names.get("type") != "hidden":
            self.fields.add(names.get("id"))
        if tag == "th" and names.get("scope") not in ("col", "row"):
            self.faults.append("th without scope")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "script" and "src" not in names:
            self.faults.append("inline script")

    def handle_startendtag(self, tag, attrs):
        """SVG's elements end where they begin."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        """Ends in order."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> where another is open")

    def close(self):
        """What is left to say."""
        super().close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]
        self.faults += [f"id {name} twice" for name in set(self.ids) if self.ids.count(name) > 1]
        self.faults += [f"field {name} without label" for name in self.fields - self.labels]
        self.faults += [f"loads {load}" for load in self.loads if not load.startswith("/")]
        self.faults += [f"links to {link}" for link in self.links if not re.match(r"(https?://|/(?!/)|#)", link)]
        if self.headings.count(1) != 1 or any(b > a + 1 for a, b in zip(self.headings, self.headings[1:])):
            self.faults.append(f"headings {self.headings}")
        return self.faults


def page_faults(answer):
    """Why an answer is no page of ours; empty when it is."""
    page = Page()
    page.feed(answer.text)
    faults = page.close()
    if not answer.text.startswith("<!doctype html>") or not answer.headers.get("content-type", "").startswith("text/html"):
        faults.append("no HTML")
    if "default-src 'none'" not in answer.headers.get("content-security-policy", "") or "unsafe" in answer.headers["content-security-policy"]:
        faults.append("policy")
    return faults


def encode(pairs):
    """q=4090 5090 as a query string."""
    return "&".join(f"{name}={urllib.parse.quote(value)}" for name, _, value in (pair.partition("=") for pair in pairs))


def check_pages(tap, server):
    """Every page and every link of every page."""
    seen = set()
    for target in PAGES:
        answer = server.get(target)
        faults = page_faults(answer)
        tap.ok(answer.status == 200 and not faults and "SAMPLE" in answer.text, f"the page {target} is whole", f"{answer.status} {faults[:6]}")
        page = Page()
        page.feed(answer.text)
        seen |= {link for link in page.links if link.startswith("/")}
    bad = [(link, answer.status) for link in sorted(seen) for answer in [server.get(link)] if answer.status != 200]
    tap.ok(len(seen) > 200 and not bad, f"all {len(seen)} links of these pages lead somewhere", bad[:8])
    offers = sorted(link for link in seen if link.startswith("/offer?"))
    faults = [(link, found) for link in offers[::15] for found in [page_faults(server.get(link))] if found]
    tap.ok(len(offers) > 100 and not faults, f"pages of offers are whole ({len(offers[::15])} of {len(offers)})", faults[:4])


def check_figures(tap, server, box):
    """What pages say is what the reports say."""
    sku = server.get("/sku?sku=NVIDIA-RTX-4090").text
    tap.ok("<svg class=\"chart\"" in sku and "1074" in sku, "a card's page has its chart and the golden 1074")
    offers = json.loads(server.get("/api/offers?q=4090").text)["offers"]
    sites = {offer["site_title"] for offer in offers if offer["sku_status"] == "exact"}
    shown = [site for site in sites if any(word in sku for word in site.split())]
    tap.ok(len(sites) >= 4 and len(shown) == len(sites), f"with every one of its {len(sites)} platforms", sites - set(shown))
    board = server.get("/").text
    classes = re.findall(r'href="(/\?class=[^"]+)"', board)
    one = server.get(classes[0].replace("&amp;", "&")).text
    tap.same(one.count("<h2>"), 1, "a class alone is one table")
    link = re.search(r'/offer\?id=\d+', server.get("/?q=4090%20site%3Djygpu%20delivery%3Dcontainer").text).group()
    offer = server.get(link).text
    tap.ok("1.57" in offer and "1.96" in offer and "<table" in offer, "an offer's page shows its quotes as printed", offer[:1500])
    archive = server.get(link.replace("/offer", "/archive"))
    tap.ok(archive.status == 200 and archive.headers["content-type"].startswith("text/plain") and "4090" in archive.text, "and the page behind it as text",
           archive.text[:300])
    for why, answer in (("to a request that a proxy forwards", server.get(link.replace("/offer", "/archive"), "X-Forwarded-For: 192.0.2.1")),
                        ("for another name", server.get(link.replace("/offer", "/archive"), host="prices.example"))):
        tap.ok(answer.status == 404 and "4090" not in answer.text, f"which is not shown {why}", answer.text[:200])
    tap.ok("/archive?" not in server.get(link, host="prices.example").text, "nor linked there")
    hours = json.loads(server.get("/api/health?since=2026-08-24").text)["sold_out_hours"]
    mine = [row for row in hours if row["site"] == "jygpu"]
    rows = "".join(f'<tr><td>{row["hour"]:02}:00~{row["hour"] + 1:02}:00</td><td class="n">{row["sold_out"]}</td><td class="n">{row["sightings"]}</td>' for row in mine)
    shown = server.get("/platform?site=jygpu").text
    tap.ok(sum(row["sold_out"] for row in mine) == 2 and "售罄时段" in shown and re.sub(r"<td class=.n.>[\d.]+%</td></tr>\s*", "", shown).count(rows) == 1,
           "a platform's page says at which hours it was sold out, as health does", (mine, shown[:3000]))
    silent = sorted({row["site"] for row in json.loads(server.get("/api/health").text)["sources"]} - {row["site"] for row in hours})
    told = [site for site in silent if "售罄时段" in server.get(f"/platform?site={site}").text]
    tap.ok(len(silent) > 5 and not told, f"nothing is said of the {len(silent)} that show no availability", told)
    weeks = re.sub(r"</?a[^>]*>", "", server.get("/reports").text)
    tap.ok('2026-W37</td><td>09-07~09-13</td><td class="t">2026-09-14 09:00</td>' in weeks and "2026-W38</td><td>09-14~09-20</td><td>—</td>" in weeks,
           "the list of weeks says which were published, and when", weeks[:1500])
    week = box.run("report", "--week", "2026-W38", "--format", "html", now=MONDAY).out
    rows = re.findall(r"<tr><td.*?</tr>", re.sub(r"</?a[^>]*>", "", week))
    page = re.sub(r"</?a[^>]*>", "", server.get("/reports?week=2026-W38").text)
    tap.ok(len(rows) > 50 and all(row in page for row in rows), "the weekly page has every row of the weekly report")


def check_api(tap, server, box):
    """Byte for byte what the command prints."""
    for report, *pairs in APIS:
        words = []
        for name, _, value in (pair.partition("=") for pair in pairs):
            words += value.split() if name == "q" else [f"--{name}", value]
        command = ("report", "--published") if report == "reports" else (report,)
        want = box.run(*command, *words, "--format", "json", now=MONDAY)
        have = server.get(f"/api/{report}?{encode(pairs)}")
        good = want.code == 0 and have.status == 200 and have.text == want.out and have.headers["content-type"] == "application/json"
        tap.ok(good, f"/api/{report} {' '.join(pairs)}: the command's bytes", f"{have.status} {have.text[:300]}\n{want}")


def check_openapi(tap, server):
    """The description is the server's, in both directions."""
    text = server.get("/openapi.json").text
    tap.same(text, (ROOT / "docs" / "openapi.json").read_text(), "/openapi.json is docs/openapi.json")
    paths, known = json.loads(text)["paths"], json.loads(text)["components"]["parameters"]
    wrong = []
    for path, item in paths.items():
        taken = {parameter["$ref"].rsplit("/", 1)[1] for parameter in item["get"]["parameters"]}
        for name in known:
            value = {"persona": "startup", "currency": "CNY", "lang": "en", "since": "2026-09-01", "until": "2026-09-20", "week": "2026-W38", "month": "2026-09",
                     "base": "2026-W37", "q": "4090", "params": "70B", "method": "lora", "precision": "fp16"}.get(name, "100")
            also = "since=2026-09-01&" if name == "until" and "since" in taken else "params=7B&" if "params" in taken - {name} else ""
            status = server.get(f"{path}?{also}{name}={value}").status
            if (status == 200) != (name in taken | {"lang"}):
                wrong.append((path, name, status))
    tap.ok(not wrong, f"each of {len(paths)} paths takes what it says and nothing else", wrong)
    tap.ok({f"/api/{row[0]}" for row in APIS} <= set(paths), "every report is described")


def check_caching(tap, server):
    """ETag, 304, gzip, HEAD."""
    for target in ("/", "/api/offers", "/metrics", "/feed.atom", "/page.css", "/page.js", "/openapi.json", "/icon.svg"):
        first = server.get(target)
        tag = first.headers.get("etag", "")
        again = server.get(target, f"If-None-Match: \"x\", W/{tag}")
        other = server.get(target, "If-None-Match: \"0123\"")
        packed = server.get(target, "Accept-Encoding: br, gzip;q=0.5")
        head = server.get(target, method="HEAD")
        good = again.status == 304 and again.body == b"" and again.headers.get("etag") == tag and other.status == 200 and other.body == first.body
        tap.ok(bool(re.fullmatch(r'"[0-9a-f]{32}"', tag)) and good, f"{target}: 304 for its ETag, 200 for another", f"{tag} {again.status} {other.status}")
        same = packed.body if "content-encoding" not in packed.headers else gzip.decompress(packed.body)
        small = len(first.body) < 512 or (packed.headers.get("content-encoding") == "gzip" and packed.headers["etag"] != tag)
        tap.ok(same == first.body and small and "Accept-Encoding" in packed.headers["vary"], f"{target}: packed it is the same", packed.headers)
        tap.ok(head.status == 200 and head.body == b"" and head.headers["content-length"] == str(len(first.body)) and head.headers["etag"] == tag,
               f"{target}: HEAD has the same header and no body", head.headers)
        policy = all(name in first.headers for name in ("content-security-policy", "x-content-type-options", "referrer-policy", "vary"))
        tap.ok(policy and "set-cookie" not in first.headers, f"{target}: headers that protect, no cookie", first.headers)
    tap.ok("content-encoding" not in server.get("/", "Accept-Encoding: gzip;q=0, identity").headers, "gzip with q=0 is not sent")


def check_metrics(tap, server):
    """The format's rules, and figures that are the API's."""
    answer = server.get("/metrics")
    lines = answer.text.split("\n")
    tap.ok(answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0"), "metrics say what they are")
    tap.ok(lines[-2:] == ["# EOF", ""], "they end with # EOF", lines[-3:])
    sample = re.compile(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?\d+(?:\.\d+)?)')
    current, seen, series, faults = None, set(), set(), []
    for line in lines[:-2]:
        if line.startswith("# TYPE "):
            current = line.split()[2]
            faults += [line] if current in seen else []
            seen.add(current)
        elif line.startswith("# "):
            faults += [line] if line.split()[2] != current else []
            faults += [line] if line.startswith("# UNIT") and not current.endswith("_" + line.split()[3]) else []
        else:
            found = sample.fullmatch(line)
            faults += [line] if not found or found.group(1) != current or (found.group(1), found.group(2)) in series else []
            series.add((found.group(1), found.group(2)) if found else line)
    tap.ok(not faults and len(series) > 300, f"{len(series)} series in {len(seen)} families, each once and in its family", faults[:5])
    wanted = {"gputape_offer_hour_price", "gputape_offer_month_price", "gputape_index", "gputape_source_up", "gputape_source_last_good_timestamp_seconds"}
    tap.ok(wanted <= seen, "prices, index and sources are told", wanted - seen)
    offers = [o for o in json.loads(server.get("/api/offers").text)["offers"] if o["cheapest"]]
    low = re.findall(r'gputape_class_low_price\{class="([^"]+)"[^}]*\} (\S+)', answer.text)
    tap.ok(offers and all((o["class"], o["month_net"]) in low for o in offers), "a class's low is the board's", (offers[:1], low[:3]))


def check_feed(tap, server):
    """RFC 4287."""
    root = xml.etree.ElementTree.fromstring(server.get("/feed.atom").body)
    space = "{http://www.w3.org/2005/Atom}"
    entries = root.findall(f"{space}entry")
    ids = [entry.findtext(f"{space}id") for entry in entries]
    lacks = [name for node in [root, *entries] for name in ("id", "title", "updated") if len(node.findall(space + name)) != 1]
    moments = [entry.findtext(f"{space}updated") for entry in entries]
    tap.ok(root.tag == f"{space}feed" and entries and not lacks and root.find(f"{space}author/{space}name") is not None, "the feed has what RFC 4287 wants", lacks)
    tap.ok(len(set(ids)) == len(ids) and all(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name) for name in ids), "its ids are names, each once")
    tap.ok(moments == sorted(moments, reverse=True) and all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment) for moment in moments) and
           root.findtext(f"{space}updated") == moments[0], "the newest stands first")
    links = [link.get("href") for entry in entries for link in entry.findall(f"{space}link") if link.get("rel") == "alternate"]
    tap.ok(len(links) == len(entries) and all(server.get(link).status == 200 for link in links[:10]), "its entries lead to pages")
    tap.ok(root.find(f"{space}link[@rel='self']") is not None, "it says where it is")


def hostile_requests(port):
    """(name, bytes as sent, statuses that are right; 0: closed without an answer)."""
    host = f"Host: {HOST}:{port}\r\n".encode()

    def line(target, method=b"GET", version=b"HTTP/1.1", fields=b""):
        return method + b" " + target + b" " + version + b"\r\n" + host + b"Connection: close\r\n" + fields + b"\r\n"

    table = [(f"method {m}", line(b"/", m.encode()), {405, 501, 400}) for m in
             ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "G3T", "A" * 300)]
    table += [(f"path {p!r}", line(p.encode()), {404}) for p in
              ("/nothing", "/api", "/api/", "/api/none", "/..%2f..%2fetc/passwd", "/../../etc/passwd", "/page.css/", "//", "//evil.example/", "/PAGE.CSS", "/sites.conf",
               "/.git/config", "/index.html", "/%2e%2e/store/data.mdb", "/platform?site=nobody", "/platform", "/platform?site=a%20b", "/sku", "/sku?sku=NVIDIA-NONE",
               "/offer", "/offer?id=0", "/offer?id=99999999", "/offer?id=-1", "/offer?id=1e3", "/offer?id=184467440737095516160", "/archive?id=99999999")]
    table += [(f"target {p!r}", line(p.encode("latin-1")), {400}) for p in
              ("/%", "/%4", "/%zz", "/%00", "/?q=%00", "/?q=%0d%0aSet-Cookie:%20a", "/?q=%ff%fe", "/?q=%c0%af", "/?q=%ed%a0%80", "/?q=a&q=b", "/?nope=1", "/?q[]=1",
               "/?persona=nobody", "/?persona=cards%3D0", "/?currency=EURO", "/?currency=1%272", "/?lang=fr", "/?sort=up", "/?page=0", "/?page=x", "/?page=999999999",
               "/?q=sku%3D", "/?q=zzzz", "/?q=%22", "/?q=" + "a+" * 100, "/changes?since=yesterday", "/changes?since=2026-09-20&until=2026-09-01", "/index?base=2026-W99",
               "/reports?week=2026-W60", "/reports?week=2031-W01", "/reports?week=2026-W38&month=2026-09", "/reports?month=2026-13", "/?q=a#b", "/?week=2026-W38",
               "/index?since=1900-01-01", "/metrics?q=4090", "*", "x", "http:/x", "/?q=\x80")]
    table += [
        ("an address of 5,000 bytes", line(b"/?q=" + b"a" * 5000), {414}),
        ("a value of 2,000 bytes", line(b"/?q=" + b"a" * 2000), {414}),
        ("an address of 100,000 bytes", line(b"/?q=" + b"a" * 100000), {414, 400, 0}),
        ("a path of 100,000 escapes", line(b"/" + b"%41" * 100000), {414, 400, 0}),
        ("a header of 100,000 bytes", line(b"/", fields=b"X: " + b"a" * 100000 + b"\r\n"), {431, 0}),
        ("10,000 header fields", line(b"/", fields=b"X: y\r\n" * 10000), {431, 0}),
        ("a body with its length", line(b"/", fields=b"Content-Length: 5\r\n") + b"hello", {400}),
        ("a body of a terabyte announced", line(b"/", fields=b"Content-Length: 1099511627776\r\n"), {400, 413, 0}),
        ("a negative length", line(b"/", fields=b"Content-Length: -1\r\n"), {400, 0}),
        ("two lengths", line(b"/", fields=b"Content-Length: 0\r\nContent-Length: 5\r\n") + b"hello", {400}),
        ("a chunked body", line(b"/", fields=b"Transfer-Encoding: chunked\r\n") + b"5\r\nhello\r\n0\r\n\r\n", {400}),
        ("chunked and a length", line(b"/", fields=b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n") + b"0\r\n\r\n", {400}),
        ("two hosts", line(b"/", fields=b"Host: evil.example\r\n"), {400}),
        ("no host in HTTP/1.1", b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", {400}),
        ("HTTP/0.9", b"GET /\r\n\r\n", {400, 0, 505}),
        ("HTTP/2's preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 405, 505, 0}),
        ("HTTP/9.9", line(b"/", version=b"HTTP/9.9"), {400, 505, 0}),
        ("no version", b"GET / \r\n" + host + b"\r\n", {400, 505, 0}),
        ("a TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), {400, 0}),
        ("zeros", bytes(4096), {400, 431, 0}),
        ("0xFF", b"\xff" * 4096, {400, 414, 0, 431}),
        ("nothing at all", b"", {0, 400}),
        ("half a request line", b"GET /api/off", {0, 400}),
        ("a header that never ends", b"GET / HTTP/1.1\r\nHost: a", {0, 400}),
        ("a field without a colon", line(b"/", fields=b"nonsense\r\n"), {400, 0}),
        ("a folded field", line(b"/", fields=b"X: a\r\n b\r\n"), {200, 400}),
        ("NUL in a field", line(b"/", fields=b"X: a\0b\r\n"), {200, 400, 0}),
        ("NUL in the address, which ends it", line(b"/page.css\0/etc"), {200, 400, 404, 0}),
        ("a range", line(b"/page.css", fields=b"Range: bytes=0-1,2-3,4-5\r\n"), {200}),
        ("an absolute address", line(b"http://other.example/health"), {200}),
        ("an absurd If-None-Match", line(b"/page.css", fields=b"If-None-Match: " + b'"a",' * 2000 + b"\r\n"), {200, 431}),
        ("an absurd Accept-Encoding", line(b"/page.css", fields=b"Accept-Encoding: " + b"gzip;q=," * 500 + b"\r\n"), {200}),
        ("HTTP/1.0", b"GET /page.css HTTP/1.0\r\n\r\n", {200}),
    ]
    return table


def check_hostile(tap, server):
    """Each refused in one short answer; afterwards the server is as before."""
    server.get("/")
    files = server.descriptors()
    rows = hostile_requests(server.port)
    for name, request, right in rows:
        answer = server.send(request)
        short = answer.status == 200 or len(answer.body) < 8000
        quiet = answer.status in (0, 200) or "set-cookie" not in answer.headers
        tap.ok(answer.status in right and short and quiet, f"refused: {name}", f"{answer.status} {answer.raw[:300]}")
    tap.ok(len(rows) >= 60, f"{len(rows)} bad requests were sent")
    tap.ok(wait_for(lambda: server.descriptors() <= files, 15), "no descriptor is left over", (server.descriptors(), files))
    for name in ("params", "method", "precision", "context", "hours", "months", "storage", "kv-width"):
        text = "" if name == "params" else "params=7B&"
        answer = server.get(f"/advise?{text}{name}={urllib.parse.quote(HOSTILE)}")
        tap.ok(answer.status == 400 and not page_faults(answer) and "<script>alert" not in answer.text and "&lt;script&gt;" in answer.text,
               f"advise refuses what is no {name}, and shows it as text", answer.text[:1500])
    for query in ("params=", "params=0", "params=-7B", "params=1e9", "params=7B&hours=0", "params=7B&hours=1000001", "params=7B&hours=1.5", "params=7B&hours=+5", "params=7B&months=121",
                  "params=7B&hours=1&months=1", "params=7B&storage=-1", "params=7B&cards=0", "params=7B&cards=18446744073709551617", "params=7B&context=0",
                  "params=100T&batch=1000000&context=100000000", "params=7B&method=full&precision=int4", "hours=5"):
        want = 200 if query == "params=" else 400
        tap.ok([server.get(f"{path}?{query}").status for path in ("/advise", "/api/advise")] == [want, 400], f"advise?{query} is {want}")
    escaped = server.get("/?q=" + urllib.parse.quote("label~" + HOSTILE)).text + server.get("/?q=" + urllib.parse.quote(HOSTILE)).text
    tap.ok("<script>alert" not in escaped and "alert(1)" in escaped and "\u202e" not in escaped, "what is asked is shown as text", escaped[:1500])


def check_slow(tap, server):
    """Slow clients lose their place; others do not notice."""
    before = server.memory_kb()
    slow = [server.connect() for _ in range(60)]
    for sock in slow:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
    begin = time.monotonic()
    good = server.get("/api/offers")
    tap.ok(good.status == 200 and time.monotonic() - begin < 5, "sixty slow requests do not hold up another")
    end = begin + 25
    while time.monotonic() < end and any(sock is not None for sock in slow):
        for i, sock in enumerate(slow):
            if sock is None:
                continue
            try:
                sock.sendall(b"X: y\r\n")
                sock.settimeout(0.01)
                if sock.recv(100) == b"":
                    raise ConnectionError
            except socket.timeout:
                continue
            except OSError:
                sock.close()
                slow[i] = None
        time.sleep(0.5)
    took = time.monotonic() - begin
    tap.ok(all(sock is None for sock in slow) and took > 8, f"a byte now and then holds no place for ever ({took:.0f} s)")
    many, refused = [], 0
    for _ in range(100):
        sock = server.connect(timeout=5)
        sock.sendall(f"GET /page.css HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        many.append(sock)
    for sock in many:
        try:
            refused += sock.recv(10) == b""
        except OSError:
            refused += 1
    tap.same(refused, 36, "one address has 64 connections at a time")
    for sock in many:
        sock.close()
    tap.ok(wait_for(lambda: server.get("/page.css").status == 200, 5), "and may come again")
    for _ in range(200):
        sock = server.connect()
        sock.sendall(f"GET /api/index HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        sock.close()
    tap.ok(server.get("/health").status == 200 and server.process.poll() is None, "clients that leave before their answer do no harm")
    for i in range(300):
        server.get(f"/api/changes?since=2026-01-01T00:00:{i % 60:02d}Z&until=2026-09-{i % 20 + 1:02d}")
    tap.ok(server.memory_kb() - before < 400 * 1024, f"memory stays bounded ({before} to {server.memory_kb()} KiB)")


def check_access(tap, box, folder):
    """Who may listen where, and the token."""
    token = folder / "token"
    token.write_text("correct-horse-battery\n")
    for words, good in ((("--listen", "0.0.0.0:0"), "--public"), (("--listen", "[::]:0"), "--public"), (("--listen", "example.com:80"), "--listen takes"),
                        (("--listen", "127.0.0.1"), "--listen takes"), (("--listen", "127.0.0.1:99999"), "--listen takes"),
                        (("--token-file", str(token), "--public"), "not both"), (("--token-file", "/dev/null"), "token"), (("4090",), "no words"),
                        (("--lang", "fr"), "--lang")):
        done = box.run("serve", *words)
        tap.ok(done.code == 2 and good in done.err, f"serve {' '.join(words)} is refused", done)
    with Server(box, "--token-file", str(token), now=MONDAY, listen="0.0.0.0:0") as server:
        import base64
        basic = base64.b64encode(b"anybody:correct-horse-battery").decode()
        for name, lines, status in (("no token", (), 401), ("a wrong one", ("Authorization: Bearer correct-horse-batterz",), 401),
                                    ("its beginning", ("Authorization: Bearer correct-horse",), 401), ("an empty one", ("Authorization: Bearer ",), 401),
                                    ("basic nonsense", ("Authorization: Basic ====",), 401), ("two", ("Authorization: Bearer correct-horse-battery",) * 2, 401),
                                    ("the token", ("Authorization: Bearer correct-horse-battery",), 200),
                                    ("the token as a password", (f"Authorization: Basic {basic}",), 200)):
            tap.same(server.get("/api/health", *lines).status, status, f"with {name}: {status}")
        bearer = "Authorization: Bearer correct-horse-battery"
        tap.same(server.get("/archive?id=1", bearer).status, 404, "an address of the world shows no archived page")
        tap.ok("basic" in server.get("/").headers.get("www-authenticate", "").lower(), "a browser is told how to ask")
    with Server(box, "--public", now=MONDAY) as server:
        tap.ok(server.get("/").status == 200 and server.get("/archive?id=1").status == 404, "--public shows everything but archived pages")


def check_life(tap, folder):
    """Before there is a store, while a crawl commits, and the end."""
    with Market() as market:
        box = Box(folder / "life", market=market)
        with Server(box) as server:
            first = server.get("/")
            tap.ok(first.status == 503 and "retry-after" in first.headers and server.get("/page.css").status == 200, "without a store: 503, come again")
            box.crawl(DAYS[-1], now=None)
            tap.same(server.get("/metrics").status, 200, "the first crawl shows at the next request")
            tap.same(server.end(signal.SIGINT), 0, "SIGINT ends it with 0")
        with Server(box, now=MONDAY) as server:
            before = server.get("/api/changes")
            market.set_day("2026-09-21")
            box.run("crawl", "--force", *market.arguments(), now="2026-09-21T00:30:00Z")
            after = server.get("/api/changes", f"If-None-Match: {before.headers['etag']}")
            tap.ok(after.status == 200 and after.headers["etag"] != before.headers["etag"], "a crawl that commits meanwhile changes the ETag")
            have = json.loads(server.get("/api/health").text)
            tap.same(have, box.run("health", "--format", "json", now=MONDAY).json(), "and shows at the next request")
            box.run("db", "compact", now=MONDAY)
            tap.same(server.get("/api/health").status, 200, "a store in another file is read on")
            tap.same(server.end(signal.SIGTERM), 0, "SIGTERM ends it with 0")
            tap.same([line for line in server.log if line], [], "it has logged nothing")


def check_labels(tap, folder):
    """What a page prints is text wherever it is shown."""
    label = "RTX 4090 " + HOSTILE
    row = f"<tr><td>{label.replace('&', '&amp;').replace('<', '&lt;').replace(chr(34), '&quot;')}</td><td>¥1.96/小时</td></tr>"
    body = f"<!doctype html><meta charset=utf-8><table><tr><th>型号</th><th>价格(元/小时)</th></tr>{row}</table>".encode()
    web = Pages(lambda _: (200, "text/html; charset=utf-8", body))
    conf = folder / "hostile.conf"
    conf.write_text(f"[site evil]\ntitle = {HOSTILE}\nkind = vertical\n{web.reach('/p')}"
                    "currency = CNY\nextract = table\nrows = //table//tr[td]\nlabel = td[1]\nprice.hour = td[2]\nproof = unproven\n")
    box = Box(folder / "hostile", conf=conf)
    crawl = box.run("crawl", now="2026-09-21T00:00:00Z")
    with Server(box, now=MONDAY) as server:
        offers = json.loads(server.get("/api/offers").text)["offers"]
        tap.ok(len(offers) == 1 and "<script>" in offers[0]["label"], "a hostile label is on the board", f"{offers} {crawl}")
        link = re.search(r"/offer\?id=\d+", server.get("/").text)
        for target in ("/", link.group() if link else "/none", "/platform?site=evil", "/sku?sku=NVIDIA-RTX-4090", "/changes", "/health", "/history?q=4090", "/reports?week=2026-W38"):
            answer = server.get(target)
            tap.ok(answer.status == 200 and not page_faults(answer) and "<script>alert" not in answer.text and "\u202e" not in answer.text,
                   f"{target} shows it as text", page_faults(answer))
        tap.ok(xml.etree.ElementTree.fromstring(server.get("/feed.atom").body) is not None, "the feed stays XML")
        tap.ok(re.search(r'label="RTX 4090 \\"><script>', server.get("/metrics").text), "and a label of a metric", server.get("/metrics").text[:800])
    web.close()


def main():
    """One market, five days, one server."""
    tap = Tap()
    with Folder() as folder:
        with Market() as market:
            box = Box(folder, market=market)
            for day in DAYS:
                box.crawl(day)
        box.run("report", "--week", "2026-W37", "--publish", now="2026-09-14T01:00:00Z")
        with Server(box, now=MONDAY) as server:
            check_pages(tap, server)
            check_figures(tap, server, box)
            check_api(tap, server, box)
            check_openapi(tap, server)
            check_caching(tap, server)
            check_metrics(tap, server)
            check_feed(tap, server)
            check_hostile(tap, server)
            check_slow(tap, server)
            tap.same(server.end(signal.SIGTERM), 0, "SIGTERM ends the server with 0")
            tap.same(server.log, [], "no request of these made it log a fault")
        check_access(tap, box, folder)
        check_labels(tap, folder)
        check_life(tap, folder)
    tap.done()


main()
