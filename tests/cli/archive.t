#!/usr/bin/env python3
"""The archive from outside: list, cat, export, verify, pack; adoption after a crash; the store rebuilt from it."""

import gzip
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, untold  # noqa: E402

DAYS = ["2026-09-14", "2026-09-15", "2026-09-16", "2026-09-17", "2026-09-18", "2026-09-19", "2026-09-20"]
NOW = noon(DAYS[-1])
LATER = "2026-10-02T00:00:00Z"


def seen(box, now=NOW):
    """Everything that a reader of the store sees, as printed."""
    return [box.run(*words, now=now).out for words in
            (("offers", "--json"), ("history", "--format", "json"), ("changes", "--since", DAYS[0], "--format", "json"),
             ("health", "--format", "json"))]


def first_difference(have, want):
    """Where two texts part; "" when they do not."""
    if have == want:
        return ""
    at = next((i for i, pair in enumerate(zip(have, want)) if pair[0] != pair[1]), min(len(have), len(want)))
    return f"{at}: {have[max(0, at - 300):at + 80]!r} for {want[at:at + 80]!r}"


def files(box):
    """The archive's files in the folder, and their bytes."""
    return {path.name: path.read_bytes() for path in sorted((box.data / "archive").glob("*.warc.gz"))}


def records(box):
    """What list says."""
    return box.run("archive", "list", "--json", now=NOW).json()["records"]


def check_rebuild(tap, box):
    """The store from the archive alone."""
    before = seen(box)
    done = box.run("db", "rebuild", now=NOW)
    tap.ok(done.code == 0 and "runs, " in done.out, "db rebuild reads the archive", done)
    tap.same([first_difference(*pair) for pair in zip(seen(box), before)], [""] * 4, "offers, history, changes, health are the same, byte for byte")
    tap.ok(box.run("db", "check").code == 0, "the rebuilt store is clean")
    shutil.rmtree(box.data / "store")
    shutil.rmtree(box.data / "store.old")
    done, before = box.run("db", "rebuild", "--json", now=NOW), [untold(text) for text in before]
    tap.ok(done.code == 0 and done.json()["runs"] > 0 and done.json()["unread"] == 0, "a store that is gone comes back", done)
    tap.same([first_difference(untold(have), want) for have, want in zip(seen(box), before)], [""] * 4, "as it was, but for what alerts had told")


def check_actions(tap, box):
    """A void is archived, and done again."""
    history = box.run("changes", "--since", DAYS[0], "--format", "json", now=NOW).json()["changes"]
    change = next(row for row in history if row["kind"] == "price")
    done = box.run("db", "void", change["offer_id"], change["seq"], "typed wrong", now=NOW)
    tap.ok(done.code == 0, "a span is voided", done)
    listed = [row for row in records(box) if row["type"] == "metadata"]
    tap.ok(any("gputape-action: void" in box.run("archive", "cat", row["record_id"]).out for row in listed[-2:]), "the archive has the action")
    before = seen(box)
    box.run("db", "rebuild", now=NOW)
    tap.ok(seen(box) == before, "and a rebuild does it again")


def check_adoption(tap, box, market):
    """The store of yesterday, the archive of today: as after a crash before the commits."""
    kept = box.data / "store.kept"
    shutil.copytree(box.data / "store", kept)
    box.crawl("2026-09-21")
    at = noon("2026-09-21")
    whole = seen(box, at)
    runs = box.run("db", "stat", "--json").json()["runs"]
    shutil.rmtree(box.data / "store")
    kept.rename(box.data / "store")
    market.forget_log()
    done = box.run("crawl", *market.arguments(), now="2026-09-21T02:01:00Z")
    tap.ok("archive_adopted" in done.err, "the next crawl adopts what is in the archive alone", done)
    tap.ok(box.run("db", "stat", "--json").json()["runs"] >= runs, "all its runs are in the store")
    tap.ok(seen(box, at)[0] == whole[0], "with the same board")
    again = box.run("crawl", *market.arguments(), now="2026-09-21T02:01:30Z")
    tap.ok("archive_adopted" not in again.err, "once", again)
    tap.ok(box.run("db", "check").code == 0, "the store is clean")


