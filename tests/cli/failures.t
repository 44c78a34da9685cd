#!/usr/bin/env python3
"""What goes wrong at a source changes no price: errors, robots, pages that are none, other layouts, unit slips, delistings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, noon, scenario  # noqa: E402

GOOD, BAD, LATER = "2026-09-18", "2026-09-19", "2026-09-20"
LOGIN = "<!DOCTYPE html><html><head><title>登录</title></head><body><form action=/login><input name=password></form></body></html>"
CHALLENGE = ("<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Verify you are human</h1>"
             "<p>Checking your browser</p></body></html>")


def prices(box, site, day):
    """label → (month, hour) of a site's offers that stand."""
    return {offer["label"]: (offer["month_net"], offer["hour_net"]) for offer in box.offers(f"site={site}", day=day) if not offer["doubted"]}


def check_failure(tap, name, lines, code, word):
    """One kind of failure on the second day: the exit, the word on the summary line, the prices that stay."""
    with Market(scenario=scenario(*lines)) as market, Folder() as folder:
        box = Box(folder, market=market)
        first = box.crawl(GOOD, "jygpu", "gongji")
        before = prices(box, "jygpu", GOOD)
        bad = box.crawl(BAD, "jygpu", "gongji")
        tap.ok(first.code == 0 and len(before) == 6, f"{name}: the day before is good", first)
        tap.ok(bad.code == code, f"{name}: exit {code}", bad)
        tap.ok(word in bad.out + bad.err, f"{name}: the line says {word!r}", bad)
        tap.same(prices(box, "jygpu", BAD), before, f"{name}: no price has changed")
        tap.ok(len(prices(box, "gongji", BAD)) >= 6, f"{name}: the other site went through", bad)
        health = box.run("health", "--since", "2026-09-17", "--json", now=noon(BAD))
        tap.ok(health.code == 0 and "jygpu" in health.out, f"{name}: health tells of it", health)
        for query, wanted in ((), True), (("site=jygpu",), True), (("site=gongji",), False), (("4090",), False):
            told = box.run("changes", "--since", BAD, "--json", *query, now=noon(BAD)).json().get("changes", [])
            has = any(change["kind"] == "source-failed" and change["site"] == "jygpu" for change in told)
            tap.same(has, wanted, f"{name}: a change of the source {'is told' if wanted else 'is not asked for'} by changes {' '.join(query)}")
        good = box.crawl(LATER, "jygpu", "gongji")
        tap.ok(good.code == 0 and prices(box, "jygpu", LATER) == before, f"{name}: the day after is good again", good)


def check_failures(tap):
    """Each row is a situation."""
    host = "www.jygpu.com"
    check_failure(tap, "503", [(host, BAD, BAD, ".status", "503")], 3, "503")
    check_failure(tap, "404", [(host, BAD, BAD, ".status", "404")], 3, "404")
    check_failure(tap, "robots out of order", [(host, BAD, BAD, ".robots", "500"), (host, BAD, BAD, ".status", "500")], 3, "jygpu")
    # another price on that day, so that the page is sent at all and not answered with 304
    check_failure(tap, "cut body", [(host, BAD, BAD, ".cut", "200"), (host, BAD, BAD, "c4090.list", "1.50")], 3, "jygpu")
    check_failure(tap, "login page", [(host, BAD, BAD, ".body", LOGIN)], 3, "jygpu")
    check_failure(tap, "challenge", [(host, BAD, BAD, ".body", CHALLENGE)], 3, "blocked")
    check_failure(tap, "empty shell", [(host, BAD, BAD, ".body", "<html><body><div id=app></div></body></html>")], 3, "jygpu")
    check_failure(tap, "no page at all", [(host, BAD, BAD, ".body", "\x01\x02PK\x03")], 3, "jygpu")


def check_robots(tap):
    """robots.txt that forbids the page: it is not fetched."""
    lines = scenario(("www.jygpu.com", "-", "-", ".robots", "User-agent: *\\nDisallow: /markets"))
    with Market(scenario=lines) as market, Folder() as folder:
        box = Box(folder, market=market)
        done = box.crawl(GOOD, "jygpu")
        tap.ok(done.code == 3 and "robots" in done.out + done.err, "a page that robots.txt forbids: exit 3, said so", done)
        tap.ok("www.jygpu.com GET /markets 200" not in market.log(), "and it is not fetched", market.log())


def check_drift(tap):
    """Another layout: what auto reads is doubted, and the old prices stand."""
    lines = scenario(("www.cerebrium.ai", BAD, BAD, ".layout", "plain"))
    with Market(scenario=lines) as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(GOOD, "cerebrium")
        before = prices(box, "cerebrium", GOOD)
        done = box.crawl(BAD, "cerebrium")
        tap.ok("drifted" in done.out + done.err, "another layout is told as drifted", done)
        tap.same(prices(box, "cerebrium", BAD), before, "and no price has changed")
        tap.ok(len(before) == 10, "ten cards were there", before)
        back = box.crawl(LATER, "cerebrium")
        offers = box.offers("site=cerebrium", day=LATER)
        tap.ok(back.code == 0, "the old layout comes back: exit 0", back)
        tap.ok(len(offers) == 10 and not any(offer["doubted"] or offer["stale"] for offer in offers),
               "the ten cards are fresh again, nothing is doubted",
               "\n".join(f"{offer['label']} doubted {offer['doubted']} stale {offer['stale']} seen {offer['seen']}" for offer in offers))


def check_slip(tap):
    """A node's price where a card's stood: doubted, for as long as it stays."""
    lines = scenario(("nebius.com", BAD, LATER, "h100.hour", "$30.80"))
    with Market(scenario=lines) as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(GOOD, "nebius")
        done = box.crawl(BAD, "nebius")
        tap.ok("doubted" in done.out, "a unit slip of eight is doubted", done)
        box.crawl(LATER, "nebius", "--force")
        h100 = [offer for offer in box.offers("site=nebius", day=LATER) if "H100" in offer["label"]]
        standing = [offer["hour_net"] for offer in h100 if not offer["doubted"]]
        tap.ok(standing == ["3.85"], "a repeated slip confirms nothing: 3.85 stands", h100)
        tap.ok("30.8" in [offer["hour_net"] for offer in h100 if offer["doubted"]], "and 30.80 is shown as doubted", h100)
        changes = box.run("changes", "--since", GOOD + "T00:00:00Z", "--json", now=noon(LATER))
        tap.ok("doubted" in changes.out or "待核" in changes.out, "and it is listed as doubted", changes)


def check_delisting(tap):
    """A card leaves the page and comes back."""
    lines = scenario(("www.gongjiyun.com", BAD, BAD, "l40s.hidden", "yes"))
    with Market(scenario=lines) as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(GOOD, "gongji")
        box.crawl(BAD, "gongji")
        tap.ok(not any("L40S" in label for label in prices(box, "gongji", BAD)), "a delisted card is off the board")
        box.crawl(LATER, "gongji")
        tap.ok(any("L40S" in label for label in prices(box, "gongji", LATER)), "and on it again when it is back")
        kinds = box.run("changes", "--since", GOOD + "T00:00:00Z", "--lang", "en", "--json", now=noon(LATER)).out
        tap.ok("delisted" in kinds and "relisted" in kinds, "both are listed as changes", kinds[-1500:])


def main():
    """All situations."""
    tap = Tap()
    check_failures(tap)
    check_robots(tap)
    check_drift(tap)
    check_slip(tap)
    check_delisting(tap)
    tap.done()


main()
