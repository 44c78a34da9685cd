#!/usr/bin/env python3
"""What `push clickhouse` sends, to a server of the test's own: every run and change of the store, each with a key, runs last; sent again whole after a failure and not again after
none; a secret in no message. And what `--store` makes of it: the bytes of one store, or nothing."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clickhouse_twin import Twin  # noqa: E402
from harness import ROOT, Box, Folder, Market, Tap, noon, untold  # noqa: E402

DAYS = ("2026-09-17", "2026-09-18", "2026-09-19", "2026-09-20")
NOW = noon("2026-09-20")
HOSTILE = 'tab\there "quoted" back\\slash \'single\' 😀 \u202e中\x7f {json} \\N NULL'
SITES = ("autodl", "jygpu", "runpod")


def market_box(folder, market, days=DAYS):
    """A data folder with some days of some sites."""
    box = Box(folder, market=market)
    for day in days:
        box.crawl(day, *SITES)
    return box


def lines_of(box, kind):
    """The lines of an export that are of one kind."""
    return [line for line in map(json.loads, box.run("export").out.splitlines()) if line["type"] == kind]


def check_rows(tap, box):
    """All of it, once, with keys; what a run refers to before it."""
    with Twin() as twin:
        done = box.run("push", "clickhouse", twin.url)
        runs, changes = lines_of(box, "run"), lines_of(box, "change")
        tap.ok(done.code == 0 and f"{len(runs)} runs and {len(changes)} changes pushed" in done.out, "a push says how much it sent", done)
        sent = {name: [row for table, rows in twin.inserts if table == name for row in rows] for name in twin.tables}
        tap.same((len(sent["runs"]), len(sent["changes"])), (len(runs), len(changes)), "every run and every change is sent")
        tap.ok(all(len(sent[name]) == len(twin.tables[name]) > 0 for name in sent), "no row has the key of another", {name: len(rows) for name, rows in sent.items()})
        tap.same(twin.inserts[-1][0], "runs", "runs come last: a run whose row is there is there whole")
        tap.ok(all("insert_distributed_sync=1" in path for path, _, _ in twin.requests if "INSERT" in path), "every insert waits for all shards")
        tap.same(sum(row["changes"] for row in sent["runs"]), len(changes), "a run counts its changes")
        spans = box.run("db", "stat", "--json").json()["spans"]
        tap.same(len(sent["spans"]), spans, "every span is sent")
        board = {(o["site"], o["label"], o["hour_list"]) for o in box.offers("delivery=container") if o["hour_list"] and not o["doubted"]}
        open_spans = {(s["site"], s["label"], s["hour_list_nano"]) for s in sent["spans"] if s["is_open"]}
        tap.ok(board and all((site, label, round(float(price) * 1e9)) in open_spans for site, label, price in board), "an open span has the board's price", board)
        again = box.run("push", "clickhouse", twin.url)
        tap.ok(again.code == 0 and "0 runs and 0 changes pushed" in again.out, "a second push sends nothing", again)
        tap.same(len([path for path, _, _ in twin.requests if "INSERT" in path]), len(twin.inserts), "and asks only what is there")


def check_failures(tap, box):
    """What fails is sent again, whole; what fails for good is told, and the next push ends where one without a failure does."""
    with Twin() as calm:
        box.run("push", "clickhouse", calm.url)
    whole = calm.tables
    with Twin(lambda count, table: 500 if table == "changes" and count < 3 else None) as twin:
        done = box.run("push", "clickhouse", twin.url)
        tap.ok(done.code == 0 and twin.tables == whole, "a block that is refused for a while arrives", done)
        bodies = [body for path, _, body in twin.requests if "INTO%20changes" in path]
        tap.ok(len(bodies) >= 2 and bodies[0] == bodies[1], "each attempt sends the whole block")
    for fault, code, words in ((lambda count, table: 404 if table == "runs" else None, 1, "answers 404"),
                               (lambda count, table: 500 if table == "spans" else None, 1, "answers 500"),
                               (lambda count, table: "drop" if table == "runs" else None, 1, "ClickHouse at"),
                               (lambda count, table: 401, 1, "answers 401")):
        with Twin(fault) as twin:
            done = box.run("push", "clickhouse", twin.url)
            tap.ok(done.code == code and words in done.err and done.out == "", f"a server that fails for good: {words}", done)
            tap.ok("\x1b" not in done.err and "\0" not in done.err and len(done.err) < 1000, "its words are made fit for a terminal", done)
            tap.same(twin.tables["runs"], {}, "no run counts")
            twin.fault = None
            done = box.run("push", "clickhouse", twin.url)
            tap.ok(done.code == 0 and twin.tables == whole, "the next push leaves what one push would have", done)


def check_texts(tap, folder):
    """Texts that have a meaning for somebody on the way."""
    box = Box(folder)
    box.data.parent.mkdir(exist_ok=True)
    table = box.data.parent / "quotes.csv"
    table.write_text('card,price,currency,period,cards,delivery,region,source,date,note\nRTX 4090,1050,CNY,month,1,bare-metal,East,"%s",2026-09-18,\n' % HOSTILE.replace('"', '""'), encoding="utf-8")
    box.run("import", table, now=NOW)
    with Twin() as twin:
        done = box.run("push", "clickhouse", twin.url)
        variant = lines_of(box, "offer")[0]["variant"]
        bodies = [json.loads(row["body"]) for row in twin.tables["changes"].values()]
        tap.ok(done.code == 0 and variant and {body["offer"]["variant"] for body in bodies if body["offer"]} == {variant}, "a hostile text arrives as it is", (done, variant, bodies))
        tap.ok(all(word in variant for word in ("quoted", "back\\slash", "😀", "\\N NULL")), "and is one", variant)
        tap.same([row["variant"] for row in twin.tables["offers"].values()], [variant], "in its column, too")


def check_address(tap, box):
    """What is no address; where user and password come from, and that nobody is told."""
    secret, url = "s3cret-p4ss", "http://127.0.0.1:1/"
    for wrong in ("ftp://127.0.0.1/", "nonsense", f"http://gpu:{secret}@127.0.0.1:1/", f"{url}?user=gpu&password={secret}", f"{url}?password={secret}", ""):
        done = box.run("push", "clickhouse", wrong)
        tap.ok(done.code == 2 and secret not in done.err, f"\"{wrong.replace(secret, '…')}\" is wrong use, and not repeated", done)
    for words in ((), ("clickhouse",), ("postgres", url), ("clickhouse", url, url)):
        tap.ok(box.run("push", *words).code == 2, f"push {' '.join(words)}: wrong use")
    env = {"GPUTAPE_CLICKHOUSE_USER": "gpu", "GPUTAPE_CLICKHOUSE_PASSWORD": secret}
    with Twin() as twin:
        done = box.run("push", "clickhouse", twin.url + "?database=prices", env=env)
        headers = {(head.get("X-ClickHouse-User"), head.get("X-ClickHouse-Key")) for _, head, _ in twin.requests}
        tap.ok(done.code == 0 and headers == {("gpu", secret)}, "user and password go into every request's head", (done, headers))
        tap.ok(all("database=prices" in path and secret not in path for path, _, _ in twin.requests), "settings into its address")
    with Twin(lambda *_: 500) as twin:
        done = box.run("push", "clickhouse", twin.url, env=env)
        tap.ok(done.code == 1 and secret not in done.err + done.out, "a failure does not tell the secret", done)
    closed = box.run("push", "clickhouse", url, env=env)
    tap.ok(closed.code == 1 and "127.0.0.1:1" in closed.err and secret not in closed.err, "nobody there: said, with the place", closed)


def check_rewritten(tap, folder, market):
    """A stream that was written anew here is sent anew; one that two data folders have crawled is left alone."""
    one, twice, later = market_box(folder / "one", market), market_box(folder / "twice", market), market_box(folder / "later", market, DAYS[1:])
    with Twin() as twin:
        one.run("push", "clickhouse", twin.url)
        before = json.dumps(list(twin.tables["runs"].values()))
        for box, words in ((twice, "at the same seconds"), (later, "since the second day")):
            done = box.run("push", "clickhouse", twin.url)
            tap.ok(done.code == 3 and "was crawled from another data folder" in done.err, f"runs of a second crawler of the same sites {words} are not mixed in", done)
        tap.same(json.dumps(list(twin.tables["runs"].values())), before, "and nothing was sent")
        rebuilt = one.run("db", "rebuild")
        done = one.run("push", "clickhouse", twin.url)
        tap.ok(rebuilt.code == 0 and done.code == 0 and "0 runs" in done.out, "a store that was made anew from the archive says the same: nothing is sent", done)
        tap.same(json.dumps(list(twin.tables["runs"].values())), before, "and what is there stays")
        twin.tables["runs"].pop(sorted(key for key in twin.tables["runs"] if key[1] == 1)[1])
        done = one.run("push", "clickhouse", twin.url)
        tap.ok(done.code == 0 and f"{len(DAYS)} runs" in done.out, "a gap in what is there is filled", done)
        aliased = folder / "aliased.conf"
        aliased.write_text((ROOT / "sites.conf").read_text(encoding="utf-8").replace("[site jygpu]\n", "[site jygpu]\nalias.NVIDIA-RTX-3090 = 4090\n"), encoding="utf-8")
        anew = Box(folder / "one", conf=aliased, market=market)
        derived, done = anew.run("db", "rebuild", "--skus"), anew.run("push", "clickhouse", twin.url)
        tap.ok("rewritten" in derived.out and done.code == 0 and "1 listings anew" in done.out, "cards that were derived anew are sent anew", (str(derived), str(done)))
        epochs = sorted(row["epoch"] for row in twin.tables["runs"].values())
        tap.same(epochs, [1] * (len(SITES) * len(DAYS)) + [2] * len(DAYS), "under the next epoch")
        done = anew.run("push", "clickhouse", twin.url)
        tap.ok(done.code == 0 and "0 runs" in done.out, "once")
        have, want = (Box(folder / "none", conf=aliased).run("offers", "--store", f"clickhouse:{twin.url}", now=NOW), anew.run("offers", now=NOW))
        tap.ok(have.out == want.out and have.code == 0, "and are what is read", have)


def check_reading(tap, folder, market):
    """Two crawlers' histories read as one; what is missing or not as it was sent makes none."""
    one, boxes = Box(folder / "one", market=market), [Box(folder / "a", market=market), Box(folder / "b", market=market)]
    for day in DAYS:
        one.crawl(day)
        for index, box in enumerate(boxes):
            box.crawl(day, "--shard", f"{index + 1}/2")
    with Twin() as twin:
        place, none = f"clickhouse:{twin.url}", Box(folder / "none")
        done = none.run("offers", "--store", place, now=NOW)
        tap.ok(done.code == 1 and "nothing was pushed" in done.err, "before that there is nothing to report", done)
        tap.ok(all(box.run("push", "clickhouse", twin.url).code == 0 for box in boxes), "two crawlers push")
        for words in (("offers",), ("history", "4090"), ("report",), ("index",)):
            have, want = none.run(*words, "--store", place, now=NOW), one.run(*words, now=NOW)
            tap.ok(have.code == 0 and have.out == want.out and len(want.out) > 50, f"{words[0]} has the bytes of one store", have)
        have, want = (untold(text) for text in (none.run("changes", "--since", DAYS[0], "--json", "--store", place, now=NOW).out, one.run("changes", "--since", DAYS[0], "--json", now=NOW).out))
        tap.ok(have == want and '"seq":' in have, "changes too, but for what each crawler's alerts told", (have[:500], want[:500]))
        taken = none.run("import", "--history", place)
        tap.ok(taken.code == 0 and none.run("offers", now=NOW).out == one.run("offers", now=NOW).out, "import --history takes it over", taken)
        tap.ok(none.run("db", "check").code == 0 and "0 runs and 0 changes" in none.run("push", "clickhouse", twin.url).out, "as a sound store, of which there is nothing to push")
        last = {name: sorted(twin.tables[name])[-1] for name in ("runs", "changes", "offers")}
        middle = sorted(twin.tables["runs"])[1]
        for name, key, column, value, words in (("changes", last["changes"], None, None, "lacks changes"), ("offers", last["offers"], None, None, "lacks an offer"),
                                                ("runs", middle, None, None, "lacks runs"), ("runs", last["runs"], "body", "{}", "not what was pushed"),
                                                ("changes", last["changes"], "body", '{"offer":null}', "not what was pushed"), ("runs", last["runs"], "changes", 9999999, "lacks changes"),
                                                ("offers", last["offers"], "body", "{}", "not what was pushed")):
            kept = twin.tables[name][key]
            if column:
                twin.tables[name][key] = {**kept, column: value}
            else:
                del twin.tables[name][key]
            done = none.run("offers", "--store", place, now=NOW)
            tap.ok(done.code == 1 and words in done.err and done.out == "", f"{name}: {column or 'a row'} {'is ' + str(value) if column else 'is missing'}: {words}", done)
            twin.tables[name][key] = kept
        extra = {**twin.tables["changes"][last["changes"]], "n": 999}
        twin.tables["changes"][(extra["entity"], extra["epoch"], 999, extra["i"])] = extra
        tap.ok(none.run("offers", "--store", place, now=NOW).out == one.run("offers", now=NOW).out, "changes of a push that did not end do not count")
        for fault in (500, 404, "drop"):
            twin.fault = lambda count, _, fault=fault: fault
            done = none.run("offers", "--store", place, now=NOW)
            tap.ok(done.code == 1 and done.out == "", f"a server that fails ({fault}): no report", done)
        twin.fault, whole = None, twin.select
        twin.select = lambda query: whole(query)[:-1] if "digest, body FROM runs" in query else whole(query)
        done = none.run("offers", "--store", place, now=NOW)
        tap.ok(done.code == 1 and "lacks runs" in done.err and done.out == "", "a replica that has not the last run yet: no report", done)
        twin.select = lambda query: [{"entity": "1", "epoch": 1, "runs": "3", "last": 3, "n": 7}]
        tap.ok(none.run("offers", "--store", place, now=NOW).code == 1, "a server that answers something else: no report")
    for place in (twin.url, "clickhouse:", "clickhouse:nonsense", "postgres:http://127.0.0.1/"):
        tap.ok(none.run("offers", "--store", place, now=NOW).code == 2, f"--store {place[:20]} is wrong use")
    tap.ok(none.run("report", "--publish", "--store", f"clickhouse:{twin.url}", now=NOW).code == 2, "nothing is published from there")


def main():
    """One market, some folders."""
    tap = Tap()
    with Folder() as folder, Market() as market:
        box = market_box(folder / "box", market)
        check_rows(tap, box)
        check_failures(tap, box)
        check_texts(tap, folder / "texts")
        check_address(tap, box)
        check_rewritten(tap, folder, market)
        check_reading(tap, folder / "reading", market)
        empty = Box(folder / "empty")
        done = empty.run("push", "clickhouse", "http://127.0.0.1:1/")
        tap.ok(done.code == 1 and "no store" in done.err, "without a store there is nothing to push", done)
        for here, words in ((empty, ("push", "clickhouse", "nonsense")), (box, ("import", "--history", "clickhouse:nonsense"))):
            done = here.run(*words)
            tap.ok(done.code == 2 and "address" in done.err, f"{' '.join(words)}: the address is wrong, whatever the data folder has", done)
    tap.done()


main()
