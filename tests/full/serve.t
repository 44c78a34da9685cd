#!/usr/bin/env python3
"""The server in front of the programs it is for: Debian's Chromium shows its pages (no console message, nothing wider than the window, sorting and keyboard work, pictures in
build/screens; axe-core, of npm, finds no barrier in them), Debian's Prometheus scrapes its metrics and reads the shipped rules. Without one of them its part is skipped."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, Box, Folder, Market, Tap, wait_for  # noqa: E402
from web_client import HOST, Server, free_port  # noqa: E402

BROWSER = "/usr/lib/chromium/chromium"
DAYS = ("2026-07-28", "2026-08-10", "2026-08-20", "2026-08-30", "2026-09-06", "2026-09-13", "2026-09-18", "2026-09-20")
MONDAY = "2026-09-21T01:00:00Z"
SCREENS = ROOT / "build" / "screens"
AXE = "axe-core@4.10.2"
AXE_FOLDER = ROOT / "build" / "axe"
WAIT_S = 60
SHOWN = (("board", "/"), ("board-en", "/?lang=en&q=4090"), ("card", "/sku?sku=NVIDIA-RTX-4090"), ("platform", "/platform?site=jygpu"), ("offer", None), ("changes", "/changes"),
         ("index", "/index"), ("weeks", "/reports"), ("week", "/reports?week=2026-W38"), ("breakeven", "/breakeven"), ("advise", "/advise"), ("advice", "/advise?params=70B&hours=200&storage=100"), ("advice-refused", "/advise?params=70B&hours=0"), ("audit", "/audit"), ("transparency", "/transparency"), ("health", "/health"),
         ("refused", "/?q=zzzz"))


class Browser:
    """Chromium over its pipe: commands out on 3, answers in on 4, each closed by a NUL."""

    def __init__(self, folder):
        self.to_read, self.to_write = os.pipe()
        self.from_read, self.from_write = os.pipe()
        words = [BROWSER, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
                 f"--user-data-dir={folder}", "about:blank"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        out, back = os.dup(self.to_read), os.dup(self.from_write)
        high_out, high_back = os.dup2(out, 60), os.dup2(back, 61)
        self.process = subprocess.Popen(["/bin/bash", "-c", 'exec "$0" "$@" 3<&60 4>&61', *words], pass_fds=(high_out, high_back), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, start_new_session=True)
        for fd in (out, back, high_out, high_back, self.to_read, self.from_write):
            os.close(fd)
        self.buffer, self.number, self.messages, self.events, self.session = b"", 0, [], [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def read(self):
        """The next message; what a page complains of is kept."""
        while b"\0" not in self.buffer:
            piece = os.read(self.from_read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.buffer += piece
        raw, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(raw)
        if message.get("method") in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.messages.append(json.dumps(message["params"])[:300])
        if "method" in message:
            self.events.append(message["method"])
        return message

    def call(self, method, **params):
        """One command and its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                return answer.get("result", {})

    def show(self, url, width, dark=False):
        """Loads a page in a window of that width."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.read()

    def value(self, script):
        """What a script, or the promise that it gives, comes to."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True).get("result", {}).get("value")

    def picture(self, path):
        """The whole page, at most 4,000 pixels of it."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def press(self, key, code):
        """A key of the keyboard."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def close(self):
        """Ends it, by its own process group."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)


def axe_script():
    """axe-core's program, fetched once into the build folder; None where npm is not or reaches nothing."""
    path = AXE_FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists() and shutil.which("npm"):
        subprocess.run(["npm", "install", "--prefix", str(AXE_FOLDER), "--no-save", "--ignore-scripts", AXE], capture_output=True, timeout=300, check=False)
    return path.read_text(encoding="utf-8") if path.exists() else None


def barriers(browser, axe):
    """What axe-core finds on the page that is shown, by the WCAG's rules and its own: [rule, impact, how often, where first]. None when it did not run."""
    browser.value(axe + "; 0")
    return browser.value("axe.run().then(r => r.violations.map(v => [v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 160)]))")