def check_kills(tap, market):
    """Crawls killed at many moments: what was acknowledged is there, the archive is whole, and a rebuild says the same as the store."""
    with Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAYS[0])
        for number in range(14):
            market.set_day(DAYS[1 + number % 6])
            running = box.start("crawl", "--force", *market.arguments(), now=f"{DAYS[1 + number % 6]}T02:{number:02}:00Z")
            time.sleep(0.03 * (1 + number))
            running.kill()
            running.communicate()
        last = f"{DAYS[-1]}T03:00:00Z"
        done = box.run("crawl", "--force", *market.arguments(), now=last)
        tap.ok(done.code in (0, 3) and "failed before" not in done.err, "after 14 kills a crawl goes through", done)
        verify = box.run("archive", "verify")
        tap.ok(verify.code == 0, "every record is whole", verify)
        tap.ok(box.run("db", "check").code == 0, "the store is clean")
        before = seen(box, last)
        tap.ok(box.run("db", "rebuild", now=last).code == 0, "the store is rebuilt")
        tap.same([first_difference(*pair) for pair in zip(seen(box, last)[:3], before)], [""] * 3, "and says the same")


def check_cat(tap, box):
    """Records by id and by place; list by site and time."""
    rows = records(box)
    page = next(row for row in rows if row["type"] == "response" and "jygpu" in row["url"] and "robots" not in row["url"])
    by_id = box.run("archive", "cat", page["record_id"])
    by_place = box.run("archive", "cat", f"{page['file']}:{page['offset']}")
    tap.ok(by_id.code == 0 and "<table" in by_id.out and by_id.out == by_place.out, "cat shows the decoded page, by id and by place", by_place)
    whole = box.run("archive", "cat", page["record_id"], "--record")
    tap.ok(whole.out.startswith("WARC/1.1\r\n") and page["record_id"] in whole.out, "--record shows the record", whole)
    tap.ok(box.run("archive", "cat", "urn:uuid:00000000-0000-4000-8000-000000000000").code == 1, "an id that is not there is told")
    tap.ok(box.run("archive", "cat", f"{page['file']}:1").code == 1, "so is a place between records")
    site = box.run("archive", "list", "--site", "jygpu", "--json").json()["records"]
    tap.ok(site and len(site) < len(rows) and all("jygpu" in row["url"] for row in site), "list --site names that site's", site[:2])
    some = box.run("archive", "list", "--since", DAYS[3], "--until", DAYS[4], "--json").json()["records"]
    tap.ok(some and all(row["date"].startswith(DAYS[3]) for row in some), "list --since --until cuts by time", some[:2])
    tap.ok(box.run("archive", "list", "--site", "nobody").code == 2, "an unknown site is wrong use")
    return page


