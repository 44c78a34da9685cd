#!/usr/bin/env python3
"""What was published stays told: a week's figures are kept, and the report of it and of the next say what would be printed otherwise now, and why."""

import gzip
import json
import shutil
import sys
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, scenario  # noqa: E402

DAYS = ("2026-09-11", "2026-09-12", "2026-09-13", "2026-09-15", "2026-09-20")
MONDAY, TUESDAY, NEXT = "2026-09-21T01:00:00Z", "2026-09-22T03:00:00Z", "2026-09-28T02:00:00Z"
SITES = ("jygpu", "autodl", "gongji")
WEEK = ("report", "--week", "2026-W38")


def corrections(box, *words, now=TUESDAY):
    """Those of a report, as (week, class's card, was, is, cause)."""
    rows = box.run(*(words or WEEK), "--json", now=now).json().get("corrections")
    return [(row["week"], row["sku"], row["low_was"], row["low"], row["cause"]) for row in rows]


def published(box, *words):
    """The weeks and the figures."""
    return box.run("report", "--published", *words, "--json", now=TUESDAY).json()


def check_publish(tap, box):
    """Publishing, twice, and what is refused."""
    plain = box.run(*WEEK, now=MONDAY)
    first = box.run(*WEEK, "--publish", now=MONDAY)
    tap.ok(first.code == 0 and first.out == plain.out and "2026-W38 is published" in first.err, "the report is printed as ever, and its week is published", first)
    again = box.run(*WEEK, "--publish", now=TUESDAY)
    tap.ok(again.code == 0 and "was published before" in again.err, "a second time says that the first stays", again)
    weeks = published(box)["published"]
    tap.same([(week["week"], week["published"], week["how"], week["left_out"]) for week in weeks], [("2026-W38", MONDAY, "by-hand", 0)], "it stands in the list as of the first")
    told = {row["class"]: row["low"] for row in published(box, "--week", "2026-W38")["rows"]}
    known = {row["class"]: row["low"] for row in box.run(*WEEK, "--json", now=MONDAY).json()["classes"] if row["low"]}
    tap.ok(told == known and len(told) > 10 and weeks[0]["rows"] == len(told), "with the figures of the report", (told, known))
    tap.same(corrections(box), [], "nothing is corrected")
    for words, said in (((*WEEK, "--publish", "4090"), "everybody"), ((*WEEK, "--publish", "--persona", "pay=hour"), "everybody"),
                        ((*WEEK, "--publish", "--currency", "CNY"), "everybody"), (("report", "--month", "2026-08", "--publish"), "whole week"),
                        (("report", "--week", "2026-W39", "--publish"), "over"), ((*WEEK, "--publish", "--published"), "one of")):
        done = box.run(*words, now=TUESDAY)
        tap.ok(done.code == 2 and said in done.err and done.out == "", f"{' '.join(words[2:])} is refused", done)
    full = box.run("report", "--week", "2026-W37", "--publish", "-o", "/dev/full/x", now=MONDAY)
    tap.ok(full.code == 1 and len(published(box)["published"]) == 1, "a report that was not written is not published", full)
    none = box.run("report", "--published", "--week", "2026-W30", now=TUESDAY)
    tap.ok(none.code == 0 and "没有发布过" in none.out, "a week that was not published says so", none)


def void(box, site, sku):
    """Voids the span in force of one card of a site; the offer's price then."""
    spans = [span for span in box.run("history", f"site={site}", sku, "--since", DAYS[0], "--json", now=MONDAY).json()["spans"] if span["open"]]
    changes = box.run("export", "--format", "jsonl", now=MONDAY).out.splitlines()
    runs = [row for row in map(json.loads, changes) if row.get("type") == "run" and row["site"] == site and row["t"] == spans[0]["first"]]
    done = box.run("db", "void", str(spans[0]["offer_id"]), str(runs[0]["seq"]), "a test price", now=TUESDAY)
    return spans[0]["month_net"], done


