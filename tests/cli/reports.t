#!/usr/bin/env python3
"""Every report in every format is what it says it is, and says SAMPLE; files are written whole; lengths are bounded by --width."""

import csv
import html.parser
import io
import json
import re
import sys
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap  # noqa: E402

DAYS = ("2026-08-30", "2026-09-06", "2026-09-13", "2026-09-18", "2026-09-20")
MONDAY = "2026-09-21T01:00:00Z"
REPORTS = (("offers",), ("history", "4090", "--since", "2026-08-01"), ("changes", "--since", "2026-08-01"), ("index",),
           ("report", "--week", "2026-W38"), ("audit",), ("transparency",), ("breakeven",), ("advise", "--params", "70B", "--hours", "200", "--storage", "100"), ("health", "--since", "2026-08-01"))


class Page(html.parser.HTMLParser):
    """Collects what an HTML file opens, and what it would load from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.loads, self.tables = [], [], 0

    def handle_starttag(self, tag, attrs):
        """Void elements close themselves."""
        self.tables += tag == "table"
        if tag not in ("meta", "link", "br", "img", "hr", "input", "col", "path", "line", "rect", "circle", "polyline"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "src" or (tag == "link" and name == "href"):
                self.loads.append(value)

    def handle_endtag(self, tag):
        """Closes the element that is open, if it is that one."""
        if self.open and self.open[-1] == tag:
            self.open.pop()


def width(line):
    """Terminal columns of a line."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1 for char in line)


def is_json(text):
    """One object or array with something in it."""
    try:
        return bool(json.loads(text))
    except ValueError:
        return False


def is_csv(text):
    """Blocks of rows of equal length; no cell begins a formula."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    return len(rows) > 1 and not any(cell[:1] in "=@" for row in rows for cell in row if cell)


def is_html(text):
    """Closed, self-contained, with a table."""
    page = Page()
    page.feed(text)
    return page.open == [] and page.loads == [] and page.tables > 0 and text.lstrip().lower().startswith("<!doctype html>")


def is_markdown(text):
    """Pipe tables whose rows have as many cells as their heading."""
    tables = re.findall(r"(?:^\|.*\|$\n?)+", text, re.M)
    return bool(tables) and all(len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1 for table in tables)


FORMATS = (("text", lambda text: len(text.splitlines()) > 3), ("md", is_markdown), ("html", is_html), ("csv", is_csv), ("json", is_json))


def check_formats(tap, box):
    """All reports × all formats."""
    for words in REPORTS:
        for name, is_good in FORMATS:
            done = box.run(*words, "--format", name, now=MONDAY)
            tap.ok(done.code == 0 and is_good(done.out), f"{words[0]} as {name}", done)
            tap.ok("SAMPLE" in done.out or name == "json" and "sample" in done.out.lower(), f"{words[0]} as {name} says SAMPLE",
                   done.out[:600])


def check_currencies(tap, box):
    """Each change in its own currency, on one board of several."""
    rows = [line for line in box.run("changes", "--since", "2026-08-01", "--format", "md", now=MONDAY).out.splitlines() if line.startswith("| 2026-")]
    for site, currency in (("AutoDL", "人民币"), ("Cerebrium", "美元"), ("E2E Networks", "INR")):
        printed = {line.split(" | ")[4] for line in rows if f" | {site} | " in line and "| 上新 |" in line}
        tap.same(printed, {currency}, f"what {site} changed is in its currency")


def check_details(tap, box, folder):
    """Languages, widths, files, byte order marks."""
    zh, en = (box.run("offers", "--lang", lang, now=MONDAY).out for lang in ("zh", "en"))
    tap.ok(zh != en and re.search("[一-鿿]", zh), "two languages")
    narrow = box.run("offers", "--width", "100", now=MONDAY).out
    wide = [line for line in narrow.splitlines() if width(line) > 100]
    tap.ok(not wide, "--width 100 keeps to 100 columns", "\n".join(wide[:5]))
    narrow = box.run("breakeven", "--width", "80", "--lang", "en", now=MONDAY).out
    wide = [line for line in narrow.splitlines() if width(line) > 80]
    tap.ok(not wide and "break" in narrow.lower(), "a table of many figures keeps to 80 columns", "\n".join(wide[:5]))
    bom = box.run("offers", "--format", "csv", "--bom", now=MONDAY).out
    tap.ok(bom.startswith("\ufeff"), "--bom begins with a byte order mark")
    path = folder / "report.html"
    done = box.run("report", "--week", "2026-W38", "--format", "html", "-o", path, now=MONDAY)
    tap.ok(done.code == 0 and is_html(path.read_text(encoding="utf-8")) and done.out == "", "-o writes the file and nothing else", done)
    nowhere = box.run("report", "--format", "html", "-o", folder / "none" / "x.html", now=MONDAY)
    tap.ok(nowhere.code == 1 and "none" in nowhere.err, "a place that cannot be written is named", nowhere)
    piped = box.run("offers", now=MONDAY, stdin=None)
    tap.ok("\x1b[" not in piped.out, "no colours where there is no terminal")


def check_json(tap, box):
    """The board's JSON as scripts rely on it."""
    fields = {"site", "label", "sku", "sku_status", "class", "cards", "delivery", "tier", "region", "availability", "min_cards", "min_term",
              "tax", "currency", "hour_list", "hour_net", "month_list", "month_net", "month_alt", "bound", "evidence", "formula",
              "provenance", "doubted", "stale", "since", "seen", "age_s", "page"}
    board = box.run("offers", "--json", now=MONDAY).json()
    offers = board.get("offers", [])
    missing = [fields - set(offer) for offer in offers if fields - set(offer)]
    tap.ok(offers and not missing, "every offer has every field", missing[:1])
    tap.ok({"now", "persona", "hours_per_month"} <= set(board), "the board says when and for whom", list(board))
    amounts = [offer[key] for offer in offers for key in ("hour_list", "hour_net", "month_list", "month_net", "month_alt") if offer[key]]
    tap.ok(amounts and all(re.fullmatch(r"\d+(\.\d*[1-9])?", amount) for amount in amounts), "amounts are shortest decimals", amounts[:20])


