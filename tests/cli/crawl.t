#!/usr/bin/env python3
"""One crawl from end to end, and what the next ones do: not due, due and unchanged, forced, named, tried dry."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon  # noqa: E402

DAY = "2026-09-20"
DISABLED = ("juxiang", "zhilingyun", "gongji_api", "autodl_machines", "matpool", "coreweave")


def check_first(tap, box):
    """All enabled sites, one line each."""
    done = box.crawl(DAY)
    tap.ok(done.code == 0, "a first crawl of all sites ends with 0", done)
    tap.ok(len(done.out.splitlines()) >= 11, "it says one line a site", done)
    sites = {offer["site"] for offer in box.offers()}
    tap.ok(len(sites) >= 11, f"at least eleven platforms are on the board ({len(sites)})", sorted(sites))
    tap.ok(not sites & set(DISABLED), "none of the disabled ones", sorted(sites))
    board = box.run("offers", now=noon(DAY))
    tap.ok("SAMPLE" in board.out and "示例数据" in board.out, "the board says SAMPLE / 示例数据", board)
    warc = list((box.data / "archive").rglob("*.warc.gz"))
    tap.ok(warc and all(path.stat().st_size > 0 for path in warc), "every page is in the archive", warc)
    tap.ok((box.data / "store").stat().st_mode & 0o007 == 0, "the store is closed to others")


def check_not_due(tap, box, market):
    """The same minute again."""
    before = box.run("db", "stat", "--json").json()
    market.forget_log()
    done = box.crawl(DAY)
    tap.ok(done.code == 0, "a second crawl in the same minute ends with 0", done)
    tap.same(market.new_log(), [], "and asks for nothing")
    tap.same(box.run("db", "stat", "--json").json().get("runs"), before.get("runs"), "and writes no run")


def check_unchanged(tap, box, market):
    """A day later nothing has moved: 304, no new span."""
    spans = box.run("db", "stat", "--json").json().get("spans")
    market.forget_log()
    done = box.crawl("2026-09-20", now="2026-09-21T02:00:00Z")
    tap.ok(done.code == 0, "a crawl a day later ends with 0", done)
    pages = [line for line in market.new_log() if not line.endswith("/robots.txt 304") and "/robots.txt" not in line and " GET " in line]
    unchanged = [line for line in pages if line.endswith(" 304")]
    tap.ok(unchanged and len(unchanged) == len(pages), "every page is asked for with its validator and answers 304",
           [line for line in pages if line not in unchanged])
    tap.same(box.run("db", "stat", "--json").json().get("spans"), spans, "unchanged pages open no span")


def check_shards(tap, box, market):
    """Two crawlers, each of its own shard, have what one has that is told nothing of shards: all of it, and nothing twice."""
    hosts = [set(line.split()[0] for line in market.log() if "/robots.txt" in line)]
    whole = {offer["site"] for offer in box.offers()}
    with Folder() as one, Folder() as other:
        boxes = Box(one, market=market), Box(other, market=market)
        for index, box in enumerate(boxes):
            market.forget_log()
            tap.ok(box.crawl(DAY, "--shard", f"{index + 1}/2").code == 0, f"the crawl of shard {index + 1} ends with 0")
            hosts.append(set(line.split()[0] for line in market.new_log()))
        sites = [{offer["site"] for offer in box.offers()} for box in boxes]
        tap.ok(sites[0] and sites[1] and not sites[0] & sites[1] and sites[0] | sites[1] == whole, "every site is on one of the boards", (sites, whole))
        tap.ok(hosts[1] and hosts[2] and not hosts[1] & hosts[2] and hosts[1] | hosts[2] == hosts[0], "no host is asked by two crawlers", hosts)
        for wrong in ("0/2", "3/2", "2", "1/", "/2", "1/2/3", "-1/2", "1/9999", " 1/2", "1/2 "):
            done = boxes[0].crawl(DAY, "--shard", wrong)
            tap.ok(done.code == 2 and "--shard takes I/N" in done.err, f"--shard \"{wrong}\" is refused", done)


def check_forced(tap, box, market):
    """--force fetches in full what is not due."""
    market.forget_log()
    done = box.crawl("2026-09-20", "jygpu", "--force", now="2026-09-21T02:00:30Z")
    tap.ok(done.code == 0, "--force ends with 0", done)
    tap.ok("www.jygpu.com GET /markets 200" in market.new_log(), "and fetches in full", market.new_log())
    tap.ok(not any("gongji" in line for line in market.new_log()), "only the site that was named", market.new_log())


def check_dry(tap, box, market):
    """--dry-run fetches nothing."""
    market.forget_log()
    done = box.crawl("2026-09-20", "--dry-run", now="2026-09-25T02:00:00Z")
    tap.ok(done.code == 0 and "jygpu" in done.out + done.err, "--dry-run says what it would fetch", done)
    tap.same(market.new_log(), [], "and asks for nothing")
    lines = {line.split()[0]: line for line in done.out.splitlines()}
    tap.ok(" fetch " in lines["jygpu"] and "https://www.jygpu.com/markets" in lines["jygpu"], "with the address of what it would fetch", done)
    tap.ok(all(" skip " in lines.get(site, "") and "not enabled" in lines[site] for site in DISABLED), "and says why not the rest", done)
    soon = box.crawl("2026-09-20", "--dry-run", now="2026-09-21T02:00:40Z")
    tap.ok("not due until" in soon.out and " fetch " not in soon.out, "what is not due is told with its time", soon)


def check_health(tap, box):
    """What whoever runs the crawler wants to know of a site."""
    health = box.run("health", "--since", "2026-09-19T00:00:00Z", "--json", now="2026-09-21T02:00:40Z")
    found = {source["site"]: source for source in health.json().get("sources", [])}.get("jygpu", {})
    tap.ok(found.get("streak") == 3 and found.get("streak_since") == "2026-09-20T02:00:00Z", "health counts three good runs in a row", found)
    tap.ok(found.get("latency_ms", -1) >= 0 and found.get("body_bytes", 0) > 500 and found.get("rows_found", 0) == 6, "and tells latency, bytes and rows", found)
    tap.same(found.get("next_due"), "2026-09-21T08:00:30Z", "and when the site is fetched next")


def check_wrong_program(tap, market):
    """A jq program is compiled by the first page that it reads: one that does not compile costs its site this run, and keeps the page."""
    with Folder() as folder:
        conf = folder / "sites.conf"
        shipped = (ROOT / "sites.conf").read_text(encoding="utf-8")
        place = shipped.index("rows ", shipped.index("[site verda]"))
        conf.write_text(shipped[:place] + "rows = .[ |\nproof = unproven\n" + shipped[shipped.index("\n\n", place):], encoding="utf-8")
        box = Box(folder, conf=conf, market=market)
        done = box.crawl(DAY, "verda", "jygpu")
        where = f"sites.conf:{shipped[:place].count(chr(10)) + 1}: rows: jq: "
        tap.ok(done.code == 3 and where in done.out, "a jq program that does not compile fails its site, with file and line", done)
        tap.same({offer["site"] for offer in box.offers()}, {"jygpu"}, "and no other")
        pages = box.run("archive", "list", "--site", "verda")
        tap.ok(any(" response " in line and "instance-types" in line for line in pages.out.splitlines()), "its page is kept, to be read when the rule is mended", pages)


def main():
    """One market, one data folder, five crawls."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        check_first(tap, box)
        check_not_due(tap, box, market)
        check_unchanged(tap, box, market)
        check_forced(tap, box, market)
        check_dry(tap, box, market)
        check_shards(tap, box, market)
        check_health(tap, box)
        check_wrong_program(tap, market)
        unknown = box.crawl(DAY, "jygpuu")
        tap.ok(unknown.code == 2 and "jygpuu" in unknown.err, "an unknown site is wrong use", unknown)
        check = box.run("db", "check")
        tap.ok(check.code == 0, "the store is clean afterwards", check)
    tap.done()


main()
