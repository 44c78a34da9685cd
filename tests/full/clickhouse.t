#!/usr/bin/env python3
"""Debian's ClickHouse as the place where histories come together: pushes that are killed and go on, what is there afterwards, and that every report from there has the bytes of
one store that crawled everything."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clickhouse_server import SERVER, ZOOKEEPER, ClickHouse, Cluster, Relay  # noqa: E402
from harness import ROOT, Box, Folder, Market, Tap, clean_environment, scenario  # noqa: E402

DAYS = [f"2026-09-{day:02}" for day in range(14, 21)]
# Doubts that stay, one that is released by itself, one that a person releases; prices that move; the shipped scenario has failures.
LINES = (("www.autodl.com", DAYS[3], DAYS[4], "r4090.hour", "0.198"), ("www.autodl.com", DAYS[5], "-", "h20.hour", "1.05"), ("nebius.com", DAYS[2], "-", "h100.hour", "$30.80"),
         ("www.autodl.com", DAYS[2], "-", "r5090.hour", "3.50"), ("www.gongjiyun.com", DAYS[4], "-", "l20.hour", "4.40"), ("www.jygpu.com", DAYS[2], DAYS[3], ".status", "503"),
         ("www.autodl.com", DAYS[5], DAYS[6], "a40.hidden", "1"))
SHIPPED = ROOT / "tests" / "market" / "scenario.tsv"
MONDAY = "2026-09-21T01:00:00Z"
REPORTS = (("offers",), ("offers", "--json"), ("offers", "4090", "--persona", "training"), ("history", "4090"), ("history", "H100", "--json"), ("report",), ("report", "--format", "html"),
           ("report", "--week", "2026-W37", "--format", "csv"), ("index",), ("index", "--json"), ("changes", "--since", "2026-07-01"), ("changes", "--since", "2026-07-01", "--json"))
TABLES = {"runs": "entity, epoch, n", "changes": "entity, epoch, n, i", "spans": "entity, epoch, offer, first_n", "offers": "entity, offer"}


def rows(server):
    """Every row that counts, as text."""
    return {name: server.ask(f"SELECT * FROM {name} FINAL ORDER BY {key} FORMAT JSONEachRow").splitlines() for name, key in TABLES.items()}


def kill_at(box, server, table, env):
    """A push that dies before its first block for a table is passed on; its exit status."""
    started = []

    def hook(path, _):
        """Kills it."""
        if f"INTO%20{table}%20" in path:
            os.kill(started[0].pid, signal.SIGKILL)
            return "drop"
        return None

    with Relay(server, hook) as relay:
        started.append(subprocess.Popen(box.command("push", "clickhouse", relay.url), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment(**env)))
        started[0].wait(timeout=60)
    return started[0].returncode


def check_push(tap, folder, market):
    """Two servers: one gets all at once, the other day by day, each push killed first, the user's password asked for."""
    user, password = "gpu", "s3cret-p4ss"
    env = {"GPUTAPE_CLICKHOUSE_USER": user, "GPUTAPE_CLICKHOUSE_PASSWORD": password}
    box = Box(folder, market=market)
    with ClickHouse(folder / "one") as one, ClickHouse(folder / "other", users=((user, password),)) as other:
        for server in (one, other):
            server.create("one node")
        refused = box.run("push", "clickhouse", other.url)
        tap.ok(refused.code == 1, "before a crawl there is nothing to push", refused)
        for day, table in zip(DAYS, ["offers", "changes", "spans", "runs", "changes", "spans", "runs"]):
            box.crawl(day)
            before = other.ask("SELECT count() FROM runs")
            tap.ok(box.run("push", "clickhouse", other.url).code == 1, "without the password it is refused")
            tap.same(kill_at(box, other, table, env), -signal.SIGKILL, f"{day}: a push is killed before its {table}")
            tap.same(other.ask("SELECT count() FROM runs"), before, "it counts no run")
            done = box.run("push", "clickhouse", other.url, env=env)
            tap.ok(done.code == 0 and password not in done.out + done.err and other.ask("SELECT count() FROM runs") != before, "the next one goes on", done)
        done = box.run("push", "clickhouse", one.url)
        tap.ok(done.code == 0, "another server gets all of it at once", done)
        both = rows(one), rows(other)
        for name in TABLES:
            same = [[re.sub('"version":[0-9]+,', "", line) for line in side[name]] for side in both]
            tap.ok(len(same[0]) > 20 and same[0] == same[1], f"{name}: the same {len(same[0])} rows on both", [pair for pair in zip(*same) if pair[0] != pair[1]][:2])
        stat = box.run("db", "stat", "--json").json()
        tap.same((len(both[0]["spans"]), len(both[0]["offers"])), (stat["spans"], stat["offers"]), "as many spans and offers as the store has")
        again = box.run("push", "clickhouse", one.url)
        tap.ok(again.code == 0 and "0 runs and 0 changes" in again.out, "a push of nothing new sends nothing", again)