def check_holdings(tap, market, folder):
    """What is rented stands in the weekly report, in every format, and nowhere else."""
    conf = folder / "holdings.conf"
    shipped = (ROOT / "sites.conf").read_text(encoding="utf-8")
    conf.write_text(shipped + "[holding train-a]\nmatch = 4090 delivery=container site=jygpu\ncards = 16\nmonth = 1104 CNY\nuntil = 2026-12-20\n",
                    encoding="utf-8")
    box = Box(folder, conf=conf, market=market)
    rows = box.run("report", "--week", "2026-W38", "--json", now=MONDAY).json()["holdings"]
    have = [(row["holding"], row["site"], row["low"], row["difference"], row["percent"], row["days"]) for row in rows]
    tap.same(have, [("train-a", "jygpu", "1074", "480", "2.79", 91)], "16 cards at 1104 against 1074: 480 a month, 91 days left")
    for name, _ in FORMATS:
        text = box.run("report", "--week", "2026-W38", "--format", name, now=MONDAY).out
        tap.ok("train-a" in text and "480" in text, f"the contract stands in the report as {name}", text[:400])
    none = [words for words in REPORTS if words[0] != "report" and "train-a" in box.run(*words, now=MONDAY).out]
    tap.same(none, [], "no other report tells of it")
    conf.write_text(shipped + "[holding train-a]\nmatch = 4090\nmonth = 0 CNY\n", encoding="utf-8")
    done = box.run("report", now=MONDAY)
    tap.ok(done.code == 2 and "holdings.conf:" in done.err and "above 0" in done.err, "a contract that costs nothing is refused, with its place", done)


def main():
    """Five crawls, then everything."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS:
            tap.same(box.crawl(day).code, 0, f"the crawl of {day} ends with 0")
        check_formats(tap, box)
        check_currencies(tap, box)
        check_details(tap, box, folder)
        check_json(tap, box)
        check_holdings(tap, market, folder)
    tap.done()


main()
