#!/usr/bin/env python3
"""What alerts tell that is no change of one offer (lows, index, staleness, holdings, the network) stands in messages, `changes` and the feed: one id, once."""

import re
import sys
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, scenario  # noqa: E402
from vendors import Vendor  # noqa: E402
from web_client import Server  # noqa: E402

SUNDAY, SUNDAY_AFTER, MONDAY, DOWN = "2026-09-06", "2026-09-13", "2026-09-14", "2026-09-14T06:00:00Z"
SITES = ("jygpu", "gongji", "autodl", "nebius")
# sites that answer on one Sunday and not on the next; a cut that moves a low and the index, and comes under what is rented
PLAY = scenario(("www.jygpu.com", "-", SUNDAY, "c4090.list", "2.18"), ("www.jygpu.com", "-", SUNDAY, "c4090.sale", "1.74"),
                ("www.jygpu.com", "2026-09-07", "-", "c4090.list", "1.70"), ("www.jygpu.com", "2026-09-07", "-", "c4090.sale", "1.36"),
                ("nebius.com", SUNDAY_AFTER, "-", ".status", "503"))
WANTED = {"class-low-moved", "index-moved", "source-stale", "market-under-holding", "network-down", "price-moved", "source-failed"}
RULES = """
[channel hook]
type = webhook
url = {url}
allow_private = yes
[holding rented]
match = 4090 delivery=container
cards = 2
month = 1300 CNY
[alert own-low]
match = 4090 delivery=container
when = class low moves 5% against previous
to = hook
[alert own-index]
match = 4090
when = class index moves 1% a week
to = hook
[alert own-stale]
when = source stale 36h
to = hook
[alert own-holding]
when = market 8% under holding
to = hook
[alert own-failed]
when = source failed
to = hook
[alert own-move]
match = 4090 delivery=container
when = month_net moves 5% against previous
to = hook
"""


class Hook(Vendor):
    """A webhook that takes everything."""

    good = {}

    def judge(self, path, query, headers, body):
        return 200, {}, self.good


def crawls(box):
    """Two Sundays, a Monday, and an afternoon without a network."""
    for day in (SUNDAY, SUNDAY_AFTER, MONDAY):
        box.crawl(day, *SITES)
    return box.run("crawl", *SITES, "--force", "--delay", "0", "--connect-to", "::127.0.0.1:9", now=DOWN)


def check_same(tap, box, vendor):
    """The same events everywhere."""
    sent = {event["id"]: event for body in vendor.taken() for event in body["events"]}
    listed = {event["id"] for event in box.run("alerts", "list", "--json", now=DOWN).json()["events"] if not event.get("inhibited") and event["what"] != "report"}
    rows = box.run("changes", "--since", SUNDAY, "--json", now=DOWN).json()["changes"]
    told = [row for row in rows if row["event"]]
    tap.ok(WANTED <= {event["what"] for event in sent.values()}, "the messages tell of a low, the index, a stale source, a holding, the network", sorted(event["what"] for event in sent.values()))
    ids = [row["event"] for row in told]
    tap.ok(len(set(ids)) == len(ids) and set(ids) == listed and set(sent) <= listed, "changes has each event that was recorded, once", (sorted(listed ^ set(ids)), ids))
    alone = {row["event"]: row["kind"] for row in told if row["seq"] is None}
    tap.ok(all(alone.get(id) == event["what"] for id, event in sent.items() if event["what"] not in ("price-moved", "source-failed")), "by the kind that the message names", alone)
    own = [row for row in told if row["rule"] == "own-move"]
    tap.ok(len(own) == 1 and own[0]["kind"] == "price" and own[0]["seq"] and own[0]["metric"] == "month_net" and own[0]["old"] == own[0]["month_net_before"],
           "a price that moved stands in the line of its change", own)
    tap.same([row["time"] for row in rows], sorted(row["time"] for row in rows), "by time")
    text = box.run("changes", "--since", SUNDAY, "--format", "md", now=DOWN).out
    tap.same([id for id in ids if text.count(f"#{id[:8]}") != 1], [], "as text each once, by the beginning of its id")
    tap.ok(all(event["text"]["zh"].split("] ")[-1] in text for event in sent.values() if event["what"] == "class-low-moved"), "with the message's own sentence", text[-1500:])
    return sent


def check_feed(tap, box, sent):
    """The feed's ids are those of the messages."""
    with Server(box, now=DOWN) as server:
        body = server.get("/feed.atom?lang=en").text
        names = [re.sub(r"urn:uuid:|-", "", node.text) for node in xml.etree.ElementTree.fromstring(body).iter("{http://www.w3.org/2005/Atom}id")]
        tap.same([id for id in sent if names.count(id) != 1], [], "the feed has each message's event once, by its id")
        low = next(event for event in sent.values() if event["what"] == "class-low-moved")
        tap.ok(low["text"]["en"].split(":")[0] in body, "and its sentence", body[:3000])
        api = server.get("/api/changes?q=4090&since=" + SUNDAY).text
        tap.ok(low["id"] in api, "the API too, asked for the card")
        tap.ok(low["id"] not in server.get("/api/changes?q=H100&since=" + SUNDAY).text, "and not asked for another")


def check_quiet(tap, box, vendor):
    """Neither reading nor a rebuild sends or loses anything."""
    count = len(vendor.got)
    before = box.run("changes", "--since", SUNDAY, "--json", now=DOWN).out
    done = box.run("db", "rebuild", now=DOWN)
    tap.ok(done.code == 0 and box.run("changes", "--since", SUNDAY, "--json", now=DOWN).out == before, "a rebuild keeps what was told", done)
    box.run("alerts", "deliver", now=DOWN)
    tap.same(len(vendor.got), count, "and sends nothing")


def main():
    """One sequence of crawls, looked at from everywhere."""
    tap = Tap()
    with Market(scenario=PLAY) as market, Folder() as folder:
        vendor = Hook()
        conf = folder / "sites.conf"
        conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + RULES.format(url=vendor.base), encoding="utf-8")
        box = Box(folder, conf=conf, market=market)
        crawls(box)
        check_feed(tap, box, check_same(tap, box, vendor))
        check_quiet(tap, box, vendor)
        vendor.close()
    tap.done()


main()