def check_advise(tap, browser, base):
    """The form by the keyboard, without the page's scripts."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.show(base + "/advise", 1440)
    browser.value("document.getElementById('f-params').focus()")
    browser.call("Input.insertText", text="7B")
    for _ in range(5):
        browser.press("Tab", 9)
    tap.same(browser.value("document.activeElement.id"), "f-hours", "Tab goes through the fields of a model")
    browser.call("Input.insertText", text="200")
    browser.events = []
    browser.call("Input.dispatchKeyEvent", type="char", text="\r")
    while "Page.loadEventFired" not in browser.events:
        browser.read()
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(browser.value("location.href")).query)
    tap.same((asked.get("params"), asked.get("hours"), asked.get("method")), (["7B"], ["200"], ["infer"]), "Enter asks for what was typed")
    tap.ok("7B" in browser.value("document.querySelector('h2').textContent + document.title + document.body.textContent") and
           browser.value("document.querySelectorAll('table').length") > 2, "and the offers that hold it are shown")
    tap.same(browser.value("[document.getElementById('f-params').value, document.getElementById('f-hours').value].join()"), "7B,200", "the form keeps what was asked")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def check_browser(tap, server, folder):
    """Every page at two widths, and what a reader does."""
    base = f"http://{HOST}:{server.port}"
    offer = re.search(r"/offer\?id=\d+", server.get("/?q=4090%20site%3Djygpu%20delivery%3Dcontainer").text).group()
    SCREENS.mkdir(parents=True, exist_ok=True)
    browser, axe = Browser(folder / "chromium"), axe_script()
    if axe is None:
        tap.skip("pages before axe-core", f"no npm, or no {AXE} to be had")
    try:
        for name, target in SHOWN:
            for width in (390, 1440):
                browser.messages.clear()
                browser.show(base + (target or offer), width, dark=name == "board-en")
                browser.picture(SCREENS / f"{name}-{width}.png")
                wide = browser.value("document.documentElement.scrollWidth")
                complaints = [m for m in browser.messages if "refused" not in name or "status of 400" not in m]
                tap.ok(not complaints and wide <= width, f"{name} at {width} pixels: no message, nothing beyond the edge", f"{wide} {complaints[:4]}")
                if axe is not None:
                    tap.same(barriers(browser, axe), [], f"{name} at {width} pixels: axe-core finds no barrier")
        browser.show(base + "/?q=4090", 1440)
        tap.ok(browser.value("getComputedStyle(document.querySelector('th')).backgroundColor") != "rgba(0, 0, 0, 0)", "the style sheet is in force")
        browser.value("document.querySelectorAll('th button')[0].click(); document.querySelectorAll('th button')[0].click()")
        names = browser.value("Array.from(document.querySelector('table').tBodies[0].rows).map(r => r.cells[0].textContent)")
        tap.ok(len(names) > 1 and browser.value("document.querySelector('th').getAttribute('aria-sort')") == "descending", "a title's button sorts its table", names)
        browser.show(base + "/", 1440)
        browser.value("var f = document.getElementById('find'); f.value = 'AutoDL'; f.dispatchEvent(new Event('input'))")
        left = browser.value("Array.from(document.querySelectorAll('tbody tr')).filter(r => !r.hidden && !r.closest('.scroll').hidden).map(r => r.textContent)")
        tap.ok(left and all("AutoDL" in row for row in left), "a word in the field leaves the rows that have it", left[:3])
        browser.show(base + "/", 1440)
        browser.press("Tab", 9)
        tap.same(browser.value("document.activeElement.className"), "skip", "the first Tab comes to the link that skips the navigation")
        tap.ok(browser.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "what has the focus is seen")
        check_advise(tap, browser, base)
    finally:
        browser.close()


def ask(port, query):
    """What Prometheus answers, as (labels, value) pairs."""
    url = f"http://{HOST}:{port}/api/v1/query?query={urllib.parse.quote(query)}"
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return [(row["metric"], float(row["value"][1])) for row in json.load(answer)["data"]["result"]]
    except OSError:
        return []


def check_prometheus(tap, server, folder):
    """A real scrape, the shipped rules, the dashboard's queries."""
    packaging = ROOT / "packaging"
    rules = subprocess.run(["promtool", "check", "rules", str(packaging / "gputape.rules.yml")], capture_output=True, text=True, check=False)
    tap.ok(rules.returncode == 0, "the shipped rules are rules", rules.stdout + rules.stderr)
    conf = folder / "prometheus.yml"
    text = (packaging / "prometheus.yml").read_text().replace("gputape.rules.yml", str(packaging / "gputape.rules.yml"))
    conf.write_text(text.replace("127.0.0.1:8788", f"{HOST}:{server.port}").replace("scrape_interval: 5m", "scrape_interval: 1s").replace("scrape_timeout: 30s", "scrape_timeout: 1s"))
    port = free_port()
    process = subprocess.Popen(["prometheus", f"--config.file={conf}", f"--storage.tsdb.path={folder / 'tsdb'}", f"--web.listen-address={HOST}:{port}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: ask(port, 'up{job="gputape"}') and ask(port, "gputape_source_up"), WAIT_S)
        tap.same([value for _, value in ask(port, 'up{job="gputape"}')], [1.0], "Prometheus scrapes the server")
        low = {(m["class"], m["currency"]): value for m, value in ask(port, "gputape_class_low_price")}
        board = json.loads(server.get("/api/offers").text)["offers"]
        want = {(o["class"], o["currency"]): float(o["month_net"]) for o in board if o["cheapest"]}
        tap.ok(len(want) > 20 and low == want, f"and knows the lows of all {len(want)} classes", [pair for pair in want.items() if low.get(pair[0]) != pair[1]][:3])
        health = {s["site"]: s["offers"] for s in json.loads(server.get("/api/health").text)["sources"]}
        tap.same({m["site"]: int(value) for m, value in ask(port, "gputape_source_offers")}, health, "and each source's offers")
        queries = [t["expr"].replace('"$sku"', '".*"').replace('"$site"', '".*"').replace('"$currency"', '".*"')
                   for panel in json.loads((packaging / "grafana.json").read_text())["panels"] for t in panel["targets"]]
        silent = [query for query in queries if not ask(port, query)]
        tap.ok(len(queries) > 10 and not silent, f"all {len(queries)} queries of the Grafana dashboard have answers", silent)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def main():
    """One market, one server."""
    tap = Tap()
    with Folder() as folder:
        with Market() as market:
            box = Box(folder, market=market)
            for day in DAYS:
                box.crawl(day)
        with Server(box, now=MONDAY) as server:
            if os.path.exists(BROWSER):
                check_browser(tap, server, folder)
            else:
                tap.skip("pages in a browser", "no chromium")
            if shutil.which("prometheus"):
                check_prometheus(tap, server, folder)
            else:
                tap.skip("metrics in Prometheus", "no prometheus")
            time.sleep(0.1)
            tap.same(server.end(signal.SIGTERM), 0, "the server ends with 0")
    tap.done()


main()
