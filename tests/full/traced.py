"""Crawls under strace: a market, a data folder, what the program has told, and whether all of it is in the store."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import Box, clean_environment  # noqa: E402

SITES = ("gongji", "jygpu")
START_UNIX_S, STEP_S = 1789870000, 6 * 3600
DAY = "2026-09-20"
LINE = re.compile(r"^(\S+) +(ok|unchanged|failed|blocked|drifted|incomplete) ")
RUN_TIMEOUT_S = 120
# What changes a file, or makes it last.
WRITING = "write,pwrite64,pwritev,writev,fsync,fdatasync,msync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat"


def has_strace():
    """Whether strace is there and may trace."""
    return shutil.which("strace") and subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


class Traced:
    """One data folder that is crawled again and again; `number` moves the time on."""

    def __init__(self, folder, market):
        self.box = Box(folder, market=market)
        self.market = market
        market.set_day(DAY)

    def command(self, number):
        """The crawl of a moment."""
        return self.box.command("crawl", *SITES, *self.market.arguments(), "--force", now=f"@{START_UNIX_S + number * STEP_S}")

    def crawl(self, number, *strace):
        """Runs it, under strace with these words or alone: (exit code, sites that were told, stderr)."""
        line = ["strace", "-o", "/dev/null", *strace, *self.command(number)] if strace else self.command(number)
        done = subprocess.run(line, capture_output=True, text=True, check=False, env=clean_environment(), timeout=RUN_TIMEOUT_S)
        told = [found.group(1) for found in map(LINE.match, done.stdout.splitlines()) if found]
        return done.returncode, told, done.stderr

    def runs(self, number):
        """site → runs in the store up to this moment."""
        health = self.box.run("health", "--since", f"@{START_UNIX_S - 1}", "--until", f"@{START_UNIX_S + (number + 1) * STEP_S}", "--json",
                              now=f"@{START_UNIX_S + number * STEP_S}")
        return {source["site"]: source["runs"] for source in health.json().get("sources", [])}

    def judge(self, told, where):
        """What is wrong with the store after a second crawl that ended badly, and with the third one on what is left."""
        wrong = []
        if not self.is_clean():
            wrong.append(f"{where}: db check")
        runs = self.runs(1)
        wrong += [f"{where}: {site} was told and has {runs.get(site)} runs" for site in told if runs.get(site, 0) < 2]
        code, _, err = self.crawl(2)
        if code != 0 or not self.is_clean():
            wrong.append(f"{where}: the next crawl ends with {code}: {err[-300:]}")
        return wrong

    def is_clean(self):
        """What `db check` says."""
        return self.box.run("db", "check").code == 0
