#!/usr/bin/env python3
"""Pages in a real browser: ones that scripts fill are read, ones that try what they must not come to a named end, and whatever
happens nothing of the browser is left. Needs Debian's chromium; without it everything is skipped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import Box, Folder, Market, Tap, wait_for  # noqa: E402
from trap_server import FIRST, HOSTS, OFFERS, Server  # noqa: E402

BROWSER = "/usr/lib/chromium/chromium"
DAY = "2026-09-20"
NOW = "2026-09-20T02:00:00Z"
RULES = """
currency = CNY
extract  = table
rows     = //table//tr[td]
label    = td[1]
price    = td[2]
delivery = container
"""
JSON_RULES = """
currency = CNY
extract  = json
period   = month
rows     = .[] | .[] | {label: .name, "price.month": .month}
delivery = container
"""

# what, path, keys, exit, status, words of the line, words of the log
CASES = [
    ("a page that a script fills from an interface", "/script", "", 0, "ok", "", "asked 3, refused 0"),
    ("one that takes its time, by the selector", "/late", "render_wait = td", 0, "ok", "", ""),
    ("one that never goes idle, by the selector", "/busy", "render_wait = td", 0, "ok", "", ""),
    ("an interface that wants the page's cookie", "/cookie", "", 0, "ok", "", ""),
    ("an interface of another origin, with a question before it", "/cross", "", 0, "ok", "", ""),
    ("a worker that fetches", "/worker", "", 0, "ok", "", ""),
    ("a redirect on the way", "/to-script", "", 0, "ok", "", ""),
    ("half a character in the page", "/surrogate", "", 0, "ok", "", ""),
    ("images, fonts, style sheets: none is fetched", "/images", "", 0, "ok", "", "spared 3"),
    ("alert, confirm, prompt, beforeunload", "/dialogs", "", 0, "ok", "", "dialogs 3"),
    ("twenty windows", "/popups", "", 0, "ok", "", "popups 20"),
    ("a download", "/download", "", 0, "ok", "", ""),
    ("a service worker", "/service", "", 0, "ok", "", "a service worker"),
    ("web sockets, to the own host and to loopback", "/sockets", "", 0, "ok", "", "a web socket"),
    ("an endless answer", "/events", "", 0, "ok", "", "an endless answer"),
    ("ICE to a loopback port", "/rtc", "render_wait = td", 0, "ok", "", ""),
    ("loopback in every spelling", "/loopback", "", 0, "ok", "", "is not allowed for this site"),
    ("private addresses", "/private", "", 0, "ok", "", "169.254.169.254 leads to a link-local address"),
    ("files of this machine", "/file", "", 0, "ok", "", ""),
    ("prices that only a loopback port has", "/loopback-only", "", 3, "blocked", "refused: http://127.0.0.1:", ""),
    ("an interface that robots.txt forbids", "/robots", "", 3, "blocked", "robots.txt forbids it", ""),
    ("an interface that lets nobody else read it", "/refused-cross", "", 3, "blocked", "empty shell", ""),
    ("a page that robots.txt forbids", "/private/page", "", 3, "failed", "robots.txt forbids it", ""),
    ("a redirect to loopback", "/to-loopback", "", 3, "failed", "a redirect from https to http is not followed", ""),
    ("a redirect to a file", "/to-file", "", 3, "failed", "only http and https are fetched", ""),
    ("a redirect in circles", "/circle", "", 3, "failed", "more redirects than one page may have", ""),
    ("a page that wanders", "/wander", "", 3, "failed", "more redirects than one page may have", ""),
    ("a page that is not there", "/teapot", "", 3, "failed", "HTTP 404", ""),
    ("an endless script", "/endless", "render_timeout = 12s", 3, "failed", "a script kept the page busy for 12 s", ""),
    ("an endless script, later", "/endless-later", "render_timeout = 12s\nrender_wait = #no", 3, "failed", "a script kept the page busy", ""),
    ("a memory eater, in buffers", "/memory", "render_memory = 512M\nrender_wait = #no", 3, "incomplete", "more than 512 MiB of memory", ""),
    ("a memory eater, in objects", "/heap", "render_memory = 512M", 3, "incomplete", "memory", ""),
    ("a page that never goes idle", "/busy", "render_timeout = 12s", 3, "incomplete", "still loading after 12 s", ""),
    ("a selector that never appears", "/script", "render_timeout = 12s\nrender_wait = #no", 3, "incomplete", "`#no` did not appear within 12 s", ""),
    ("a selector that is none", "/script", "render_wait = ##[", 3, "failed", "render_wait is no CSS selector", ""),
    ("a page larger than its limit", "/large", "body_max = 100k", 3, "incomplete", "larger than", ""),
    ("more requests than a page may make", "/many", "", 3, "incomplete", "a limit kept from the page", ""),
    ("a browser that is not there", "/script", "render_program = /nonexistent/chromium", 3, "failed",
     "render = chromium needs the package chromium", ""),
    ("a program that is no browser", "/script", "render_program = /bin/false", 3, "failed", "the browser does not start", ""),
]
CAPTURES = [
    ("an interface's answer in place of the page", "/script", "capture = */api/prices", 0, "ok", "", ""),
    ("one that another server gives", "/cross", "capture = https://api.example/*", 0, "ok", "", ""),
    ("two answers, the first of them slow", "/two-api", "capture = */api/slow\n  */api/prices*", 0, "ok", "", ""),
    ("nothing that matches", "/script", "capture = */api/none", 3, "failed", "no JSON answer that the page loaded matches capture", ""),
    ("a match that is no JSON", "/script", "capture = */table.js", 3, "failed", "no JSON answer", ""),
    ("one of them failed", "/broken-api", "capture = */api/*", 3, "incomplete", "https://shop.example/api/broken: HTTP 500", ""),
]


def left_behind():
    """Folders and processes of browsers that are still there."""
    folders = [str(path) for path in Path("/tmp").glob("gputape-render-*")]
    processes = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if "gputape-render-" in line:
            processes.append(f"{path.parent.name} {line[:100]}")
    return folders + processes


class Shop:
    """The trap server, and crawls of it."""

    def __init__(self, folder):
        self.folder = folder
        self.server = Server(folder)
        self.count = 0

    def box(self, path, keys, rules=RULES):
        """A data folder with one site."""
        self.count += 1
        conf = self.folder / f"{self.count}.conf"
        conf.write_text(f"[site shop]\nurl = https://shop.example{path}\nrender = chromium\nrender_timeout = 30s\n{rules}"
                        if "render_timeout" not in keys else f"[site shop]\nurl = https://shop.example{path}\nrender = chromium\n{rules}",
                        encoding="utf-8")
        with open(conf, "a", encoding="utf-8") as file:
            file.write(keys + "\n")
        return Box(self.folder / str(self.count), conf=conf)

    def words(self, has_ca=True):
        """What sends a crawl here."""
        line = ["crawl", "--delay", "0"]
        for host in HOSTS:
            line += ["--connect-to", f"{host}:443:127.0.0.1:{self.server.server_address[1]}"]
        return line + (["--cacert", str(self.folder / "ca.pem")] if has_ca else [])

    def crawl(self, path, keys, rules=RULES, env=None, has_ca=True):
        """One crawl; the box for questions afterwards."""
        box = self.box(path, keys, rules)
        return box, box.run("-v", *self.words(has_ca), now=NOW, env=env)


def check_case(tap, shop, case, rules):
    """One row of the tables."""
    what, path, keys, code, status, words, log = case
    before = time.monotonic()
    box, done = shop.crawl(path, keys, rules)
    took = time.monotonic() - before
    line = next((line for line in done.out.splitlines() if line.startswith("shop")), "")
    good = done.code == code and line.split()[1:2] == [status] and words in line and log in done.err
    tap.ok(good, f"{what}: {status}{' (' + words + ')' if words else ''}", f"{took:.1f} s, wanted {status}, {words!r}, {log!r}\n{done}")
    if status == "ok":
        offers = box.offers(now=NOW)
        have = sorted(offer["month_list"] for offer in offers)
        tap.ok(have == sorted(shorten(price) for _, price in OFFERS), f"{what}: every price, digit for digit", have)
    listeners = shop.server.forbidden.count + shop.server.udp.count
    tap.ok(listeners == 0 and not left_behind(), f"{what}: nobody came where he must not, nothing is left", f"{listeners} {left_behind()}")


def shorten(price):
    """A price as JSON prints it."""
    return price.rstrip("0").rstrip(".") if "." in price else price


def archive_of(box):
    """All records, in plain."""
    return b"".join(subprocess.run(["zcat", str(path)], capture_output=True, check=False).stdout
                    for path in (box.data / "archive").glob("*.warc.gz")).decode("utf-8", "replace")


def check_order(tap, shop):
    """Captured answers stand as they were asked for, also when the first one's host has its robots.txt asked for before."""
    box, done = shop.crawl("/two-hosts", "capture = https://api.example/*\n  */api/prices", JSON_RULES)
    tap.ok(f"[{FIRST},\n[" in archive_of(box), "captures of two hosts stand in the order in which they were asked for", done)