class Fleet:
    """One crawler that has all sites, and others that share them by --shard and push after each crawl. The rules have no alerts: events of these are each crawler's own."""

    def __init__(self, folder, market, url, count):
        self.folder, self.market, self.url = folder, market, url
        folder.mkdir(parents=True)
        self.conf = folder / "sites.conf"
        self.conf.write_text(re.sub(r"(?ms)^\[alert .*?(?=^\[(?!alert)|\Z)", "", (ROOT / "sites.conf").read_text(encoding="utf-8")), encoding="utf-8")
        self.one = Box(folder / "one", conf=self.conf, market=market)
        self.boxes = []
        for _ in range(count):
            self.add()

    def add(self):
        """One crawler more, with an empty data folder."""
        self.boxes.append(Box(self.folder / str(len(self.boxes)), conf=self.conf, market=self.market))
        return self.boxes[-1]

    def crawl(self, day):
        """A day of all crawlers; their exit codes."""
        count = len(self.boxes)
        return [self.one.crawl(day).code] + [box.crawl(day, "--shard", f"{index + 1}/{count}").code for index, box in enumerate(self.boxes)]

    def decide(self, day, step, *words):
        """What a person says of the first doubt or price of a site, an hour after the crawl: to the one store, and to the crawler that has the site. How many took it."""
        took = 0
        for box in (self.one, *self.boxes):
            lines = [json.loads(line) for line in box.run("export", f"site={'nebius' if step == 'doubt' else 'autodl'}").out.splitlines()]
            found = [line for line in lines if line["type"] == "change" and (line["step"] == step or step in line["changes"])]
            if found and any(line["type"] == "run" and line["t"].startswith(day) for line in lines):
                offer = [found[0]["offer"]] if step == "doubt" else [found[0]["offer"], found[0]["seq"]]
                took += box.run("db", words[0], *offer, *words[1:], now=f"{day}T03:00:00Z").code == 0
        return took

    def push(self):
        """All push; their exit codes."""
        return [box.run("push", "clickhouse", self.url).code for box in self.boxes]

    def differing(self, url=None):
        """Reports whose bytes are others from ClickHouse than from the one store. Which archive file a page lies in is each crawler's own."""
        bad = []
        for words in REPORTS:
            have, want = (re.sub(r'"page":"[^"]*"', "", box.run(*words, *more, now=MONDAY).out) for box, more in
                          ((Box(self.folder / "none", conf=self.conf), ("--store", f"clickhouse:{url or self.url}")), (self.one, ())))
            if have != want or len(want) < 50:
                bad.append((words, [pair for pair in zip(have.splitlines(), want.splitlines()) if pair[0] != pair[1]][:2], len(have), len(want)))
        return bad


def check_reading(tap, folder, market):
    """Two crawlers, then three; a doubt that a person releases, a price that a person takes back."""
    with ClickHouse(folder / "server") as server:
        server.create("one node")
        fleet = Fleet(folder / "fleet", market, server.url, 2)
        for day in DAYS[:4]:
            fleet.crawl(day)
            tap.same(fleet.push(), [0, 0], f"{day}: two crawlers push")
        tap.same(fleet.decide(DAYS[3], "doubt", "release", "looked at"), 2, "a person releases a doubt")
        tap.same(fleet.push(), [0, 0], "that is pushed, too")
        tap.same(fleet.differing(), [], f"all {len(REPORTS)} reports have the bytes of one store")
        third = fleet.add()
        taken = third.run("import", "--history", f"clickhouse:{server.url}")
        tap.ok(taken.code == 0, "a third begins with the history of all", taken)
        before = server.ask("SELECT count() FROM runs FINAL")
        tap.same((third.run("push", "clickhouse", server.url).out, server.ask("SELECT count() FROM runs FINAL")), ("0 runs and 0 changes pushed\n", before), "of which it pushes nothing")
        for day in DAYS[4:]:
            fleet.crawl(day)
            tap.same(fleet.push(), [0, 0, 0], f"{day}: three crawlers push")
        tap.same((fleet.decide(DAYS[-1], "price", "void", "typed wrong"), fleet.push()), (2, [0, 0, 0]), "a person takes a price back")
        tap.same(fleet.differing(), [], "all reports have the bytes of one store still")
        moved = server.ask("SELECT uniq(entity) FROM runs FINAL WHERE t_unix_s >= 1788000000")
        tap.ok(int(moved) >= 20 and all(box.run("db", "check").code == 0 for box in fleet.boxes), "and every crawler's store is sound", moved)
        stale = fleet.boxes[0].crawl(DAYS[-1], "--force", now="2026-09-20T05:00:00Z")
        done = fleet.boxes[0].run("push", "clickhouse", server.url)
        tap.ok(stale.code == 0 and done.code == 3 and "another data folder" in done.err, "a crawler that crawls what is another's is found out", done)
        taken = fleet.boxes[0].run("import", "--history", f"clickhouse:{server.url}")
        tap.ok(taken.code == 1 and "has a history already" in taken.err, "a history is not taken into another", taken)


