#!/usr/bin/env python3
"""db compact --keep-pages: pages of months that are over leave the archive, and nothing else does. A rebuild from what is left exports what the store exported before, to the
byte, whatever was imported, decided, published, killed or damaged around it."""

import json
import re
import resource
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap  # noqa: E402
from retention import DAYS, KEEP, NOW, PLAYED, SITES, archive, copy_of, exported, is_whole, listed, rebuilt  # noqa: E402
from web_client import Server  # noqa: E402

LATER = "2026-11-02T00:00:00Z"
KILLS = 16


def check_words(tap, box):
    """What is no span of time, and a dry run: nothing has changed."""
    before, want = archive(box), exported(box)
    for span in ("0", "0s", "-30d", "30", "long", "", "999ms"):
        done = box.run("db", "compact", "--keep-pages", span, now=NOW)
        tap.ok(done.code == 2 and "--keep-pages takes a span" in done.err, f'--keep-pages "{span}" is refused', done)
    done = box.run("db", "compact", "--dry-run", now=NOW)
    tap.ok(done.code == 2 and "--keep-pages" in done.err, "a dry run of nothing, too", done)
    done = box.run(*KEEP, "--dry-run", now=NOW)
    tap.ok(done.code == 0 and re.search(r"2026-07: [1-9]\d* pages would go, [1-9]\d* bytes", done.out) and "2026-08: " in done.out and "2026-09" not in done.out,
           "a dry run says which months lose how many pages", done)
    done = box.run("db", "compact", "--keep-pages", "99999d", "--dry-run", now=NOW)
    tap.ok(done.code == 0 and "no page goes" in done.out, "a span longer than all history takes nothing", done)
    tap.ok(archive(box) == before and exported(box) == want, "and the archive is as it was, byte for byte")


def check_nothing(tap, folder, box):
    """Months that are not over so long ago: packed, and no more."""
    young = copy_of(folder, "young", box)
    want, count = exported(young), len(listed(young))
    done = young.run("db", "compact", "--keep-pages", "180d", "--pack", now=NOW)
    tap.ok(done.code == 0 and "no page goes" in done.out and "dropped" not in done.out, "with nothing old enough nothing goes", done)
    tap.ok(exported(young) == want and len(listed(young)) == count and not any(row["dropped"] for row in listed(young)), "and no action is archived")


def check_drop(tap, folder, box, name):
    """Pages go, places stay, and the archive alone makes the same store."""
    want, places = exported(box), {(row["record_id"], row["file"], row["offset"]) for row in listed(box)}
    before = sum(map(len, archive(box).values()))
    done = box.run(*KEEP, "--pack", now=NOW)
    gone = [row for row in listed(box) if row["dropped"]]
    said = re.search(r"^(\d+) pages dropped", done.out, re.MULTILINE)
    tap.ok(done.code == 0 and said and int(said.group(1)) == len(gone) > 40, f"{name}: pages are dropped, as many as was said", done)
    print(f"# {before} bytes of archive, {sum(map(len, archive(box).values()))} after")
    tap.ok(places <= {(row["record_id"], row["file"], row["offset"]) for row in listed(box)}, f"{name}: every record has its place still")
    tap.ok(all(row["file"] < "gputape-202609" for row in gone), f"{name}: none of a month that is kept")
    tap.ok(is_whole(box) and box.run("archive", "verify", "--json").json()["dropped"] == len(gone), f"{name}: verify counts them and finds nothing wrong")
    tap.ok(exported(box) == want, f"{name}: the store says what it said")
    tap.ok(rebuilt(folder, box) == want, f"{name}: and so does one that is made of the archive alone, byte for byte")
    again = archive(box)
    done = box.run(*KEEP, "--pack", now=NOW)
    tap.ok(done.code == 0 and "no page goes" in done.out and archive(box) == again, f"{name}: a second time there is nothing to do", done)


