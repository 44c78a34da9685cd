"""What the command line tests share: TAP output, a data folder of one's own, the program run as a user runs it, the sample market."""

import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARKET = ROOT / "tests" / "market" / "market.py"
RUN_TIMEOUT_S = 120
START_TIMEOUT_S = 100  # a bound and no pause: ten servers that start at once take half a minute
LAST_DAY = "2026-09-20"


def program():
    """The program under test: $GPUTAPE, else the one in the tree."""
    return os.environ.get("GPUTAPE") or str(ROOT / "gputape")


def noon(day):
    """Ten o'clock in Beijing on the day, as --now takes it."""
    return f"{day}T02:00:00Z"


class Tap:
    """Counts and prints results. A test that printed no result has failed."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, good, name, detail=""):
        """One result; the detail is shown when it is bad."""
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good and detail:
            for line in str(detail).splitlines()[:40]:
                print(f"# {line}")
        sys.stdout.flush()
        return good

    def same(self, have, want, name):
        """Equality, with both sides shown."""
        return self.ok(have == want, name, f"have: {have!r}\nwant: {want!r}")

    def skip(self, name, reason):
        """A result that could not be had here."""
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}")

    def done(self):
        """Closes the test."""
        print(f"1..{self.count}")
        sys.exit(1 if self.failed or not self.count else 0)


class Done:
    """What a run of the program left."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err

    def json(self):
        """stdout as JSON, or {} when it is none."""
        try:
            return json.loads(self.out)
        except ValueError:
            return {}

    def __str__(self):
        return f"exit {self.code}\nstdout: {self.out[-1500:]}\nstderr: {self.err[-1500:]}"


class Folder:
    """A temporary folder that is gone afterwards."""

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="gputape-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def clean_environment(**extra):
    """An environment that holds nothing of the developer's."""
    base = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/nonexistent"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"):
        if name in os.environ:
            base[name] = os.environ[name]
    base.update(extra)
    return base


class Box:
    """One data folder and one configuration; runs the program in them."""

    def __init__(self, folder, conf=None, market=None):
        self.data = Path(folder) / "data"
        self.conf = conf or ROOT / "sites.conf"
        self.market = market

    def command(self, *words, now=None):
        """The command line."""
        line = [program(), "-c", str(self.conf), "-d", str(self.data)]
        if now:
            line += ["--now", now]
        return line + [str(word) for word in words]

    def run(self, *words, now=None, env=None, stdin=None, **keywords):
        """Runs to the end."""
        done = subprocess.run(self.command(*words, now=now), capture_output=True, timeout=RUN_TIMEOUT_S, check=False,
                              env=clean_environment(**(env or {})), input=stdin, **keywords)
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def start(self, *words, now=None):
        """Starts and does not wait."""
        return subprocess.Popen(self.command(*words, now=now), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=clean_environment())

    def crawl(self, day, *words, now=None, env=None):
        """One crawl of the sample market on a day."""
        self.market.set_day(day)
        return self.run("crawl", *words, *self.market.arguments(), now=now or noon(day), env=env)

    def start_crawl(self, day, *words):
        """A crawl that is left running."""
        self.market.set_day(day)
        return self.start("crawl", *words, *self.market.arguments(), now=noon(day))

    def offers(self, *words, day=LAST_DAY, now=None):
        """The board as a list of offers."""
        return self.run("offers", *words, "--json", now=now or noon(day)).json().get("offers", [])


def wait_for_server(process, folder):
    """Until a server has said so in its folder. One that does not start ends the test here, and not with what it did not write."""
    wait_for(lambda: (folder / "ready").exists() or process.poll() is not None, START_TIMEOUT_S)
    if not (folder / "ready").exists():
        process.kill()
        raise RuntimeError(f"the server did not start: {' '.join(map(str, process.args))}, exit {process.poll()}")


class Market:
    """The sample market as a context: starts in a folder of its own and ends by its own process id."""

    def __init__(self, scenario=None, catalog=None):
        self.scenario = scenario
        self.catalog = catalog

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gputape-market-"))
        self.set_day(LAST_DAY)
        line = [sys.executable, str(MARKET), "--dir", str(self.folder), "--clock", str(self.folder / "clock")]
        for name in ("scenario", "catalog"):
            if getattr(self, name) is not None:
                (self.folder / name).write_text(getattr(self, name), encoding="utf-8")
                line += [f"--{name}", str(self.folder / name)]
        self.process = subprocess.Popen(line)
        wait_for_server(self.process, self.folder)
        self.port = int((self.folder / "port").read_text())
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def set_day(self, day):
        """Moves the market's day; renamed into place so that no request reads half a date."""
        (self.folder / "clock.new").write_text(day, encoding="ascii")
        os.replace(self.folder / "clock.new", self.folder / "clock")

    def arguments(self):
        """What sends the program here."""
        line = []
        for rule in (self.folder / "connect-to").read_text().split():
            line += ["--connect-to", rule]
        return line + ["--cacert", str(self.folder / "ca.pem"), "--delay", "0"]

    def log(self):
        """The access log: one line `host METHOD path status` a request."""
        return (self.folder / "access.log").read_text().splitlines()

    def forget_log(self):
        """Starts the access log anew: later lines only."""
        self.seen = len(self.log())

    def new_log(self):
        """The lines since forget_log."""
        return self.log()[getattr(self, "seen", 0):]


class Pages:
    """A site of the test's own on loopback, without validators: `answer(path)` gives (status, content type, body)."""

    HEAD = "url = http://127.0.0.1:{port}{path}\nallow_private = yes\nallow_ports = {port}\nrobots = ignore\ndelay = 0\nevery = 1h\n"

    def __init__(self, answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            """One fetch."""

            def do_GET(self):
                """What the page is just now."""
                status, kind, body = answer(self.path)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reach(self, path):
        """The lines of a site's section that lead to a page here, without delays."""
        return self.HEAD.format(port=self.port, path=path)

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()


def scenario(*lines):
    """A scenario's text from tuples (host, from, to, what, value)."""
    return "".join("\t".join(line) + "\ttest\n" for line in lines)


TOLD = ("event", "rule", "severity", "class", "metric", "old", "new", "reference")


def untold(report):
    """A report's JSON without what alerts told, which no archive and no export holds."""
    value = json.loads(report)
    rows = [row for row in value.get("changes", []) if not (row["event"] and row["seq"] is None)]
    for row in rows:
        row.update(dict.fromkeys(TOLD))
    return json.dumps({**value, "changes": rows}, ensure_ascii=False)


def wait_for(condition, seconds):
    """Polls until the condition holds; whether it did."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())