def push_while(box, server, table, act):
    """A push during which `act` is done once, before its first block for a table."""
    done = []

    def hook(path, _):
        """Acts."""
        if f"INTO%20{table}%20" in path and not done:
            done.append(act())

    with Relay(server, hook) as relay:
        return box.run("push", "clickhouse", relay.url)


def check_cluster(tap, folder, market):
    """Two shards of two replicas, of which some die at bad moments; crawlers push to one server and another, reports ask a third."""
    with Cluster(folder / "cluster") as cluster:
        (first, second), other = cluster.servers[0], cluster.servers[1]
        fleet = Fleet(folder / "fleet", market, first.url, 2)
        for day in DAYS[:2]:
            fleet.crawl(day)
            tap.same(fleet.push(), [0, 0], f"{day}: two crawlers push to two shards of two replicas")
        counts = [int(row[0].ask("SELECT count() FROM runs_local FINAL")) for row in cluster.servers]
        tap.ok(min(counts) > 5 and cluster.settled(), "both shards have runs, and their replicas the same", counts)
        tap.same([fleet.differing(server.url) for server in (first, other[1])], [[], []], "all reports have the bytes of one store, whichever server is asked")
        fleet.crawl(DAYS[2])
        done = push_while(fleet.boxes[0], first, "changes", lambda: [server.stop(signal.SIGKILL) for server in other])
        tap.ok(done.code == 1 and done.out == "", "a shard that dies in mid-push: the push fails", done)
        for server in other:
            server.start()
        tap.same(fleet.push(), [0, 0], "once it is back, the next push goes on")
        tap.same(fleet.differing(second.url) if cluster.settled() else None, [], "nothing is lost, nothing twice")
        fleet.crawl(DAYS[3])
        done = push_while(fleet.boxes[0], first, "runs", lambda: other[0].stop(signal.SIGKILL))
        tap.ok(done.code == 0, "of a replica that dies in mid-push the other takes over", done)
        tap.same(kill_at(fleet.boxes[1], first, "runs", {}), -signal.SIGKILL, "a push is killed between its spans and its runs")
        tap.ok(fleet.boxes[1].run("push", "clickhouse", second.url).code == 0, "the next one, to another server, goes on")
        other[0].start()
        tap.same([fleet.differing(server.url) for server in cluster.all()] if cluster.settled() else None, [[]] * 4, "every server has the bytes of one store, the one that was away too")
        third = fleet.add()
        tap.ok(third.run("import", "--history", f"clickhouse:{other[0].url}").code == 0, "a third crawler takes the history over")
        for day in DAYS[4:]:
            fleet.crawl(day)
            tap.same(fleet.push(), [0, 0, 0], f"{day}: three crawlers push")
        tap.same(fleet.differing(other[1].url) if cluster.settled() else None, [], "nothing is lost, nothing twice")
        runs = len([line for line in fleet.one.run("export").out.splitlines() if '"type":"run"' in line])
        kept = [first.ask(f"SELECT {what} FROM runs FINAL").strip() for what in ("count()", "uniqExact(entity, epoch, n)", "max(epoch)")]
        tap.same(kept, [str(runs), str(runs), "1"], "as many runs as the one store has")


def main():
    """One market."""
    tap = Tap()
    if not os.path.exists(SERVER):
        tap.skip("a push to ClickHouse", "clickhouse-server is not installed")
        tap.done()
    with Folder() as folder, Market(scenario=SHIPPED.read_text(encoding="utf-8") + scenario(*LINES)) as market:
        check_push(tap, folder / "push", market)
        check_reading(tap, folder / "reading", market)
        if os.path.exists(ZOOKEEPER):
            check_cluster(tap, folder / "cluster", market)
        else:
            tap.skip("shards and replicas", "zookeeper is not installed")
    tap.done()


main()
