#!/usr/bin/env python3
"""Each guard through a crawl: what it doubts, what releases the doubt, and what never does. A page of one's own over four days; the
second day shows the failure, the third and the fourth show it again in other bytes. Behind each stands a failure of a real price history."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Pages, Tap, noon  # noqa: E402

DAYS = [f"2026-09-{day:02}" for day in range(14, 20)]
SECTION = """[site mine]
title = Mine
kind = cloud
{reach}currency = CNY
extract = table
rows = //table[@id='prices']//tr[td]
label = td[1]
plan = td[2]
price.hour = td[3]
price.month = td[4]
price.hour.12m = td[5]
price.hour.spot = td[6]
proof = unproven
"""
CARDS = ("RTX 4090", "A100 80G PCIe", "L40S", "H20 96G", "RTX 3090", "A40", "RTX 5090", "L20", "A800 80G", "V100 SXM2 32G", "RTX A6000", "T4")
PRICES = ("1.98", "7.52", "4.98", "7.75", "1.39", "3.14", "3.25", "4.05", "7.81", "2.61", "2.33", "1.21")
BASE = [(card, "按量", f"¥{price}/时") for card, price in zip(CARDS, PRICES)]


class Page(Pages):
    """A price page on loopback."""

    def __init__(self):
        self.body = b""
        super().__init__(lambda _: (200, "text/html; charset=utf-8", self.body))

    def show(self, rows, note, name="prices"):
        """Puts rows on the page; the note makes the bytes others."""
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row + ("",) * (6 - len(row))) + "</tr>" for row in rows)
        self.body = (f"<html><body><h1>算力价格</h1><table id='{name}'><tr><th>型号</th><th>计费</th><th>价格</th><th>包月</th>"
                     f"<th>一年</th><th>抢占</th></tr>{lines}</table><p>{note}</p></body></html>").encode()


def changed(changes, rows=None):
    """Rows with some replaced: {label: (plan, hour, month, year)}."""
    return [((row[0],) + changes[row[0]]) if row[0] in changes else row for row in (rows or BASE)]


def times(factor):
    """All prices of the base by one factor, to the cent."""
    return [(card, "按量", f"¥{float(price) * factor:.2f}/时") for card, price in zip(CARDS, PRICES)]


def many(count):
    """As many rows as asked for: twelve cards in regions of their own plan."""
    return [(CARDS[i % 12], f"按量 {i // 12} 区", f"¥{float(PRICES[i % 12]) * (1 + (i // 12) / 100):.2f}/时") for i in range(count)]


NODE = [("RTX 4090 8卡整机", "按量", "¥15.84/台/时")] + BASE[1:]
# name | the first day's rows | the failure | labels that are doubted (None: all) | what the doubt says | releases itself
CASES = (
    ("a node's price became a card's (2026-02-19: 133 series ÷ 8 in one night)", NODE, [("RTX 4090 8卡整机", "按量", "¥1.98/台/时")] + BASE[1:],
     {"RTX 4090 8卡整机"}, "÷8: per-node became per-card", False),
    ("a card's price became a node's", NODE[:1] + BASE[1:], [("RTX 4090 8卡整机", "按量", "¥126.72/台/时")] + BASE[1:],
     {"RTX 4090 8卡整机"}, "×8: per-card became per-node", False),
    ("the decimal point moved", BASE, changed({"L40S": ("按量", "¥49.80/时")}), {"L40S"}, "×10", False),
    ("an hour became a month", BASE, changed({"H20 96G": ("按量", "¥5580/时")}), {"H20 96G"}, "×720", False),
    ("the sign changed, the figure stayed", BASE, changed({"A40": ("按量", "$3.14/hr")}), {"A40"}, "CNY became USD, the figure stayed", False),
    ("every price moved by a rate of exchange (38 % of the moves of a real series)", BASE, times(1 / 7.2), None, "yuan became dollars", False),
    ("seven rows of twelve are gone (2026-03-07: 367 rows, then 104)", BASE, BASE[:5], None, "5 rows, the median of recent runs is 12", False),
    ("exactly 64 rows (a request's limit; the median moved without a market)", many(40), many(64), None, "exactly 64 rows: the answer was cut at a limit", False),
    ("all at one price (a click that did not register)", BASE, [(card, "按量", "¥3.14/时") for card in CARDS], None, "12 different cards all cost 3.14", False),
    ("one took its neighbour's price", BASE, changed({"RTX 3090": ("按量", "¥3.14/时")}), {"RTX 3090"}, "just what its neighbour NVIDIA-A40 costs", False),
    ("an H200 for six cents, on its first day", BASE, BASE + [("H200 141G", "按量", "¥0.06/时")], {"H200 141G"}, "NVIDIA-H200 costs 4 to 200 CNY", False),
    ("an H100 for the price of eight, on its first day", BASE, BASE + [("H100 SXM", "按量", "¥706/时")], {"H100 SXM"}, "NVIDIA-H100-SXM costs 3 to 200 CNY", False),
    ("spot above on demand", BASE + [("RTX 4090", "抢占式", "¥1.20/时")], BASE + [("RTX 4090", "抢占式", "¥2.20/时")], {"RTX 4090/抢占式"},
     "spot is 2.2 an hour, on demand in the row \"按量\" 1.98", False),
    ("spot above on demand in one row", BASE, changed({"A40": ("按量", "¥3.14/时", "", "", "¥3.60/时")}), {"A40"}, "spot is 3.6 an hour, on demand 3.14", False),
    ("a month above all its hours", BASE, changed({"L20": ("按量", "¥4.05/时", "¥3600/月")}), {"L20"}, "744 hours at 4.05 are 3013.2", False),
    ("who binds himself for a year pays more", BASE, changed({"A40": ("按量", "¥3.14/时", "", "¥3.60/时")}), {"A40"}, "bound for 12 months the month is 2592, unbound 2336.16", False),
    ("two prices for one and the same row", BASE, BASE + [("RTX 5090", "按量", "¥3.60/时")], {"RTX 5090"}, "3.25 and 3.6", False),
    ("other words and a node's price at once", BASE, BASE[:2] + [("L40S", "按需", "¥39.84/时")] + BASE[3:], {"L40S/按需"},
     "×8: per-card became per-node", False),
    ("a newcomer on a page of slips", BASE, times(1 / 7.2) + [("H800", "按量", "¥1.74/时")], None, "yuan became dollars", False),
    ("a plain large move", BASE, changed({"RTX 5090": ("按量", "¥18.30/时")}), {"RTX 5090"}, "from 3.25 to 18.3, more than 5 times", True),
)
# What no guard may hold up.
PASSES = (
    ("a tenth cheaper", BASE, changed({"RTX 5090": ("按量", "¥2.93/时")})),
    ("all a tenth cheaper: somebody's decision", BASE, times(0.9)),
    ("one row less", BASE, BASE[:11]),
    ("three rows of twelve less", BASE, BASE[:9]),
    ("63 rows", many(40), many(63)),
    ("64 rows where there were 70", many(70), many(64)),
    ("two cards at one price", BASE, changed({"A40": ("按量", "¥2.90/时"), "V100 SXM2 32G": ("按量", "¥2.90/时")})),
    ("a row printed twice", BASE, BASE + BASE[:1]),
    ("spot below on demand", BASE, BASE + [("RTX 4090", "抢占式", "¥1.19/时")]),
    ("a month of 744 hours", BASE, changed({"L20": ("按量", "¥4.05/时", "¥3013/月")})),
    ("a spot price that is cheaper, in one row", BASE, changed({"A40": ("按量", "¥3.14/时", "", "", "¥1.60/时")})),
    ("a year that is cheaper", BASE, changed({"A40": ("按量", "¥3.14/时", "", "¥2.60/时")})),
    ("other words at the price from before", BASE, BASE[:2] + [("L40S", "按需", "¥4.98/时")] + BASE[3:]),
    ("other words and a third dearer", BASE, BASE[:2] + [("L40S 48G", "按需", "¥6.60/时")] + BASE[3:]),
    ("a newcomer at a price that it has elsewhere", BASE, BASE + [("H800", "按量", "¥12.50/时")]),
)


def key_of(label, plan):
    """How a row is named here: its label, with its plan where that tells rows apart."""
    return label if plan in ("", None, "按量") else f"{label}/{plan}"


class Played:
    """Pages shown on successive days, and what was known after each."""

    def __init__(self, folder, page):
        conf = Path(folder) / "mine.conf"
        conf.write_text(SECTION.format(reach=page.reach("/prices")), encoding="utf-8")
        self.box, self.page, self.day = Box(folder, conf=conf), page, -1

    def crawl(self, rows, name="prices"):
        """The next day's page; (standing, doubted): label, or label/plan where plans differ, to the figures shown."""
        self.day += 1
        self.page.show(rows, f"第 {self.day} 天", name)
        self.done = self.box.run("crawl", now=noon(DAYS[self.day]))
        return self.board()

    def board(self):
        """What stands and what is doubted."""
        offers = self.box.offers(now=DAYS[self.day] + "T03:00:00Z")
        standing, doubted, self.doubts = {}, {}, ""
        for offer in offers:
            key = key_of(offer["label"], offer["plan"])
            (doubted if offer["doubted"] else standing).setdefault(key, []).append((offer["hour_list"], offer["month_list"]))
            self.doubts += f" {offer['doubt']}" if offer["doubted"] else ""
        self.cheapest_doubted = [offer["label"] for offer in offers if offer["doubted"] and offer["cheapest"]]
        return standing, doubted

    def release(self, count):
        """A person's word on every doubt there is, of which there are `count`. How many were released."""
        released = 0
        for offer in range(1, 200):
            released += self.box.run("db", "release", offer, "looked at", now=noon(DAYS[self.day])).code == 0
            if released == count:
                break
        return released