def check_told(tap, box):
    """Who asks for a page that is gone is told that, and when."""
    rows = [row for row in listed(box) if row["dropped"] and "robots" not in row["url"]]
    sentence = "page dropped by retention on 2026-10-02; its records are kept"
    for words in ((rows[0]["record_id"],), (f"{rows[-1]['file']}:{rows[-1]['offset']}",)):
        done = box.run("archive", "cat", *words)
        tap.ok(done.code == 1 and sentence in done.err and done.out == "", f"cat {words[0]} says so", done)
    record = box.run("archive", "cat", rows[0]["record_id"], "--record").out
    tap.ok(all(word in record for word in (rows[0]["record_id"], rows[0]["url"], rows[0]["date"], "HTTP/1.1 200", "gputape-dropped-digest: sha1:")),
           "what is left names id, address, time, status and digest", record)
    tap.ok("page dropped by retention" in box.run("archive", "list").out, "so does list")
    action = next(row for row in reversed(listed(box)) if row["type"] == "metadata")
    text = box.run("archive", "cat", action["record_id"]).out
    tap.ok("gputape-action: drop-pages" in text and "gputape-until: 2026-09-01T00:00:00Z" in text and "gputape-pages: " in text, "the action is archived", text)
    revisit = next((row for row in listed(box) if row["type"] == "revisit" and row["file"] < "gputape-202608"), None)
    gone = {row["record_id"] for row in rows}
    refers = re.search(r"WARC-Refers-To: <(\S+)>", box.run("archive", "cat", revisit["record_id"], "--record").out).group(1) if revisit else ""
    done = box.run("archive", "cat", revisit["record_id"]) if revisit else None
    tap.ok(done and (done.code == 0) == (refers not in gone), "a revisit leads to the page or to the sentence", done)
    out = box.data / "exported.warc.gz"
    done = box.run("archive", "export", rows[0]["file"], "--output", str(out))
    other = Box(box.data / "reads")
    (other.data / "archive").mkdir(parents=True)
    (other.data / "archive" / rows[0]["file"]).write_bytes(out.read_bytes())
    tap.ok(done.code == 0 and is_whole(other), "an exported file is a whole WARC", done)


def check_kept(tap, box):
    """What is still needed: the newest page of a part, and those of an open doubt."""
    lines = [json.loads(line) for line in exported(box).splitlines()]
    runs = [row for row in lines if row["type"] == "run"]
    doubts = [row for row in lines if row["type"] == "change" and row["site"] == "autodl" and "doubted" in row["changes"]]
    tap.ok(len(doubts) >= 1 and doubts[0]["t"] < "2026-09", "a doubt of August is open", doubts[:1])
    outcomes = [box.run("archive", "cat", row["record_id"]).out for row in listed(box) if row["type"] == "metadata" and row["date"] == doubts[0]["t"]]
    pages = re.findall(r"gputape-page: (\S+)", next(text for text in outcomes if "gputape-site: autodl\r" in text or "gputape-site: autodl\n" in text))
    done = [box.run("archive", "cat", page) for page in pages]
    tap.ok(len(pages) > 1 and all(page.code == 0 for page in done) and any("198" in page.out for page in done), "the pages that it began with are there", done[-1:])
    newest = {}
    for row in runs:
        if row["record_id"]:
            newest[row["stream"]] = row
    codes = [box.run("archive", "cat", row["record_id"]).code for row in newest.values()]
    tap.ok(codes and not any(codes), "so is the newest page of each part", codes)


def check_serve(tap, box):
    """The page of an offer that is listed no more went with its month."""
    gone = next(row for row in box.run("history", "site=gongji", "L40S", "--since", DAYS[0], "--json", now=NOW).json()["spans"])
    with Server(box, now=NOW) as server:
        answer = server.get(f"/archive?id={gone['offer_id']}")
        tap.ok(answer.status == 404 and "page dropped by retention on 2026-10-02; its records are kept" in answer.text, "the server says so, too", answer.text[:300])
        tap.same(server.get(f"/offer?id={gone['offer_id']}").status, 200, "and shows the offer's records")


def check_reparse(tap, box):
    """Today's rules over pages that are there, not over those that are not."""
    want = exported(box)
    for since in (DAYS[0], "2026-08-31T23:59:59Z"):
        done = box.run("archive", "reparse", "gongji", "--since", since, "--apply", now=NOW)
        tap.ok(done.code == 1 and "pages of before 2026-09-01 were dropped" in done.err and exported(box) == want, f"a reparse since {since} is refused", done)
    done = box.run("archive", "reparse", "gongji", "--since", "2026-09-01", "--json", now=NOW)
    tap.ok(done.code == 0 and done.json()["unread"] == 0 and done.json()["runs"] > 3 and done.json()["corrections"] == [], "since the first day that is kept it reads all", done)