def check_archive(tap, shop):
    """The page as the browser showed it, and what it loaded, stand in the archive."""
    box, done = shop.crawl("/script", "")
    text = archive_of(box)
    resource = [part for part in text.split("WARC/1.1\r\n") if "WARC-Type: resource" in part and "\nWARC-Target-URI: https://shop.example/script\r" in part]
    tap.ok(len(resource) == 1 and OFFERS[0][0] in resource[0], "the archive holds the rendered page as a resource", done)
    tap.ok("gputape-load: 200" in text and "https://shop.example/api/prices" in text, "and what the page loaded")
    again = box.run(*shop.words(), "--force", now="2026-09-21T02:00:00Z")
    tap.ok(again.code == 0 and " ok " in again.out, "--force reads it again", again)
    same = box.run(*shop.words(), now="2026-09-22T02:00:00Z")
    tap.ok(same.code == 0 and "unchanged" in same.out, "the same page is unchanged", same)


def check_trust(tap, shop):
    """Certificates are checked for the browser's requests as for all others, and the environment names no proxy."""
    _, done = shop.crawl("/script", "robots = ignore", has_ca=False)
    tap.ok(done.code == 3 and "failed" in done.out and "certificate" in done.out, "an unknown authority: failed", done)
    proxy = f"http://127.0.0.1:{shop.server.forbidden_port}"
    env = {name: proxy for name in ("http_proxy", "https_proxy", "ALL_PROXY", "HTTP_PROXY", "CHROMIUM_FLAGS", "CHROME_LOG_FILE")}
    _, done = shop.crawl("/script", "", env=env)
    tap.ok(done.code == 0 and shop.server.forbidden.count == 0, "proxies of the environment: no effect", done)