def check_pack(tap, box, page):
    """A closed month packed: smaller, the same."""
    was, first = files(box), box.run("archive", "cat", page["record_id"]).out
    verify = box.run("archive", "verify")
    tap.ok(verify.code == 0, "every digest holds", verify)
    for name, body in was.items():
        tap.ok(gzip.decompress(body).startswith(b"WARC/1.1\r\n"), f"{name} is a whole gzip file")
    tap.ok("nothing to pack" in box.run("archive", "pack", now=NOW).out, "an open month is left alone")
    done = box.run("archive", "pack", "--json", now=LATER)
    packs = done.json()["packs"]
    tap.ok(done.code == 0 and packs and packs[0]["error"] is None and packs[0]["verbatim"] == 0, "a closed month is packed", done)
    tap.ok(not files(box), "its files are gone")
    print(f"# {packs[0]['source_bytes']} bytes in {packs[0]['pack_bytes']}")
    tap.ok(packs[0]["pack_bytes"] * 3 < packs[0]["source_bytes"], "eight fetches a page are less than a third", packs)
    for name, body in was.items():
        out = box.data / "export.warc.gz"
        out.unlink(missing_ok=True)
        done = box.run("archive", "export", name, "--output", str(out))
        tap.ok(done.code == 0 and out.read_bytes() == body, f"export gives {name} back, byte for byte", done)
    none = box.data / "none.warc.gz"
    done = box.run("archive", "export", "no-such-file", "--output", str(none))
    tap.ok(done.code == 1 and not none.exists(), "of a file that is none, no file is left", done)
    tap.ok(box.run("archive", "cat", page["record_id"]).out == first, "a record is found where it was")
    verify = box.run("archive", "verify")
    tap.ok(verify.code == 0 and " 0 findings" in verify.out, "verify reads packs", verify)
    before = seen(box)
    tap.ok(box.run("db", "rebuild", now=LATER).code == 0 and seen(box) == before, "the store is rebuilt from packs")
    tap.ok("nothing to pack" in box.run("archive", "pack", now=LATER).out, "a second pack finds nothing to do")
    # a crash between naming the pack and deleting its sources
    for name, body in was.items():
        (box.data / "archive" / name).write_bytes(body)
    (box.data / "archive" / "gputape-202609-00001-00009.pack.tmp").write_bytes(b"GTPACK1\nhalf")
    done = box.run("archive", "pack", now=LATER)
    tap.ok(done.code == 0 and not files(box) and not list((box.data / "archive").glob("*.tmp")), "what a crash left is tidied up", done)


def warc_record(kind, url, date, block, version="WARC/1.0", number=0):
    """One record as GNU wget writes it: angle brackets around the address, chunks and all kept."""
    head = (f"{version}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:11111111-2222-4333-8444-{number:012x}>\r\nWARC-Target-URI: <{url}>\r\n"
            f"WARC-Date: {date}\r\nContent-Type: application/http;msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def check_import(tap, box, page):
    """Foreign files: what sites.conf knows is taken once, in order of time."""
    body = box.run("archive", "cat", page["record_id"]).out.encode()
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:1000], body[1000:])) + b"0\r\n\r\n"
    older = (warc_record("request", page["url"], "2026-08-02T10:00:00Z", b"GET / HTTP/1.1\r\n\r\n", number=1)
             + warc_record("response", page["url"], "2026-08-02T10:00:00Z",
                           b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked, number=2)
             + warc_record("response", "https://nobody.example/", "2026-08-02T10:00:00Z", b"HTTP/1.1 200 OK\r\n\r\nhello", number=3))
    oldest = warc_record("response", page["url"], "2026-08-01T10:00:00Z",
                         b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body, number=4)
    first, second = box.data / "first.warc", box.data / "second.warc.gz"
    first.write_bytes(older)
    second.write_bytes(gzip.compress(oldest) + b"garbage between" + gzip.compress(oldest)[:40])
    board = box.run("offers", "--json", now=LATER).out
    done = box.run("archive", "import", str(first), "--json", now=LATER)
    said = done.json()
    tap.ok(done.code == 0 and said["taken"] == 1 and said["unwanted"] == 1 and said["runs"] == 1, "a page of a known address is taken", done)
    again = box.run("archive", "import", str(first), "--json", now=LATER).json()
    tap.ok(again["taken"] == 0 and again["known"] == 1 and again["runs"] == 1, "once", again)
    done = box.run("archive", "import", str(second), "--json", now=LATER)
    tap.ok(done.code == 0 and done.json()["taken"] == 1 and done.json()["runs"] == 2 and done.json()["damaged"] >= 1,
           "an older one is put before it, damage is told and passed over", done)
    tap.ok(box.run("db", "check").code == 0, "the store is clean")
    tap.ok(box.run("offers", "--json", now=LATER).out == board, "the board is the live stream's")
    past = box.run("offers", "--json", now="2026-08-01T12:00:00Z").json()["offers"]
    tap.ok(past and all(row["provenance"] == "warc" for row in past), "the past is there, and says where it is from", past[:1])
    before = seen(box, LATER)
    tap.ok(box.run("db", "rebuild", now=LATER).code == 0 and seen(box, LATER)[:2] == before[:2], "a rebuild has it, too")
    tap.ok(box.run("archive", "import", str(box.data / "none.warc")).code == 1, "a file that is not there is told")
    (box.data / "text.warc").write_text("no archive at all")
    tap.ok(box.run("archive", "import", str(box.data / "text.warc")).code == 1, "so is one that is no WARC")