def check_case(tap, page, case):
    """One failure over four days."""
    name, before, after, labels, words, is_released = case
    with Folder() as folder:
        played = Played(folder, page)
        held, none = played.crawl(before)
        tap.ok(held and not none, f"{name}: nothing is doubted before", none)
        standing, doubted = played.crawl(after)
        tap.same(set(doubted), labels or {key_of(row[0], row[1]) for row in after}, f"{name}: it is doubted")
        tap.ok(words in played.doubts and played.doubts.strip(), f"{name}: with a sentence", played.doubts)
        same = {key: value for key, value in standing.items() if key in held}
        tap.same(same, {key: value for key, value in held.items() if key in same}, f"{name}: what stood goes on standing")
        tap.ok(len(same) == len(held) or "two prices" in name or "other words" in name, f"{name}: and none of it is gone", set(held) - set(same))
        tap.same(played.cheapest_doubted, [], f"{name}: nothing doubted is the cheapest")
        for _ in range(2):
            standing, again = played.crawl(after)
        if is_released:
            tap.same(again, {}, f"{name}: other bytes that show it again release it")
            return
        tap.same(set(again), set(doubted), f"{name}: two more pages that show it release nothing")
        tap.ok(played.release(sum(map(len, again.values()))) > 0, f"{name}: a person can", played.doubts)
        standing, rest = played.board()
        tap.ok(all(key in standing for key in doubted) and not rest, f"{name}: then it stands", (doubted, rest))
        tap.ok(played.box.run("db", "check").code == 0, f"{name}: and the store is clean")