def sandbox_of(pid_folder):
    """uid and seccomp mode of a process."""
    text = (pid_folder / "status").read_text()
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    return int(fields["Uid"].split()[0]), int(fields["Seccomp"])


def below(process):
    """(number, command line) of every process below one: others of the machine are nobody's business here."""
    parents, found = {}, []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    for number in parents:
        at = number
        while at in parents and at != process.pid:
            at = parents[at]
        if at == process.pid and number != process.pid:
            try:
                found.append((number, Path(f"/proc/{number}/cmdline").read_bytes()))
            except OSError:
                continue
    return found


def renderers(crawl):
    """The processes of a crawl that run pages' scripts."""
    found = []
    for number, line in below(crawl):
        try:
            if b"--type=renderer" in line:
                found.append(sandbox_of(Path(f"/proc/{number}")))
        except (OSError, KeyError):
            continue
    return found


def check_sandbox(tap, shop):
    """While a page runs: no root, a seccomp filter on every renderer, no flag that takes the sandbox off."""
    box = shop.box("/busy", "render_wait = #no\nrender_timeout = 12s")
    crawl = box.start(*shop.words(), now=NOW)
    wait_for(lambda: renderers(crawl), 10)
    time.sleep(0.5)
    seen = renderers(crawl)
    lines = b"".join(line for _, line in below(crawl))
    crawl.communicate(timeout=60)
    tap.ok(seen and all(uid != 0 for uid, _ in seen), "scripts run as nobody who matters", seen)
    tap.ok(seen and all(mode == 2 for _, mode in seen), "and inside the browser's sandbox", seen)
    tap.ok(b"--no-sandbox\0" not in lines and b"gputape-render-" in lines, "which no flag takes off")


