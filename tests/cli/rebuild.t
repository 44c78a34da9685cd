#!/usr/bin/env python3
"""db rebuild --skus: aliases of today over all history. Labels, identities and times stay; going back gives the first state again."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, scenario  # noqa: E402

DAYS = ["2026-09-14", "2026-09-15", "2026-09-16", "2026-09-17", "2026-09-18", "2026-09-19", "2026-09-20"]
NOW = noon(DAYS[-1])
ALIASES = {"linode": "alias.NVIDIA-QUADRO-RTX-6000 = RTX6000\n  some other words", "aliyun": "alias.NVIDIA-RTX-PRO-6000 = ecs.gn9gc.4xlarge",
           "jygpu": "alias.NVIDIA-H800 = H20"}


def conf_with(folder, **keys):
    """The shipped configuration with aliases."""
    text = (ROOT / "sites.conf").read_text(encoding="utf-8")
    for site, lines in keys.items():
        text = text.replace(f"[site {site}]\n", f"[site {site}]\n{lines}\n")
    path = Path(folder) / "aliases.conf"
    path.write_text(text, encoding="utf-8")
    return path


def seen(box):
    """Everything that a reader of the store sees, as printed."""
    return [box.run(*words, now=at).out for at in (NOW, noon(DAYS[2])) for words in
            (("offers", "--json"), ("history", "--format", "json"), ("changes", "--since", DAYS[0], "--format", "json"))]


def printed(box):
    """What pages printed: labels, amounts, times; nothing that is derived from a label."""
    rows = [{key: offer[key] for key in ("site", "label", "region", "plan", "variant", "key", "currency", "since", "seen", "availability")}
            for offer in box.offers()]
    return sorted(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)


def check_rebuild(tap, market):
    """There and back."""
    with Folder() as folder:
        plain = Box(folder, market=market)
        with_aliases = Box(folder, conf=conf_with(folder, **ALIASES), market=market)
        for day in DAYS:
            plain.crawl(day)
        first, words = seen(plain), printed(plain)
        same = plain.run("db", "rebuild", "--skus")
        tap.ok(same.code == 0 and " 0 of them read differently, 0 runs rewritten" in same.out, "what was read by the same rules reads the same", same)
        tap.same(seen(plain), first, "and nothing a reader sees has changed")
        done = with_aliases.run("db", "rebuild", "--skus")
        tap.ok(done.code == 0 and 'aliyun: "ecs.gn9gc.4xlarge": unmapped -> NVIDIA-RTX-PRO-6000 (2 times)' in done.out,
               "an unmapped label gets its card: site, label, old and new are printed", done)
        tap.ok('linode: "Dedicated 32GB + RTX6000 GPU x1": ambiguous -> NVIDIA-QUADRO-RTX-6000' in done.out, "an ambiguous one too", done)
        tap.ok("-> NVIDIA-H800" in done.out, "and a card by its catalogue name, where the user says otherwise", done)
        tap.ok(with_aliases.run("db", "check").code == 0, "the store is clean")
        tap.same(printed(with_aliases), words, "no printed word and no time has changed")
        skus = {offer["label"]: offer for offer in with_aliases.offers("site=aliyun")}
        tap.ok(skus["ecs.gn9gc.4xlarge"]["sku"] == "NVIDIA-RTX-PRO-6000", "the board shows the new card")
        past = with_aliases.offers("site=linode", now=noon(DAYS[0]))
        tap.ok(any(offer["sku"] == "NVIDIA-QUADRO-RTX-6000" for offer in past), "so does the board of the first day", past)
        history = with_aliases.run("history", "site=linode", "--format", "json", now=NOW).out
        tap.ok("NVIDIA-QUADRO-RTX-6000" in history, "and the history")
        again = with_aliases.run("db", "rebuild", "--skus", "--json")
        tap.ok(again.json().get("changed") == 0 and again.json().get("list") == [], "once more changes nothing", again)
        back = plain.run("db", "rebuild", "--skus", "--json")
        listed = back.json().get("list", [])
        tap.ok(any(entry["before"]["sku"] == "NVIDIA-RTX-PRO-6000" and entry["after"]["sku"] is None for entry in listed), "without the aliases it goes back", back)
        tap.same(seen(plain), first, "to what it was, byte for byte")
        tap.ok(plain.run("db", "check").code == 0, "and the store is clean")


def check_crawl(tap, market):
    """A crawl after a rebuild finds what it would derive itself, and tells no change."""
    with Folder() as folder:
        plain = Box(folder, market=market)
        with_aliases = Box(folder, conf=conf_with(folder, **ALIASES), market=market)
        plain.crawl(DAYS[-1], "linode", "aliyun", "jygpu")
        with_aliases.run("db", "rebuild", "--skus")
        before = with_aliases.offers()
        crawl = with_aliases.crawl(DAYS[-1], "linode", "aliyun", "jygpu", "--force", now="2026-09-20T09:00:00Z")
        changes = with_aliases.run("changes", "--since", "2026-09-20T08:00:00Z", "--format", "json", now="2026-09-20T10:00:00Z").json()
        tap.ok(crawl.code == 0 and changes.get("changes", [None]) == [], "a crawl by the new rules tells no change", (crawl, changes))
        derived = ("label", "sku", "vram_gb", "cards", "class", "hour_list", "month_list", "month_net")
        after = with_aliases.offers(now="2026-09-20T10:00:00Z")
        tap.same([[offer[key] for key in derived] for offer in after], [[offer[key] for key in derived] for offer in before],
                 "and derives just what the rebuild did")


def check_refusals(tap, market):
    """What stops it leaves everything as it was."""
    with Folder() as folder:
        box = Box(folder, market=market)
        none = box.run("db", "rebuild", "--skus")
        tap.ok(none.code == 1 and "no store" in none.err and not (box.data / "store").exists(), "without a store: exit 1, and none is made", none)
        box.crawl(DAYS[-1], "linode")
        before = (box.data / "store" / "data.mdb").read_bytes()
        wrong = Box(folder, conf=conf_with(folder, modal="alias.NVIDIA-RTX-409O = x"))
        done = wrong.run("db", "rebuild", "--skus")
        tap.ok(done.code == 2 and "did you mean" in done.err, "a wrong alias of any site is told before anything is written", done)
        tap.ok((box.data / "store" / "data.mdb").read_bytes() == before, "and the file is as it was")
        none = box.run("db", "rebuild")
        tap.ok(none.code == 0 and " runs, " in none.out, "without --skus it reads the archive", none)
        tap.ok(box.run("db", "rebuild", "--skus", "more").code == 2, "and so it is with further words")
        slow = Market(scenario=scenario(("api.linode.com", "-", "-", ".slow", "20")))
        with slow:
            box.market = slow
            crawl = box.start_crawl(DAYS[-1], "linode", "--force")
            lock = Path(box.data) / "lock"
            for _ in range(200):
                if lock.exists() and lock.read_text().strip() == str(crawl.pid):
                    break
                crawl.poll()
                time.sleep(0.05)
            held = box.run("db", "rebuild", "--skus")
            tap.ok(held.code == 75 and str(crawl.pid) in held.err, "while a crawl runs: exit 75 and its pid", held)
            crawl.terminate()
            crawl.wait(timeout=60)


def main():
    """All situations."""
    tap = Tap()
    with Market() as market:
        check_rebuild(tap, market)
        check_crawl(tap, market)
        check_refusals(tap, market)
    tap.done()


main()