def check_goes_on(tap, folder, box):
    """Crawls, decisions, a week that is published, an import: before the pages of a further month go, and after."""
    tap.same(box.crawl("2026-09-20", *SITES, "--force", now="2026-10-03T02:00:00Z").code, 0, "crawls go on")
    span = next(row for row in box.run("history", "site=runpod", "--since", DAYS[0], "--json", now=NOW).json()["spans"] if row["open"])
    change = next(row for row in box.run("changes", "--since", DAYS[0], "--format", "json", now=NOW).json()["changes"] if row["kind"] == "price")
    tap.same([box.run("db", "void", change["offer_id"], change["seq"], "a test", now="2026-10-03T03:00:00Z").code,
              box.run("report", "--week", "2026-W38", "--publish", now="2026-10-03T04:00:00Z").code], [0, 0], "something is voided, and a week published")
    tap.ok(span and rebuilt(folder, box, LATER) == exported(box), "the history and what came after it make the same store")
    want = exported(box)
    done = box.run(*KEEP, now=LATER)
    tap.ok(done.code == 0 and re.search(r"2026-09: [1-9]\d* pages go", done.out), "a month later September's pages go", done)
    tap.ok(exported(box) == want and rebuilt(folder, box, LATER) == want and is_whole(box), "and the same store is made of what is left")
    histories = [(row["dropped"], row["file"][:14]) for row in listed(box) if row["url"] == "gputape:history"]
    tap.same(sorted(set(histories)), [(False, "gputape-202611"), (True, "gputape-202610")], "the history of before is replaced")
    alone = Box(folder / "published")
    shutil.copytree(box.data / "archive", alone.data / "archive")
    alone.run("db", "rebuild", now=LATER)
    weeks = [row["week"] for row in alone.run("report", "--published", "--json", now=LATER).json()["published"]]
    tap.same(weeks, ["2026-W38"], "with the week that was published")


def check_import(tap, folder, box):
    """Imported pages are written anew with each import: they stay, also behind a history that has some of them."""
    page = next(row for row in reversed(listed(box)) if row["type"] == "response" and "jygpu" in row["url"] and "robots" not in row["url"])
    body = box.run("archive", "cat", page["record_id"]).out.encode()
    for number, day in enumerate(("2026-08-02", "2026-07-02"), 1):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
        head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012d}>\r\nWARC-Target-URI: {page['url']}\r\n"
                f"WARC-Date: {day}T10:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n")
        (box.data / "foreign.warc").write_bytes(head.encode() + block + b"\r\n\r\n")
        done = box.run("archive", "import", str(box.data / "foreign.warc"), "--json", now=f"2026-11-0{number + 2}T00:00:00Z")
        tap.ok(done.code == 0 and done.json()["runs"] == number and done.json()["unread"] == 0, f"a page of {day} is imported", done)
        if number == 1:
            tap.same(box.run("db", "compact", "--keep-pages", "1d", now="2026-12-02T00:00:00Z").code, 0, "the pages of its month go, too")
    want = [box.run(*words, now="2026-12-03T00:00:00Z").out for words in (("offers", "--json"), ("history", "site=jygpu", "--since", "2026-07-01", "--format", "json"))]
    shutil.rmtree(box.data / "store")
    done = box.run("db", "rebuild", "--json", now="2026-12-03T00:00:00Z")
    have = [box.run(*words, now="2026-12-03T00:00:00Z").out for words in (("offers", "--json"), ("history", "site=jygpu", "--since", "2026-07-01", "--format", "json"))]
    tap.ok(done.code == 0 and done.json()["unread"] == 0 and done.json()["history_runs"] > 0 and have == want, "and a rebuild has both", done)