def check_stop(tap, shop, number):
    """A crawl that ends in the middle of a page takes its browser with it."""
    name = signal.Signals(number).name
    box = shop.box("/busy", "render_wait = #no")
    crawl = box.start(*shop.words(), now=NOW)
    tap.ok(wait_for(lambda: renderers(crawl), 15), f"{name}: the browser runs")
    crawl.send_signal(number)
    before = time.monotonic()
    crawl.communicate(timeout=30)
    tap.ok(time.monotonic() - before < 10, f"{name}: the crawl ends")
    tap.ok(wait_for(lambda: not left_behind(), 8), f"{name}: nothing of the browser is left", left_behind())
    tap.ok(box.run("db", "check").code == 0, f"{name}: the store is clean")


def check_browser_killed(tap, shop):
    """A browser that dies by itself is told, not waited for."""
    box = shop.box("/busy", "render_wait = #no")
    crawl = box.start(*shop.words(), now=NOW)
    shop.server.lines.clear()
    wait_for(lambda: any("/api/prices" in line for line in shop.server.lines), 15)
    for number, line in below(crawl):
        if line.startswith(BROWSER.encode()) and b"--type=" not in line:
            os.kill(number, signal.SIGKILL)
    before = time.monotonic()
    out, _ = crawl.communicate(timeout=30)
    tap.ok(b"the browser ended by itself" in out and time.monotonic() - before < 10, "a browser that is killed: failed, at once", out)
    tap.ok(not left_behind(), "and nothing of it is left", left_behind())


def check_market(tap):
    """The sample market's page that a script fills, by the shipped section."""
    with Market() as market, Folder() as folder:
        box = Box(folder, market=market)
        done = box.crawl(DAY, "shengsuanyun")
        offers = box.offers()
        tap.ok(done.code == 0 and len(offers) >= 3, "the shipped section reads the market's script page", f"{done}\n{offers}")
        tap.ok(all(offer["sku"] for offer in offers), "with the card of each offer", json.dumps(offers, ensure_ascii=False)[:800])
        plain = box.crawl("2026-09-19", "omniyq")
        tap.ok(plain.code == 0, "beside it pages without a browser are as ever", plain)


def check_tool(tap, shop):
    """sites check says beforehand what a crawl would."""
    box = shop.box("/script", "")
    tap.ok(box.run("sites", "check", "shop").code == 0, "sites check: rules compile, the browser is there")
    box = shop.box("/script", "render_program = /nonexistent/chromium")
    done = box.run("sites", "check", "shop")
    tap.ok(done.code != 0 and "render = chromium needs the package chromium" in done.out + done.err, "sites check: no browser", done)
    for keys, words in (("method = POST", "a browser opens a page by GET"), ("render_memory = 1k", "render_memory")):
        done = shop.box("/script", keys).run("sites", "check", "shop")
        tap.ok(done.code != 0 and words in done.out + done.err, f"sites check: {keys}", done)


def main():
    """All of it."""
    tap = Tap()
    if not os.path.exists(BROWSER):
        tap.skip("pages in a browser", "the package chromium is not installed")
        tap.done()
    with Folder() as folder:
        folder.chmod(0o755)
        shop = Shop(folder)
        chosen = sys.argv[1:]
        for case in CASES:
            if not chosen or case[1] in chosen:
                check_case(tap, shop, case, RULES)
        for case in CAPTURES:
            if not chosen or "capture" in chosen:
                check_case(tap, shop, case, JSON_RULES)
        for check in (check_archive, check_order, check_trust, check_sandbox, check_browser_killed, check_tool):
            if not chosen or check.__name__ in chosen:
                check(tap, shop)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if not chosen or "check_stop" in chosen:
                check_stop(tap, shop, number)
        if not chosen or "check_market" in chosen:
            check_market(tap)
    tap.done()


main()