def check_pass(tap, page, case):
    """What is no failure stands on the day it is shown."""
    name, before, after = case
    with Folder() as folder:
        played = Played(folder, page)
        played.crawl(before)
        standing, doubted = played.crawl(after)
        tap.same(doubted, {}, f"{name} is no doubt")
        tap.ok(len(standing) > 0, f"{name}: and there is a board", standing)


def check_drifted(tap, page):
    """The rules find nothing any more, guessing does: what it finds stands for nothing until the rules are mended."""
    with Folder() as folder:
        played = Played(folder, page)
        held, _ = played.crawl(BASE)
        for _ in range(3):
            standing, doubted = played.crawl(changed({"RTX 4090": ("按量", "¥1.80/时")}), name="other")
        tap.ok(doubted and "the rules found nothing" in played.doubts, "a new layout is read by guessing, and doubted", (doubted, played.doubts, played.done))
        tap.same({key: standing.get(key) for key in held}, held, "the prices from before stand")
        standing, doubted = played.crawl(changed({"RTX 4090": ("按量", "¥1.80/时")}))
        tap.ok(standing["RTX 4090"] == [("1.8", None)] and not doubted, "rules that find rows again say what it costs", (standing, doubted))


def main():
    """All failures, then what is none."""
    tap = Tap()
    page = Page()
    for case in CASES:
        check_case(tap, page, case)
    for case in PASSES:
        check_pass(tap, page, case)
    check_drifted(tap, page)
    page.close()
    tap.done()


main()