def check_void(tap, box):
    """A price of the week turns out to be wrong: corrected in that week's report and the next one's."""
    price, done = void(box, "autodl", "5090")
    tap.same(done.code, 0, "the cheapest 5090 is voided")
    want = [("2026-W38", "NVIDIA-RTX-5090", price)]
    tap.same([row[:3] for row in corrections(box)], want, "the week's report says what was told")
    tap.ok(corrections(box)[0][3] not in (price, None) and corrections(box)[0][4] == "voided", "what is right, and that it was voided", corrections(box))
    tap.same([row[:3] for row in corrections(box, "report", "--week", "2026-W39", now=NEXT)], want, "so does the next week's")
    tap.same(corrections(box, "report", "--week", "2026-W37"), [], "not the week before")
    tap.same(corrections(box, *WEEK, now=MONDAY), [], "and not as of a moment before the decision")
    for words in (("4090",), ("--persona", "pay=hour")):
        tap.same(corrections(box, *WEEK, *words), [], f"with {' '.join(words)} other figures are asked for: none is corrected")
    for lang, said in (("zh", ("更正 2026-W38:5090", "09-22 作废", "a test price")), ("en", ("Correction 2026-W38: 5090", "voided on 09-22", "a test price"))):
        for name in ("text", "md", "html"):
            text = box.run(*WEEK, "--lang", lang, "--format", name, now=TUESDAY).out
            tap.ok(all(word in text for word in said), f"{lang}, {name}: the line has week, card, day and reason", text[:1500])
        wide = box.run(*WEEK, "--lang", lang, "--width", "80", now=TUESDAY).out
        tap.ok(said[0] in wide and f"{price}" in wide, f"{lang}: also in 80 columns")
    tap.ok("5090" in box.run("report", "--published", "--week", "2026-W38", now=TUESDAY).out, "what was told can still be read")


def check_kept(tap, box, folder):
    """Copies and rebuilds keep what was told."""
    told, wrong = published(box, "--week", "2026-W38")["rows"], corrections(box)
    backup = folder / "backup"
    for words in (("db", "compact"), ("db", "backup", backup), ("db", "restore", backup, "--replace"), ("db", "rebuild"), ("db", "check")):
        done = box.run(*words, now=TUESDAY)
        kept = published(box, "--week", "2026-W38")["rows"]
        tap.ok(done.code == 0 and kept == told and corrections(box) == wrong, f"{' '.join(map(str, words[:2]))} keeps what was published, and what is corrected", done)


def check_archive(tap, box):
    """Without the old store, too: what was told is in the archive, once."""
    told, wrong, weeks = published(box, "--week", "2026-W38")["rows"], corrections(box), published(box)["published"]
    for again in ("the archive alone", "what the archive alone gave"):
        shutil.rmtree(box.data / "store")
        done = box.run("db", "rebuild", now=TUESDAY)
        kept = published(box, "--week", "2026-W38")["rows"]
        tap.ok(done.code == 0 and kept == told and published(box)["published"] == weeks and corrections(box) == wrong, f"a rebuild from {again} has what was published", done)
        tap.ok(box.run(*WEEK, "--publish", now=TUESDAY).err.count("was published before") == 1, "and it stays published")
    tap.same(box.run("archive", "verify", now=TUESDAY).code, 0, "the archive is sound")
    files = b"".join(gzip.decompress(path.read_bytes()) for path in sorted((box.data / "archive").glob("*.warc.gz")))
    tap.same(files.count(b"gputape-week: 2026-W38"), 1, "it stands in it once")


def check_forged(tap, box):
    """A week in the archive that is none is passed over with a word, and one that the archive has already stays as it is."""
    head = {"published": 1, "since": 1789315200, "until": 1789920000, "how": "sent", "catalogue": "x", "rows": 0, "left_out": 0}
    row = '[["c","s","CNY","x","t","l",1,1,1,1,"printed"]]'
    forged = (("2026-W37", "garbage", "[]"), ("2026-W37", json.dumps(head), "[]"), ("2026-W37", json.dumps({**head, "since": -1 << 63}), "[]"),
              ("2026-W38", json.dumps(head), '[["a"]]'), ("../x", json.dumps(head), "[]"), ("2026-W38", json.dumps(head), row))
    told = published(box, "--week", "2026-W38")
    with sorted((box.data / "archive").glob("*.warc.gz"))[-1].open("ab") as archive:
        for week, top, rows in forged:
            block = f"gputape-outcome: action\r\ngputape-action: publish\r\ngputape-week: {week}\r\ngputape-week-head: {top}\r\ngputape-week-rows: {rows}\r\n".encode()
            record = f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: 2026-09-22T02:00:00Z\r\n"
            archive.write(gzip.compress(f"{record}Content-Type: application/warc-fields\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"))
    shutil.rmtree(box.data / "store")
    done = box.run("db", "rebuild", now=TUESDAY)
    tap.ok(done.code == 0 and done.err.count("action_passed_over") == len(forged) - 1, "weeks that are none are passed over", done)
    tap.same(published(box, "--week", "2026-W38"), told, "what was published first stays")


