#!/usr/bin/env python3
"""The program as a process: closed descriptors, a full or closed output, a loose umask, few descriptors, hostile environment."""

import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, clean_environment, noon  # noqa: E402

DAY, NEXT = "2026-09-19", "2026-09-20"
RUN_TIMEOUT_S = 120


def shell(box, words, redirect, env=None):
    """Runs through a shell, for what only a shell says shortly."""
    line = " ".join(f"'{word}'" for word in box.command(*words, now=noon(NEXT))) + " " + redirect
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env=clean_environment(**(env or {})),
                          timeout=RUN_TIMEOUT_S)
    return done.returncode, done.stdout, done.stderr


def unread(box, words):
    """Runs with a pipe for its output that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(box.command(*words, now=noon(NEXT)), stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=clean_environment(),
                          timeout=RUN_TIMEOUT_S)
    os.close(writer)
    return done.returncode, done.stderr


def check_outputs(tap, box):
    """Data that did not reach its reader is no success."""
    code, _, err = shell(box, ["offers"], ">/dev/full")
    tap.ok(code == 1 and err, "a full output: exit 1, said so", f"{code} {err}")
    code, _, err = shell(box, ["offers", "--json"], ">/dev/full")
    tap.ok(code == 1 and err, "a full output of JSON: exit 1", f"{code} {err}")
    for words in (["offers"], ["offers", "--json"], ["export"], ["history", "4090", "--since", DAY], ["report", "--format", "html"], ["archive", "list"],
                  ["archive", "list", "--json"], ["archive", "export"], ["help"]):
        code, err = unread(box, words)
        tap.ok(code == 1 and err == "", f"{' '.join(words)}: a reader that has left is told nothing", f"{code} {err}")
    code, err = unread(box, ["export", "4090", "--since", "yesterday"])
    tap.ok(code == 2 and "yesterday" in err, "what is wrong for another reason is told all the same", f"{code} {err}")
    code, err = unread(Box(Path(box.data) / "none"), ["offers"])
    tap.ok(code == 1 and "no store" in err, "so is what failed before there was anything to read", f"{code} {err}")
    code, _, err = shell(box, ["export"], ">/dev/full")
    tap.ok(code == 1 and "write" in err, "a full output of much: exit 1, said so", f"{code} {err}")
    code, _, err = shell(box, ["offers"], "<&- >&- 2>&-")
    tap.ok(code in (0, 1), "started without any descriptor: no crash", f"{code} {err}")
    tap.ok(box.run("db", "check").code == 0, "and nothing was written into the store")


def check_umask(tap, market):
    """A loose umask opens nothing to others."""
    with Folder() as folder:
        box = Box(folder, market=market)
        old = os.umask(0)
        try:
            box.crawl(DAY, "jygpu")
        finally:
            os.umask(old)
        loose = [str(path) for path in box.data.rglob("*") if path.stat().st_mode & 0o002]
        tap.same(loose, [], "umask 000: no file of the data folder is writable by all")


def check_descriptors(tap, market):
    """Sixteen descriptors: through, or a clear refusal; never a damaged store."""
    with Folder() as folder:
        box = Box(folder, market=market)
        market.set_day(DAY)
        done = box.run("crawl", "jygpu", *market.arguments(), now=noon(DAY),
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16)))
        tap.ok(done.code in (0, 1, 3) and (done.code == 0 or done.err), "sixteen descriptors: goes through or says why", done)
        later = box.crawl(NEXT, "jygpu")
        tap.ok(later.code == 0 and box.run("db", "check").code == 0, "the next crawl is good", later)


def check_environment(tap, market):
    """Proxies, key logs and libraries of the environment change nothing."""
    with Folder() as folder:
        box = Box(folder, market=market)
        keys = Path(folder) / "keys"
        env = {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9",
               "SSLKEYLOGFILE": str(keys), "SSL_CERT_FILE": "/nonexistent", "LD_BIND_NOW": "1", "MALLOC_CHECK_": "3"}
        done = box.crawl(DAY, "jygpu", env=env)
        tap.ok(done.code == 0, "a proxy in the environment is not used", done)
        tap.ok(not keys.exists(), "no TLS keys are written")


def check_certificate(tap, market):
    """Without the market's authority nothing is trusted."""
    with Folder() as folder:
        box = Box(folder, market=market)
        words = [word for word in market.arguments()]
        at = words.index("--cacert")
        del words[at:at + 2]
        market.set_day(DAY)
        done = box.run("crawl", "jygpu", *words, now=noon(DAY))
        tap.ok(done.code == 3 and "certificate" in (done.out + done.err).lower(), "an unknown authority fails closed and is named", done)


def main():
    """All situations."""
    tap = Tap()
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        box.crawl(DAY, "jygpu", "gongji")
        check_outputs(tap, box)
        check_umask(tap, market)
        check_descriptors(tap, market)
        check_environment(tap, market)
        check_certificate(tap, market)
    tap.done()


main()
