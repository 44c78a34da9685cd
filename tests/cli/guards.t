#!/usr/bin/env python3
"""Guards through the whole program: what is doubted, or not sure, is shown as such and enters no low, median, move or alert."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, scenario  # noqa: E402

DAYS = [f"2026-09-{day:02}" for day in range(12, 21)]
LAST, BEFORE = DAYS[-1], DAYS[-2]
MONDAY = "2026-09-20T17:00:00Z"
# What moves in either market, so that there is something to be told.
MARKET = (("www.autodl.com", "-", "2026-09-16", "r5090.hour", "3.50"), ("www.gongjiyun.com", "-", "2026-09-16", "l20.hour", "4.40"))
# On the last day alone: slips of units, an absurd price, a page cut short, an ambiguous label for next to nothing.
SLIPS = (("www.autodl.com", LAST, "-", "r4090.hour", "0.198"), ("www.autodl.com", LAST, "-", "h20.hour", "1.05"),
         ("www.jygpu.com", LAST, "-", "n910b.list", "3312.5"), ("www.jygpu.com", LAST, "-", "n910b.sale", "2650"),
         ("nebius.com", LAST, "-", "h100.hour", "$30.80"))
LEAD = (("api.linode.com", "-", "-", "rtx6.hour", "0.01"), ("api.linode.com", "-", "-", "rtx6.month", "6"))

ALERTS = """
[channel program]
type = exec
command = {take}
[alert every-month]
match =
when = month_net moves 1% against previous
to = program
[alert every-hour]
match =
when = hour_net moves 1% against previous
to = program
[alert lows]
match =
when = class low moves 1% against previous
to = program
[alert bargains]
match =
when = month_net below 500 CNY
to = program
"""


def configure(folder):
    """The shipped file with rules that fire at the least move; the file that receives what they tell."""
    taken = Path(folder) / "taken"
    script = Path(folder) / "take"
    script.write_text(f"#!/bin/sh\ncat >>{taken}\necho >>{taken}\n", encoding="ascii")
    script.chmod(0o755)
    conf = Path(folder) / "sites.conf"
    conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + ALERTS.format(take=script), encoding="utf-8")
    return conf, taken


class Played:
    """A market played for some days: its box, what was told, its last report."""

    def __init__(self, folder, lines, days):
        Path(folder).mkdir()
        conf, self.taken = configure(folder)
        self.crawls = {}
        with Market(scenario=scenario(*lines)) as market:
            self.box = Box(folder, conf=conf, market=market)
            for day in days:
                before = self.told()
                self.crawls[day] = self.box.crawl(day)
                self.last_told = self.told()[len(before):]
        self.report = self.box.run("report", "--week", "2026-W38", "--format", "json", now=MONDAY).json()

    def told(self):
        """The events of all messages so far."""
        lines = self.taken.read_text(encoding="utf-8").splitlines() if self.taken.exists() else []
        return [event for line in lines if line.strip() for event in json.loads(line).get("events", [])]


def figures(report, key, without=()):
    """A table of a report without what depends on when an offer was seen last."""
    left_out = {"seen", "age_s", "since", "url"} | set(without)
    return [{name: value for name, value in row.items() if name not in left_out} for row in report.get(key, [])]


def row_of(offers, site, label, doubted):
    """One row of a board."""
    found = [offer for offer in offers if offer["site"] == site and label in offer["label"] and offer["doubted"] is doubted]
    return found[0] if len(found) == 1 else {}


def check_slips(tap, plain, slipped):
    """The last day's page shows slips: nothing but the doubts says so."""
    tap.ok(plain.report.get("classes") and plain.report.get("moves"), "the plain market has classes and moves", plain.report.keys())
    for key in ("classes", "moves", "crossings"):
        tap.same(figures(slipped.report, key), figures(plain.report, key), f"the weekly report's {key} are those of a market without the slips")
    told = [[row["text"] for row in report["sentences"] if not row["text"].startswith("待核")] for report in (slipped.report, plain.report)]
    tap.same(told[0], told[1], "so are its sentences")
    tap.same(slipped.report["offers"] - slipped.report["doubted"], plain.report["offers"], "and its offers, but for the doubted ones")
    tap.ok(plain.report.get("doubted") == 0 and slipped.report.get("doubted") >= 4, "which it counts as doubted",
           (plain.report.get("doubted"), slipped.report.get("doubted")))
    apart = [row for row in slipped.report.get("apart", []) if row.get("doubted")]
    sentences = " ".join(str(row["doubt"]) for row in apart)
    for words in ("÷10: the decimal point", "÷8: per-node became per-card", "×8: per-card became per-node"):
        tap.ok(words in sentences, f"and shows with its sentence: {words}", sentences)
    offers = slipped.box.offers(now=MONDAY)
    slip, held = row_of(offers, "autodl", "RTX 4090", True), row_of([o for o in offers if o["label"] == "RTX 4090"], "autodl", "RTX 4090", False)
    tap.ok(slip.get("hour_list") == "0.198" and slip.get("cheapest") is False, "the board shows the slip, never as the cheapest", slip)
    tap.ok(held.get("hour_list") == "1.98", "and the price before it", held)
    tap.ok(not any(offer["doubted"] and offer["cheapest"] for offer in offers), "nothing doubted is the cheapest of anything")
    changes = slipped.box.run("changes", "--since", LAST, "--format", "json", now=MONDAY).json().get("changes", [])
    slips = [change for change in changes if change["site"] in ("jygpu", "nebius") or (change["site"] == "autodl" and change.get("label") in ("RTX 4090", "H20-NVLink"))]
    tap.same({change["kind"] for change in slips}, {"doubted"}, "changes tell that they are doubted, and no price")


