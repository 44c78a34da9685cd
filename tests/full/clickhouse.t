#!/usr/bin/env python3
"""Debian's ClickHouse as the place where histories come together: pushes that are killed and go on, and what is there afterwards."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clickhouse_server import SERVER, ClickHouse, Relay  # noqa: E402
from harness import Box, Folder, Market, Tap, clean_environment  # noqa: E402

DAYS = ("2026-07-28", "2026-08-10", "2026-08-20", "2026-08-30", "2026-09-06", "2026-09-13", "2026-09-18", "2026-09-20")
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
        for day, table in zip(DAYS, ["offers", "changes", "spans", "runs"] * 2):
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


def main():
    """One market."""
    tap = Tap()
    if not os.path.exists(SERVER):
        tap.skip("a push to ClickHouse", "clickhouse-server is not installed")
        tap.done()
    with Folder() as folder, Market() as market:
        check_push(tap, folder, market)
    tap.done()


main()
