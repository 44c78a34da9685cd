#!/usr/bin/env python3
"""Prices that turn by their own dates while the page stays as it is: every command tells the same price of the same day."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Pages, Tap  # noqa: E402

PAGE = """<html><body><table id=g><tr><th>型号</th><th>价格</th><th>优惠</th></tr>
<tr><td>RTX 4090 24G</td><td>¥2.5/时</td><td>8折，截止2026-11-30</td></tr>
<tr><td>A100 80G</td><td>¥5/时</td><td>2026年12月1日起 8折</td></tr></table></body></html>"""
RULES = """extract = table
rows = //table[@id='g']//tr[td]
label = td[1]
price = td[2]
discount = td[3]
delivery = container
currency = CNY

[alert moved]
match = 4090 A100
when = month_net moves 5% against previous
to = ops

[channel ops]
type = exec
command = /bin/cat
"""
# The day, ten o'clock in Beijing: what the 4090 costs a month, what the A100 does.
DAYS = (("2026-11-29", "1440", "3600"), ("2026-11-30", "1440", "3600"), ("2026-12-01", "1800", "2880"), ("2026-12-02", "1800", "2880"))
NOW = "2026-12-02T03:00:00Z"


def spans(box, card):
    """The history of a card: days, month, observations of each span."""
    rows = box.run("history", card, "--json", now=NOW).json().get("spans", [])
    return [(row["first"][:10], row["last"][:10], row["month_net"], row["observations"]) for row in rows]


def main():
    """Four days of one page."""
    tap = Tap()
    pages = Pages(lambda path: (200, "text/html; charset=utf-8", PAGE.encode()))
    with Folder() as folder:
        conf = folder / "conf"
        conf.write_text(f"[defaults]\nlang = en\n[site turning]\ntitle = T\n{pages.reach('/')}{RULES}", encoding="utf-8")
        box = Box(folder, conf=conf)
        for day, *months in DAYS:
            now = f"{day}T02:00:00Z"
            box.run("crawl", now=now)
            have = {row["sku"]: row["month_net"] for row in box.offers(now=now)}
            tap.same([have.get("NVIDIA-RTX-4090"), have.get("NVIDIA-A100-80G", have.get("NVIDIA-A100"))], months, f"the board of {day}")
        tap.same(spans(box, "4090"), [("2026-11-29", "2026-11-30", "1440", 2), ("2026-12-01", "2026-12-02", "1800", 2)],
                 "the history of a discount that ended has both prices, each with its days and sightings")
        tap.same(spans(box, "A100"), [("2026-11-29", "2026-11-30", "3600", 2), ("2026-12-01", "2026-12-02", "2880", 2)],
                 "so has that of one that began")
        tap.same({row["since"] for row in box.offers(now=NOW)}, {"2026-11-30T16:00:00Z"}, "the board says since when these prices hold")
        told = box.run("alerts", "list", "--json", now=NOW).json().get("events", [])
        tap.same(sorted((event["old"], event["new"], event["time"]) for event in told),
                 [("1440", "1800", "2026-12-01T02:00:00Z"), ("3600", "2880", "2026-12-01T02:00:00Z")], "each turn is told once")
        lines = {lang: box.run("alerts", "list", *words, now=NOW).out for lang, words in (("en", ()), ("zh", ("--lang", "zh")))}
        tap.ok("1440 → 1800 CNY, up" in lines["en"] and "1440 → 1800 CNY，上涨" in lines["zh"], "in the configuration's language, or in the one asked for", lines)
        tap.ok(box.run("alerts", "list", "--lang", "fr", now=NOW).code == 2, "another is refused")
        kinds = [row["kind"] for row in box.run("changes", "--json", now=NOW).json().get("changes", []) if row["kind"].startswith("promotion")]
        tap.same(sorted(kinds), ["promotion-began", "promotion-ended"], "and listed")
    pages.close()
    tap.done()


main()