def check_alerts(tap, plain, slipped):
    """Rules that fire at one percent are quiet about doubts and leads."""
    tap.ok(any("5090" in json.dumps(event) for event in plain.told()), "a real move fires", plain.told())
    tap.same(slipped.last_told, [], "a day of slips fires nothing")
    keep = ("kind", "site", "label", "sku", "before", "after")
    tap.same([{name: event.get(name) for name in keep} for event in slipped.told()],
             [{name: event.get(name) for name in keep} for event in plain.told()], "all events are those of the market without slips")


def check_leads(tap, slipped):
    """A label that may mean three cards, at a price that would be the lowest of each."""
    offers = slipped.box.offers("site=linode", now=MONDAY)
    lead = next((offer for offer in offers if offer["sku_status"] == "ambiguous"), {})
    tap.ok(lead.get("month_net") in ("6", "7.3") and lead.get("cheapest") is False and lead.get("class", "").startswith("?"),
           "an ambiguous label is in a class of its own", lead)
    tap.ok(not any(row["site"] == "linode" and row["low"] in ("6", "7.3") for row in slipped.report["classes"]), "and no class's low")
    tap.ok(not any("RTX6000" in json.dumps(event) for event in slipped.told()), "and tells no alert")
    apart = [row for row in slipped.report["apart"] if "RTX6000" in row["label"]]
    tap.ok(len(apart) == 1 and apart[0]["lead"] is True, "the weekly report lists it apart", apart)


def crawl_at(box, day, hour, *words):
    """A crawl of autodl at an hour of a day."""
    return box.crawl(day, "autodl", *words, now=f"{day}T{hour:02}:00:00Z")


def board(box, at):
    """RTX 5090 at autodl: (standing, doubted)."""
    rows = [offer for offer in box.offers("site=autodl", now=at) if offer["label"] == "RTX 5090"]
    return tuple(next((row["hour_list"] for row in rows if row["doubted"] is doubted), None) for doubted in (False, True))