def check_damage(tap, folder, box):
    """What cannot be read may be needed, and what may be wrong is not thrown away."""
    for name, packs in (("a file", False), ("a pack", True)):
        other = copy_of(folder, f"damaged-{packs}", box)
        if packs:
            other.run("archive", "pack", now=NOW)
        path = sorted((other.data / "archive").iterdir())[1]
        whole = path.read_bytes()
        path.write_bytes(whole[:len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 4]) + whole[len(whole) // 2 + 1:])
        before = path.read_bytes()
        done = other.run(*KEEP, now=NOW)
        tap.ok(done.code == 1 and "dropped" not in done.out and path.read_bytes() == before, f"with {name} damaged nothing goes", done)
        tap.ok(not any(row["dropped"] for row in listed(other)) if not packs else path.read_bytes() == before, "and every page is as it was")


def check_tail(tap, folder, box):
    """What a crash left unfinished at the end was never acknowledged: no damage."""
    other = copy_of(folder, "tail", box)
    other.crawl("2026-09-20", *SITES, "--force", now="2026-10-01T02:00:00Z")
    path = max((other.data / "archive").glob("*.warc.gz"))
    path.write_bytes(path.read_bytes()[:-100] if path.stat().st_size > 100 else b"")
    shutil.rmtree(other.data / "store")
    tap.same(other.run("db", "rebuild", now=NOW).code, 0, "a store of what is whole")
    want, done = exported(other), other.run(*KEEP, now=NOW)
    tap.ok(done.code == 0 and "pages dropped" in done.out and is_whole(other) and rebuilt(folder, other) == want, "an unfinished record is in nobody's way", done)


def check_lost(tap, folder, box):
    """A store that is gone is made by a rebuild, not by a crawl that would take dropped pages for failures; and not from half a history."""
    other = copy_of(folder, "lost", box)
    shutil.rmtree(other.data / "store")
    done = other.crawl("2026-09-20", *SITES, now="2026-10-04T02:00:00Z")
    tap.ok(done.code == 1 and "gputape db rebuild" in done.err, "a crawl into nothing is refused", done)
    path = next(path for path in sorted((other.data / "archive").glob("*.warc.gz")) if path.name > "gputape-202610")
    whole = path.read_bytes()
    for what, bytes_ in (("cut", whole[:200]), ("changed", whole[:900] + bytes([whole[900] ^ 1]) + whole[901:])):
        path.write_bytes(bytes_)
        done = other.run("db", "rebuild", now=NOW)
        tap.ok(done.code == 1 and path.name in done.err and not (other.data / "store.old").exists(), f"from a history that is {what} there is no rebuild", done)
    path.write_bytes(whole + b"not a record")
    done = other.run("db", "rebuild", now=NOW)
    tap.ok(done.code == 0 and exported(other) == exported(box), "damage behind it costs what is damaged", done)


def check_full(tap, folder, box):
    """No room for a new pack: the old one stays."""
    other = copy_of(folder, "full", box)
    other.run("archive", "pack", now=NOW)
    before, want = archive(other), exported(other)
    size = max(map(len, before.values())) // 3

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = other.run(*KEEP, now=NOW, preexec_fn=limit)
    tap.ok(done.code == 1 and {name: bytes_ for name, bytes_ in archive(other).items() if name.endswith(".pack")} == before, "a full disk leaves every pack as it was", done)
    tap.ok(is_whole(other) and rebuilt(folder, other) == want, "and the archive makes the same store")
    done = other.run(*KEEP, now=NOW)
    tap.ok(done.code == 0 and "pages dropped" in done.out and rebuilt(folder, other) == want, "with room it is done", done)


def check_kills(tap, folder, box):
    """SIGKILL at many moments: the store and the archive say what they said, and the next call ends it."""
    want, bad = exported(box), []
    begin = time.monotonic()
    copy_of(folder, "timed", box).run(*KEEP, "--pack", now=NOW)
    whole_s = time.monotonic() - begin
    for i in range(KILLS):
        other = copy_of(folder, f"killed-{i}", box)
        child = other.start(*KEEP, "--pack", now=NOW)
        time.sleep(1.1 * whole_s * i / KILLS)
        child.kill()
        child.communicate()
        if other.run("db", "check").code != 0 or exported(other) != want or rebuilt(folder, other) != want:
            bad.append((i, "killed"))
        if other.run(*KEEP, "--pack", now=NOW).code != 0 or not is_whole(other) or rebuilt(folder, other) != want:
            bad.append((i, "again"))
        left = [path.name for path in (other.data / "archive").iterdir() if path.suffix not in (".pack", ".gz")]
        if left or sum(row["dropped"] for row in listed(other)) < 40:
            bad.append((i, left))
        shutil.rmtree(other.data)
    tap.same(bad, [], f"{KILLS} kills: nothing is lost, and the next call ends it")


def main():
    """Two months of crawls, every fourth day."""
    tap = Tap()
    with Market(scenario=PLAYED) as market, Folder() as folder:
        box = Box(folder, market=market)
        codes = [box.crawl(day, *SITES).code for day in DAYS]
        tap.ok(not any(codes), "crawls of eight weeks", codes)
        check_words(tap, box)
        check_nothing(tap, folder, box)
        check_damage(tap, folder, box)
        check_full(tap, folder, box)
        check_tail(tap, folder, box)
        check_kills(tap, folder, box)
        packed = copy_of(folder, "packed", box)
        packed.run("archive", "pack", now=NOW)
        check_drop(tap, folder, packed, "packed")
        check_drop(tap, folder, box, "unpacked")
        check_told(tap, box)
        check_kept(tap, box)
        check_serve(tap, box)
        check_reparse(tap, box)
        check_lost(tap, folder, box)
        check_goes_on(tap, folder, box)
        check_import(tap, folder, box)
    tap.done()


main()