def check_reread(tap, box, folder):
    """Other rules for pages that were fetched then."""
    conf = folder / "aliases.conf"
    conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8").replace("[site jygpu]\n", "[site jygpu]\nalias.NVIDIA-H800 = H20\n"),
                    encoding="utf-8")
    before = corrections(box)
    done = Box(folder, conf=conf).run("db", "rebuild", "--skus", now=TUESDAY)
    more = [row for row in corrections(box) if row not in before]
    gone = [row for row in more if row[1] == "NVIDIA-H20-96G" and row[2] and row[2] != row[3]]
    tap.ok(done.code == 0 and gone and all(row[4] == "reread" for row in more), "a card that is read as another one now was told otherwise then", more)
    Box(folder).run("db", "rebuild", "--skus", now=TUESDAY)
    tap.same(corrections(box), before, "read as before, nothing of it is left")


def check_older(tap):
    """A week that lies further back is corrected in the report of the week in which that came to light, and in no later one."""
    with Folder() as folder, Market() as market:
        box = Box(folder, market=market)
        for day in ("2026-08-30", "2026-09-06", "2026-09-13", "2026-09-20", "2026-09-27"):
            box.crawl(day, "jygpu", "autodl")
        for week, monday in (("2026-W35", "2026-08-31"), ("2026-W36", "2026-09-07"), ("2026-W37", "2026-09-14")):
            box.run("report", "--week", week, "--publish", now=f"{monday}T01:00:00Z")
        last, later = "2026-09-28T01:00:00Z", "2026-10-05T01:00:00Z"
        week = lambda name, now: corrections(box, "report", "--week", name, now=now)  # noqa: E731
        tap.same(week("2026-W39", last), [], "nothing came to light: nothing is told of older weeks")
        spans = box.run("history", "site=autodl", "3090", "--since", "2026-08-01", "--json", now=last).json()["spans"]
        old = min((span for span in spans if span["sku"] == "NVIDIA-RTX-3090"), key=lambda span: span["first"])
        runs = [row for row in map(json.loads, box.run("export", "--format", "jsonl", now=last).out.splitlines()) if row.get("type") == "run" and row["site"] == "autodl"]
        seq = next(row["seq"] for row in runs if row["t"] == old["first"])
        tap.same(box.run("db", "void", old["offer_id"], seq, "a misprint", now="2026-09-22T03:00:00Z").code, 0, "a price of August and September is voided in W39")
        told = [(row[0], row[4]) for row in week("2026-W39", last)]
        tap.same(told, [("2026-W37", "voided"), ("2026-W36", "voided"), ("2026-W35", "voided")], "W39's report corrects the published weeks that it stood in, the newest first")
        screen = box.run("report", "--week", "2026-W39", "--width", "100", now=last).out.split("==")[0]
        tap.ok(screen.count("更正") == 2 and "更正:已发布的周报有 3 处" in screen, "in one sentence of its first screen", screen)
        tap.same([row[0] for row in week("2026-W38", last)], ["2026-W37", "2026-W36", "2026-W35"], "so does W38's, made again now")
        tap.same(week("2026-W40", later), [], "W40's report does not repeat it")
        tap.same([row[0] for row in week("2026-W36", later)], ["2026-W35", "2026-W36"], "the reports of those weeks say it for ever")
        conf = folder / "aliases.conf"
        conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8").replace("[site jygpu]\n", "[site jygpu]\nalias.NVIDIA-H800 = 910B\n"), encoding="utf-8")
        box.run("db", "rebuild", "--skus", now=later)
        tap.same(week("2026-W41", "2026-10-12T01:00:00Z"), [], "a history derived anew to the same figures corrects nothing")
        Box(folder, conf=conf).run("db", "rebuild", "--skus", now="2026-10-06T01:00:00Z")
        told = {(row[0], row[4]) for row in week("2026-W41", "2026-10-12T01:00:00Z")}
        tap.same(told, {(name, "reread") for name in ("2026-W35", "2026-W36", "2026-W37")}, "one derived to others corrects every published week, and repeats no decision")


