#!/usr/bin/env python3
"""Marketplaces: offers that come and go at prices that always move. How they are spread in each run is exact: beside a reckoning from the listings."""

import json
import random
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Pages, Tap  # noqa: E402

SECTION = """[site bazaar]
title = Bazaar
kind = market
market = overseas
{reach}currency = USD
tier = on-demand
basis = node
delivery = container
extract = json
rows = .offers[] | {{label: .gpu, cards: .cards, key: .id, "price.hour.node": .price}}
proof = unproven
"""
START, HOUR, RUNS, BROKEN = 1788220800, 3600, 30, 11
PERCENTS = (("p10", 10), ("p25", 25), ("median", 50), ("p75", 75))


class Bazaar(Pages):
    """A marketplace on loopback: its offers as they stand, or an error."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.offers, self.next, self.fails = {}, 1, False
        for _ in range(60):
            self.come()
        super().__init__(self.answer)

    def answer(self, _):
        """The offers that there are."""
        offers = [{"id": key, **offer, "price": f"{offer['price'] / 100:.2f}"} for key, offer in self.offers.items()]
        return 503 if self.fails else 200, "application/json", json.dumps({"offers": offers}).encode()

    def come(self):
        """A new offer: one card, or a node of four or eight."""
        cards = self.random.choice((1, 1, 4, 8))
        self.offers[f"m{self.next}"] = {"gpu": "RTX 4090", "cards": cards, "price": self.random.randrange(30, 60) * cards}
        self.next += 1

    def move(self):
        """An hour: some go, as many and some more or fewer come, one in three asks something else."""
        for key in self.random.sample(sorted(self.offers), 6):
            del self.offers[key]
        for _ in range(self.random.randrange(4, 9)):
            self.come()
        for offer in self.offers.values():
            if self.random.random() < 0.33:
                offer["price"] += self.random.choice((-1, 1)) * offer["cards"]

    def spreads(self):
        """What stands there, reckoned anew: one card apart from nodes."""
        found = {}
        for is_node in (False, True):
            items = sorted((offer["price"] // offer["cards"], offer["cards"]) for offer in self.offers.values() if (offer["cards"] > 1) == is_node)
            total = sum(cards for _, cards in items)
            row = {"min": items[0][0], "offers": len(items), "cards": total}
            for name, percent in PERCENTS:
                row[name] = next(price for i, (price, _) in enumerate(items) if sum(cards for _, cards in items[:i + 1]) * 100 >= total * percent)
            found["node" if is_node else "one"] = row
        return found


def stamp(run):
    """--now of a run."""
    return f"@{START + run * HOUR}"


def play(box, bazaar):
    """Hours of the marketplace; what each good one showed."""
    shown = []
    for run in range(RUNS):
        bazaar.fails = run == BROKEN
        box.run("crawl", "bazaar", now=stamp(run))
        if not bazaar.fails:
            shown.append((START + run * HOUR, bazaar.spreads()))
        bazaar.move()
    return shown


def spreads_of(box, now, *words):
    """Each good run's spread as `history` tells it, by class and time: rows of runs in a row are taken apart."""
    rows = box.run("history", "site=bazaar", "--persona", "pay=hour", "--since", f"@{START}", "--json", *words, now=now).json()["markets"]
    return [("node" if "/node/" in row["class"] else "one", row) for row in rows]


def check_exact(tap, box, shown):
    """Each run's spread is the listing's own."""
    rows, wrong = spreads_of(box, stamp(RUNS + 2)), []
    for kind in ("one", "node"):
        own = [row for name, row in rows if name == kind]
        tap.same(sum(row["runs"] for row in own), len(shown), f"{kind}: every good run is in a row, the broken one in none")
        for at, spreads in shown:
            when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
            row = next((row for row in own if row["first"] <= when <= row["last"]), {})
            have = {name: round(float(row.get(name, 0)) * 100) if name not in ("offers", "cards") else row.get(name) for name in spreads[kind]}
            if have != spreads[kind]:
                wrong.append((kind, when, have, spreads[kind]))
    tap.ok(not wrong, f"{len(shown)} runs, two classes: lowest, percentiles, offers and cards are those of the listings", wrong[:3])


