#!/usr/bin/env python3
"""Marketplaces: offers that come and go at prices that always move. How they are spread in each run is exact: beside a reckoning from the listings."""

import http.server
import json
import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Tap  # noqa: E402

SECTION = """[site bazaar]
title = Bazaar
kind = market
market = overseas
url = http://127.0.0.1:{port}/offers
allow_private = yes
allow_ports = {port}
robots = ignore
delay = 0
every = 1h
currency = USD
tier = on-demand
basis = node
delivery = container
extract = json
rows = .offers[] | {{label: .gpu, cards: .cards, key: .id, "price.hour.node": .price}}
proof = unproven
"""
START, HOUR, RUNS, BROKEN = 1788220800, 3600, 30, 11
PERCENTS = (("p10", 10), ("p25", 25), ("median", 50), ("p75", 75))


class Bazaar:
    """A marketplace on loopback: its offers as they stand, or an error."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.offers, self.next, self.fails = {}, 1, False
        for _ in range(60):
            self.come()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One fetch."""

            def do_GET(self):
                """The offers, without validators."""
                body = json.dumps({"offers": [{"id": key, **offer, "price": f"{offer['price'] / 100:.2f}"} for key, offer in owner.offers.items()]}).encode()
                self.send_response(503 if owner.fails else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

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

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()


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
    rows, wrong = spreads_of(box, stamp(RUNS)), []
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


def main():
    """A marketplace of thirty hours."""
    tap = Tap()
    bazaar = Bazaar(7)
    with Folder() as folder:
        conf = folder / "sites.conf"
        conf.write_text(SECTION.format(port=bazaar.port), encoding="utf-8")
        box = Box(folder, conf=conf)
        shown = play(box, bazaar)
        check_exact(tap, box, shown)
        check_shown(tap, box)
        tap.ok(box.run("db", "check").code == 0, "db check finds nothing")
    bazaar.close()
    tap.done()


main()