def check_sent(tap):
    """[report weekly] publishes what it sends, and the next one says what was decided since of a price that was doubted then."""
    lines = (("www.autodl.com", "2026-09-20", "-", "r5090.hour", "18.30"),)
    with Folder() as folder, Market(scenario=scenario(*lines)) as market:
        conf, script = folder / "sites.conf", folder / "keep"
        script.write_text(f"#!/bin/sh\ncat >>{folder}/sent\n", encoding="utf-8")
        script.chmod(0o755)
        conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + f"\n[channel x]\ntype = exec\ncommand = {script}\n[report weekly]\nto = x\n", encoding="utf-8")
        box = Box(folder, conf=conf, market=market)
        for day in ("2026-09-18", "2026-09-19", "2026-09-20", "2026-09-22"):
            box.crawl(day, "jygpu", "autodl")
        weeks = published(box)["published"]
        tap.same([(week["week"], week["how"]) for week in weeks], [("2026-W38", "sent")], "what [report weekly] sends is published")
        told = {row["class"]: row["low"] for row in published(box, "--week", "2026-W38")["rows"]}
        known = {row["class"]: row["low"] for row in box.run(*WEEK, "--json", now=TUESDAY).json()["classes"] if row["low"]}
        tap.ok(told == known and told, "with its figures", (told, known))
        tap.ok("更正" not in (folder / "sent").read_text(encoding="utf-8"), "and nothing was corrected in it")
        later = "2026-09-23T00:00:00Z"
        tap.same(corrections(box, now=later), [], "a price that is doubted still corrects nothing")
        done = [offer for offer in range(1, 60) if box.run("db", "release", offer, "a price list confirms it", now=later).code == 0]
        tap.same((len(done), corrections(box, now=later)), (1, [("2026-W38", "NVIDIA-RTX-5090", "2110", "13176", "released")]),
                 "once it is released, the week's report says that it held already then")
        box.crawl("2026-09-29", "jygpu", "autodl")
        sent = (folder / "sent").read_text(encoding="utf-8")
        tap.ok("更正 2026-W38" in sent and "2110" in sent and "13176" in sent and "a price list confirms it" in sent, "and so does the next report that is sent",
               sent[-3000:])
        tap.same([week["week"] for week in published(box)["published"]], ["2026-W39", "2026-W38"], "which is published in its turn")
        tap.same(box.run("db", "check").code, 0, "the store is clean")
        shutil.rmtree(box.data / "store")
        box.run("db", "rebuild", now=later)
        tap.same([week["week"] for week in published(box)["published"]], ["2026-W39", "2026-W38"], "both are in the archive, too")


def check_empty(tap):
    """Nothing to publish in, nothing published."""
    with Folder() as folder:
        for words in ((*WEEK, "--publish"), ("report", "--published")):
            done = Box(folder).run(*words, now=TUESDAY)
            tap.ok(done.code == 1 and "no store" in done.err and not (folder / "data" / "store").exists(), f"{words[-1]} without a store makes none", done)


def main():
    """Five crawls of two weeks."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS:
            tap.same(box.crawl(day, *SITES).code, 0, f"the crawl of {day} ends with 0")
        check_publish(tap, box)
        check_void(tap, box)
        check_kept(tap, box, folder)
        check_archive(tap, box)
        check_forged(tap, box)
        check_reread(tap, box, folder)
        shutil.rmtree(folder / "data" / "store.old", ignore_errors=True)
    check_older(tap)
    check_sent(tap)
    check_empty(tap)
    tap.done()


main()