def check_shown(tap, box):
    """For people: a line a day."""
    out = box.run("history", "4090", "site=bazaar", "--persona", "pay=hour", "--lang", "en", "--format", "md", "--since", f"@{START}", now=stamp(RUNS)).out
    lines = [line for line in out.split("spread of its offers", 1)[-1].split("\n### ")[0].splitlines() if line.startswith("| 2026-")]
    tap.ok("Bazaar · spread of its offers (per card, weighted by cards)" in out and len(lines) == 2, "people see a line a day", out[:1500])


def listed(box):
    """What stands: the board to the byte, by its own moments."""
    return box.run("offers", "site=bazaar", "--persona", "pay=hour", "--json", now=stamp(RUNS)).out


def check_keep(tap, box, shown, bazaar):
    """Old offers are let go; what stands, and every run's spread, are what they were; a second time there is nothing to do."""
    conf = box.conf.read_text(encoding="utf-8")
    box.conf.write_text(conf + "keep = 1d\n", encoding="utf-8")
    before, later = listed(box), f"@{START + 20 * HOUR + 86400}"
    done = box.run("db", "compact", now=later)
    found = re.search(r"bazaar: (\d+) spans that ended before 2026-09-01 let go, (\d+) records", done.out)
    tap.ok(done.code == 0 and found and int(found[1]) > 200 and int(found[2]) > 5, "db compact lets old offers go, and says how many", done)
    tap.ok(listed(box) == before, "the board is what it was, to the byte")
    check_exact(tap, box, shown)
    spans = box.run("history", "site=bazaar", "--since", f"@{START}", "--json", now=stamp(RUNS)).json()["spans"]
    tap.ok(spans and min(span["last"] for span in spans) >= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + 18 * HOUR)), "spans that had ended are gone", spans[:2])
    month = box.run("history", "site=bazaar", "--since", f"@{START}", "--json", now=stamp(RUNS)).json()["markets"]
    special = box.run("history", "site=bazaar", "--persona", "student", "--since", f"@{START}", "--json", now=stamp(RUNS)).json()["markets"]
    tap.ok(month and month[0]["first"] < special[0]["first"], "for a special persona only what spans tell", (month[:1], special[:1]))
    tap.ok("0 spans" in box.run("db", "compact", "--pack", now=later).out, "a second time there is nothing to let go")
    tap.ok(box.run("db", "check").code == 0, "db check finds nothing")
    bazaar.fails = False
    box.run("crawl", "bazaar", now=stamp(RUNS + 1))
    check_exact(tap, box, shown + [(START + (RUNS + 1) * HOUR, bazaar.spreads())])
    tap.ok("spans that ended" in box.run("db", "compact", now=f"@{START + 26 * HOUR + 86400}").out, "days later more goes")
    check_exact(tap, box, shown + [(START + (RUNS + 1) * HOUR, bazaar.spreads())])


def check_moves(tap, box, folder, shown):
    """Out and in again, and from the archive, nothing of it is lost."""
    first, second = folder / "first.jsonl", folder / "second.jsonl"
    box.run("export", "-o", first, now=stamp(RUNS))
    other = Box(folder / "other", conf=box.conf)
    done = other.run("import", "--history", first)
    other.run("export", "-o", second, now=stamp(RUNS))
    tap.ok(done.code == 0 and first.read_bytes() == second.read_bytes(), "an export makes the same store", done)
    check_exact(tap, other, shown)
    before = listed(box)
    done = box.run("db", "rebuild", now=stamp(RUNS + 2))
    tap.ok(done.code == 0 and listed(box) == before, "a rebuild from the archive has the same board", done)
    check_exact(tap, box, shown)
    conf = box.conf.read_text(encoding="utf-8")
    box.conf.write_text(conf.replace("kind = market", "kind = cloud"), encoding="utf-8")
    done = box.run("db", "compact", now=stamp(RUNS + 2))
    tap.ok(done.code == 2 and "goes with `kind = market`" in done.err, "prices of a list are kept: the key is refused", done)


def main():
    """A marketplace of thirty hours."""
    tap = Tap()
    bazaar = Bazaar(7)
    with Folder() as folder:
        conf = folder / "sites.conf"
        conf.write_text(SECTION.format(reach=bazaar.reach("/offers")), encoding="utf-8")
        box = Box(folder, conf=conf)
        shown = play(box, bazaar)
        check_exact(tap, box, shown)
        check_shown(tap, box)
        check_keep(tap, box, shown, bazaar)
        check_moves(tap, box, folder, shown + [(START + (RUNS + 1) * HOUR, bazaar.spreads())])
    bazaar.close()
    tap.done()


main()