def check_reparse(tap, folder, box):
    """Other rules over the same pages."""
    before = seen(box, LATER)
    done = box.run("archive", "reparse", "jygpu", "--since", DAYS[2], now=LATER)
    tap.ok(done.code == 0 and " 0 corrections" in done.out, "the same rules change nothing", done)
    conf = Path(folder) / "other.conf"
    text = (ROOT / "sites.conf").read_text(encoding="utf-8")
    conf.write_text(text.replace("[site jygpu]\n", "[site jygpu]\nalias.NVIDIA-H800 = H20\n"), encoding="utf-8")
    other = Box(folder, conf=conf)
    done = other.run("archive", "reparse", "jygpu", "--since", DAYS[2], now=LATER)
    tap.ok(done.code == 0 and "NVIDIA-H800" in done.out and "--apply" in done.out, "other rules show what they would change", done)
    tap.ok(seen(box, LATER) == before, "and change nothing yet")
    done = other.run("archive", "reparse", "jygpu", "--since", DAYS[2], "--apply", "--json", now=LATER)
    tap.ok(done.code == 0 and done.json()["applied"] and done.json()["corrections"], "--apply does it", done)
    skus = {row["sku"] for row in other.offers("site=jygpu", now=LATER)}
    tap.ok("NVIDIA-H800" in skus, "the board has it", sorted(skus))
    early = {row["sku"] for row in other.offers("site=jygpu", now=noon(DAYS[1]))}
    tap.ok("NVIDIA-H800" not in early, "what was before --since stays as it was", sorted(early))
    tap.ok(box.run("db", "check").code == 0, "the store is clean")
    tap.ok(box.run("archive", "reparse", "jygpu").code == 2 and box.run("archive", "reparse", "nobody", "--since", DAYS[0]).code == 2,
           "without --since, or with an unknown site, it is wrong use")


def check_damage(tap, box):
    """A turned byte is found and named."""
    pack = next((box.data / "archive").glob("*.pack"))
    good = pack.read_bytes()
    for name, at in (("a frame", 5000), ("the end", len(good) - 3), ("the directory", len(good) - 60)):
        bad = bytearray(good)
        bad[at] ^= 0x10
        pack.write_bytes(bytes(bad))
        done = box.run("archive", "verify")
        tap.ok(done.code == 1 and pack.name in done.out, f"verify names the pack when {name} is damaged", done)
    pack.write_bytes(good[:-1])
    tap.ok(box.run("archive", "verify").code == 1, "a pack that was cut is found")
    pack.write_bytes(good)
    tap.ok(box.run("archive", "verify").code == 0, "the good one passes again")


def main():
    """One market, a week of crawls."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        for day in DAYS:
            box.crawl(day)
        check_kills(tap, market)
        check_rebuild(tap, box)
        check_actions(tap, box)
        check_adoption(tap, box, market)
        page = check_cat(tap, box)
        check_pack(tap, box, page)
        check_damage(tap, box)
        check_import(tap, box, page)
        check_reparse(tap, folder, box)
        tap.ok(box.run("archive").code == 2 and box.run("archive", "lst").code == 2, "no action, or an unknown one, is wrong use")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
