#!/usr/bin/env python3
"""Same archive, same rules, same clock: same output, byte for byte, whatever the environment and the order of the file."""

import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon  # noqa: E402

DAYS = ("2026-09-13", "2026-09-17", "2026-09-20")
MONDAY = "2026-09-21T01:00:00Z"
REPORTS = (("offers",), ("offers", "--json"), ("report", "--week", "2026-W38"), ("report", "--week", "2026-W38", "--format", "html"),
           ("report", "--week", "2026-W38", "--format", "md"), ("report", "--week", "2026-W38", "--format", "csv"),
           ("history", "4090", "--since", "2026-09-01"), ("changes", "--since", "2026-09-01"), ("audit",), ("transparency",), ("breakeven",), ("advise", "--params", "70B", "--storage", "100"), ("index",))
HOSTILE = ({"TZ": "America/New_York"}, {"TZ": "Asia/Shanghai", "LANG": "zh_CN.GBK"}, {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
           {"LC_ALL": "C", "TZ": "garbage/zone", "LC_NUMERIC": "fr_FR.UTF-8"})
PROXIES = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "ALL_PROXY": "socks5://127.0.0.1:9",
           "SSL_CERT_FILE": "/nonexistent", "SSLKEYLOGFILE": "/tmp/gputape-must-not-appear", "CURL_HOME": "/tmp", "NETRC": "/tmp"}


def shuffled(text):
    """sites.conf with its site sections in another order."""
    parts = re.split(r"(?m)^(?=\[)", text)
    sites = [part for part in parts if part.startswith("[site ")]
    rest = [part for part in parts[1:] if not part.startswith("[site ")]
    random.Random(7).shuffle(sites)
    return parts[0] + "".join(rest[:1] + sites + rest[1:])


def crawl_days(tap, box, name, env=None):
    """The same three crawls."""
    for day in DAYS:
        done = box.crawl(day, env=env)
        tap.ok(done.code == 0, f"{name}: the crawl of {day} ends with 0", done)


def outputs(box, env=None):
    """Every report."""
    return {" ".join(words): box.run(*words, now=MONDAY, env=env).out for words in REPORTS}


def without_places(text):
    """Where in which archive file a page lies depends on the server's own Date header; everything else must be the same."""
    return re.sub(r'"page":"[^"]*"', '"page":""', text)


def compare(tap, name, have, want, same_archive=True):
    """All reports of one against the other's; the first line that differs is shown."""
    if not same_archive:
        have, want = ({key: without_places(text) for key, text in side.items()} for side in (have, want))
    for key, text in want.items():
        first = next((f"{a!r}\n{b!r}" for a, b in zip(have[key].splitlines(), text.splitlines()) if a != b), "lengths differ")
        tap.ok(have[key] == text and text, f"{name}: {key}", first)


def main():
    """Two data folders, four environments, another order."""
    tap = Tap()
    with Market() as market, Folder() as one, Folder() as two:
        box = Box(one, market=market)
        crawl_days(tap, box, "first folder")
        want = outputs(box)
        conf = two / "sites.conf"
        conf.write_text(shuffled((ROOT / "sites.conf").read_text(encoding="utf-8")), encoding="utf-8")
        other = Box(two, conf=conf, market=market)
        crawl_days(tap, other, "sections in another order, proxies and a certificate file in the environment", env=PROXIES)
        compare(tap, "another folder", outputs(other), want, same_archive=False)
        tap.ok(not Path(PROXIES["SSLKEYLOGFILE"]).exists(), "no TLS keys are written for the environment's sake")
        for env in HOSTILE:
            compare(tap, " ".join(f"{key}={value}" for key, value in env.items()), outputs(box, env=env), want)
        compare(tap, "once more", outputs(box), want)
        early = box.run("offers", "--json", now=noon("2026-09-14")).json().get("offers", [])
        tap.ok(early and all(offer["seen"] < "2026-09-14T" for offer in early), "--now in the past shows what was known then", early[:2])
    tap.done()


main()