def check_release(tap):
    """A plain large move: by other bytes that show it again, by nothing less."""
    lines = (("www.autodl.com", DAYS[1], "-", "r5090.hour", "18.30"), ("www.autodl.com", DAYS[3], "-", "a40.hour", "3.20"))
    with Folder() as folder, Market(scenario=scenario(*lines)) as market:
        box = Box(folder, market=market)
        crawl_at(box, DAYS[0], 2)
        crawl_at(box, DAYS[1], 2)
        tap.same(board(box, noon(DAYS[1])), ("2.93", "18.3"), "a price six times as high is doubted beside the old one")
        quiet = crawl_at(box, DAYS[2], 2)
        tap.ok("unchanged" in quiet.out, "the page is as before", quiet)
        tap.same(board(box, noon(DAYS[2])), ("2.93", "18.3"), "a 304 does not release it")
        forced = crawl_at(box, DAYS[2], 14, "--force")
        tap.ok(forced.code == 0, "the page is fetched in full", forced)
        tap.same(board(box, f"{DAYS[2]}T15:00:00Z"), ("2.93", "18.3"), "neither do equal bytes")
        crawl_at(box, DAYS[3], 15)
        tap.same(board(box, f"{DAYS[3]}T16:00:00Z"), ("18.3", None), "another page that shows it again does")
        tap.same(board(box, noon(DAYS[2])), ("2.93", "18.3"), "what was known before stays known")
        changes = box.run("changes", "--since", DAYS[0], "--format", "json", now=f"{DAYS[3]}T16:00:00Z").json().get("changes", [])
        kinds = [change["kind"] for change in changes if change.get("label") == "RTX 5090"]
        tap.same(kinds[:1] + sorted(kinds[1:]), ["appeared", "doubted", "price", "released"], "and the changes tell it")


def check_person(tap):
    """A slip that was none: a person says so."""
    lines = (("www.autodl.com", DAYS[1], "-", "r5090.hour", "29.30"), ("www.autodl.com", DAYS[2], "-", "a40.hour", "3.20"))
    with Folder() as folder, Market(scenario=scenario(*lines)) as market:
        box = Box(folder, market=market)
        for day in DAYS[:3]:
            crawl_at(box, day, 2)
        tap.same(board(box, noon(DAYS[2])), ("2.93", "29.3"), "a slip is not released by another page that shows it")
        ids = [word for word in range(1, 60) if box.run("db", "release", word, "really", now=noon(DAYS[2])).code == 0]
        tap.ok(len(ids) == 1, "a person can release the one doubt there is", ids)
        tap.same(board(box, noon(DAYS[3])), ("29.3", None), "then it stands")
        tap.ok(box.run("db", "check").code == 0, "and the store is clean")


def check_nodes(tap):
    """g: the price of a node is divided by its cards once; a rule of five percent fires at five percent."""
    lines = (("www.jygpu.com", DAYS[1], DAYS[1], "n4090.sale", "7603.20"), ("www.jygpu.com", DAYS[2], DAYS[2], "n4090.sale", "7920"),
             ("www.jygpu.com", DAYS[1], DAYS[1], "n4090.list", "9504"), ("www.jygpu.com", DAYS[3], "-", "n4090.list", "9306"),
             ("www.jygpu.com", DAYS[3], "-", "n4090.sale", "7444.80"))
    with Folder() as folder, Market(scenario=scenario(*lines)) as market:
        conf, taken = configure(folder)
        conf.write_text(conf.read_text(encoding="utf-8").replace("month_net moves 1%", "month_net moves 5%")
                        .replace("hour_net moves 1%", "hour_net moves 50%").replace("class low moves 1%", "class low moves 50%"), encoding="utf-8")
        box = Box(folder, conf=conf, market=market)
        for day in DAYS[:3]:
            box.crawl(day, "jygpu")
        tap.ok(not taken.exists(), "4 % down and up again on a node of eight fires nothing", taken.read_text() if taken.exists() else "")
        box.crawl(DAYS[3], "jygpu")
        events = [event for line in (taken.read_text().splitlines() if taken.exists() else []) if line.strip() for event in json.loads(line)["events"]]
        tap.ok(len(events) == 1 and "930.6" in json.dumps(events), "6 % fires once, with the price per card", events)


def main():
    """All situations."""
    tap = Tap()
    with Folder() as folder:
        plain = Played(folder / "plain", MARKET + LEAD, DAYS)
        slipped = Played(folder / "slipped", MARKET + LEAD + SLIPS, DAYS)
        check_slips(tap, plain, slipped)
        check_alerts(tap, plain, slipped)
        check_leads(tap, slipped)
    check_release(tap)
    check_person(tap)
    check_nodes(tap)
    tap.done()


main()
