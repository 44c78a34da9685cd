#!/usr/bin/env python3
"""Exchange rates: fetched like any page, kept as a series, shown beside printed prices, and never in a board, change, low or alert."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Pages, Tap, noon  # noqa: E402

CONF = """[site ecb]
title = ECB
kind = fx
market = overseas
{rates}currency = EUR
decimal = .
extract = table
rows = //*[@currency][@rate]
label = @currency
price = @rate
[site mine]
title = Mine
kind = cloud
{prices}currency = USD
extract = table
rows = //tr[td]
label = td[1]
price.hour = td[2]
[alert moved]
when = hour_net moves 1% against previous
[alert since]
when = hour_net moves 1% against last-alerted
[alert usual]
when = hour_net moves 1% against median 1d
[alert class]
when = class low hour_net moves 1% against last-alerted
[alert low]
when = hour_net new low 1d
[alert below]
when = hour_net below 3.60 CNY
initial = fire
[alert above]
when = hour_net above 0.10 CNY
initial = fire
[alert control]
when = hour_net above 0.10 USD
initial = fire
[alert holding]
when = market 1% under holding
[holding one]
match = 4090
month = 9999 CNY
[fx]
base = CNY
rate.USD = 7.00 2026-09-01
"""
PRICES = "<html><body><table><tr><th>GPU</th><th>hour</th></tr><tr><td>RTX 4090 24GB</td><td>$0.50/hr</td></tr></table></body></html>"


class Bank(Pages):
    """The rates of the day, and a price page."""

    def __init__(self, rates):
        self.rates = rates
        super().__init__(lambda path: (200, "text/xml", self.rates) if path == "/daily.xml" else (200, "text/html; charset=utf-8", PRICES.encode()))


def converted(box, code, now):
    """What the one offer costs in a currency, and the rates used."""
    board = box.run("offers", "4090", "--persona", "pay=hour", "--in", code, "--json", now=now).json()
    row = board["offers"][0]
    return row["converted"], [(rate["one"], rate["many"], rate["rate"], rate["source"], rate["day"]) for rate in board["rates"]]


def main():
    """Configured rates, fetched ones, moved ones, old ones."""
    tap = Tap()
    rates = (ROOT / "tests" / "fixtures" / "ecb" / "daily.xml").read_bytes()
    pages = Bank(rates)
    with Folder() as folder:
        conf = Path(folder) / "own.conf"
        conf.write_text(CONF.format(rates=pages.reach("/daily.xml"), prices=pages.reach("/prices")), encoding="utf-8")
        box = Box(folder, conf=conf)
        tap.same(box.run("crawl", "mine", now=noon("2026-09-17")).code, 0, "the price page is fetched")
        tap.same(converted(box, "CNY", noon("2026-09-17")), ("3.5", [("USD", "CNY", "7", "sites.conf", "2026-09-01")]),
                 "without a fetched rate the configured one is used, with its day: 0.5 x 7")
        tap.same(box.run("crawl", now=noon("2026-09-18")).code, 0, "rates and prices are fetched")
        tap.same(converted(box, "CNY", noon("2026-09-18"))[0], "3.55", "a fetched way through euro goes before a configured rate: 0.5 / 1.1 x 7.81")
        tap.same(converted(box, "EUR", noon("2026-09-18")), ("0.4545", [("EUR", "USD", "1.1", "ecb", "2026-09-18")]), "a fetched rate: 0.5 / 1.1")
        text = box.run("offers", "--in", "EUR", "--lang", "en", now=noon("2026-09-18")).out
        tap.ok("1 EUR = 1.1 USD (ecb, 2026-09-18)" in text and "by the printed currency" in text, "the foot names rate and day", text)
        tap.same([row["label"] for row in box.run("offers", "--json", now=noon("2026-09-18")).json()["offers"]], ["RTX 4090 24GB"], "rates stand on no board")
        tap.same(box.run("offers", "site=ecb", "--json", now=noon("2026-09-18")).json()["offers"], [], "not even when asked for by name")
        pages.rates = rates.replace(b"rate='1.1000'", b"rate='1.2500'")
        tap.same(box.run("crawl", now=noon("2026-09-19")).code, 0, "the next day's file is fetched")
        tap.same(converted(box, "EUR", noon("2026-09-19"))[0], "0.4", "the rate of the day is used: 0.5 / 1.25")
        tap.same(converted(box, "EUR", noon("2026-09-18"))[0], "0.4545", "an earlier board has the rate of its day")
        changes = box.run("changes", "--since", "2026-09-01", "--json", now=noon("2026-09-19")).json()["changes"]
        tap.ok(not any(change["site"] == "ecb" and change["label"] for change in changes), "a rate's move is no change of a price", changes)
        named = box.run("changes", "site=ecb", "--since", "2026-09-01", "--json", now=noon("2026-09-19")).json()["changes"]
        tap.ok(any(change["label"] == "USD" for change in named), "who asks for the site sees it", named)
        tap.ok("USD" in box.run("history", "site=ecb", "--since", "2026-09-01", now=noon("2026-09-19")).out, "the series is kept")
        alerts = box.run("alerts", "list", "--json", now=noon("2026-09-19"))
        tap.same([event["rule"] for event in alerts.json().get("events", [])], ["control"],
                 "of rules for moves, lows and amounts in yuan none fires while only a rate moves; one for dollars has at first sight")
        old = noon("2026-09-30")
        tap.same(converted(box, "CNY", old)[1], [("USD", "CNY", "7", "sites.conf", "2026-09-01")], "an old file is not used: the configured rate is")
        tap.same(converted(box, "EUR", old), (None, []), "and where there is none, nothing is converted")
        week = box.run("report", "--week", "2026-W38", "--in", "CNY", "--json", now=old).json()
        tap.same([(row["low"], row["converted"], row["converted_currency"]) for row in week["classes"]], [("360", "2249.28", "CNY")],
                 "a week's low is converted by the rates of the week's end, not of today: 0.5 x 720 / 1.25 x 7.81")
        tap.same([(rate["rate"], rate["source"], rate["day"]) for rate in week["rates"]], [("1.25", "ecb", "2026-09-19"), ("7.81", "ecb", "2026-09-19")],
                 "whose file was the last of that week")
        text = box.run("report", "--week", "2026-W38", "--in", "CNY", "--lang", "en", "--width", "100", now=old).out
        tap.ok("2249.28" in text.split("==")[0] and "1 EUR = 7.81 CNY (ecb, 2026-09-19)" in text, "the first screen shows it, the foot names rate and day", text)
        plain = box.run("report", "--week", "2026-W38", "--json", now=old).json()
        tap.ok("rates" not in plain and plain["classes"][0]["converted"] is None, "without --in nothing is converted")
        bad = box.run("offers", "--in", "yuan", now=old)
        tap.ok(bad.code == 2 and "--in takes" in bad.err, "a word that is no code is refused", bad)
        check = box.run("db", "check", now=old)
        tap.same(check.code, 0, "the store is sound")
    pages.close()
    tap.done()


main()
