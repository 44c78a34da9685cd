#!/usr/bin/env python3
"""Alerts reach a webhook and a program, at least once and with one event id, also when the receiver is down at first."""

import hashlib
import hmac
import http.server
import json
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT, Box, Folder, Market, Tap, noon, scenario  # noqa: E402

BEFORE, CUT, AFTER = "2026-08-16", "2026-08-17", "2026-08-18"
SECRET = b"a secret of the test\n"


class Receiver:
    """A webhook that fails as often as it is told to and remembers what came."""

    def __init__(self, failures):
        self.failures = failures
        self.got = []
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One delivery."""

            def do_POST(self):
                """Keeps the message; answers 500 for the first ones."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fails = owner.failures > 0
                owner.failures -= fails
                owner.got.append((not fails, dict(self.headers), body))
                self.send_response(500 if fails else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def accepted(self):
        """The messages that were answered with 200, as JSON."""
        return [json.loads(body) for good, _, body in self.got if good]

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()


def configure(folder, url):
    """The shipped file with two channels and one rule put after it."""
    (folder / "secret").write_bytes(SECRET)
    script = folder / "take"
    script.write_text(f"#!/bin/sh\ncat >>{folder}/taken\necho >>{folder}/taken\n")
    script.chmod(0o755)
    port = url.rsplit(":", 1)[1].split("/")[0]
    conf = folder / "sites.conf"
    conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + f"""
[channel hook]
type = webhook
url = {url}
secret_file = {folder}/secret
allow_private = yes
[channel program]
type = exec
command = {script}
[alert test-month]
match = 4090 delivery=container
when = month_net moves 5% against previous
to = hook program
""", encoding="utf-8")
    return conf, port


def texts(value):
    """Everything in a message as one text."""
    return json.dumps(value, ensure_ascii=False)


def check_delivery(tap, box, receiver, folder):
    """The cut fires once; a receiver that is down gets it later."""
    box.crawl(BEFORE, "jygpu", "gongji")
    tap.same(receiver.got, [], "what is seen for the first time fires nothing")
    box.crawl(CUT, "jygpu", "gongji")
    tap.ok(receiver.got and not receiver.accepted(), "the cut is sent; the receiver is down", receiver.got)
    taken = folder / "taken"
    tap.ok(taken.exists() and "4090" in taken.read_text(), "the program got it on its standard input")
    retry = box.run("alerts", "deliver", now=noon(CUT).replace("02:00", "06:00"))
    messages = receiver.accepted()
    tap.ok(len(messages) == 1, "it is sent again and accepted once", f"{retry}\n{receiver.got}")
    tap.ok(messages and "NVIDIA-RTX-4090" in texts(messages) and "1074" in texts(messages), "the message holds card and price",
           texts(messages))
    tap.ok(messages and ("SAMPLE" in texts(messages) or "示例数据" in texts(messages)), "and says SAMPLE", texts(messages))
    bodies = {body for _, _, body in receiver.got}
    ids = {json.dumps([event.get("id") for event in json.loads(body).get("events", [])]) for body in bodies}
    tap.ok(len(ids) == 1, "every attempt carries the same event ids", ids)
    first = taken.read_text()
    box.crawl(AFTER, "jygpu", "gongji")
    tap.ok(len(receiver.accepted()) == 1 and taken.read_text() == first, "a day without a move sends nothing")


def check_signature(tap, receiver):
    """X-Gputape-Signature is the HMAC of the body."""
    for _, headers, body in receiver.got[:1]:
        wanted = "sha256=" + hmac.new(SECRET.strip(), body, hashlib.sha256).hexdigest()
        lower = {name.lower(): value for name, value in headers.items()}
        tap.same(lower.get("x-gputape-signature"), wanted, "the body is signed")
        tap.ok(lower.get("content-type", "").startswith("application/json"), "and is called JSON", lower)


# keys of a rule, what lint says of it
CAREFUL = (
    ("match = MI300X\nwhen = month_net moves 5% against previous", "matches no offer in the store"),
    ("match = 4090\nwhen = month_net moves 5% against previous\nmin = 50 EUR", "can never fire: none of the"),
    ("match = 4090\nwhen = month_net below 9 EUR", "can never fire: none of the"),
    ("when = month_net drops 100% against previous", "can never fire: no price falls by 100% or more"),
    ("match = 4090\nwhen = source failed", "can never fire: `match` must name sites"),
    ("when = market 8% under holding", "can never fire: no [holding NAME] is defined"),
    ("match = 4090\nwhen = month_net moves 5% against previous\nmin = 50 CNY", None),
    ("match = site=jygpu\nwhen = source failed", None),
)


def check_careful(tap, box):
    """Rules that cannot do what they are for, each told; others not."""
    for keys, words in CAREFUL:
        conf = box.conf.with_name("careful.conf")
        conf.write_text(box.conf.read_text(encoding="utf-8") + f"[alert under-test]\n{keys}\nto = hook\n", encoding="utf-8")
        other = Box(box.data.parent, conf=conf)
        out = other.run("alerts", "lint", now=noon(AFTER)).out
        about = out[out.index("under-test"):].split("sites.conf:")[0] + "".join(line for line in out.splitlines() if "careful: under-test" in line)
        name = keys.replace("\n", ", ")
        tap.ok(words in about if words else "careful" not in about, f"lint, {name}: {words or 'nothing to say'}", out)


def check_replay(tap, box):
    """Today's rules over the stored history say what they said; lint counts it; acknowledgement and silence by a query."""
    listed = box.run("alerts", "list", "--json", now=noon(AFTER)).json()["events"]
    replay = box.run("alerts", "replay", "--since", "2026-01-01", "--json", now=noon(AFTER)).json()
    tap.ok(listed and replay["events"] == listed, "replay gives the events that were recorded, to the byte", f"{listed}\n{replay}")
    tap.same(replay["sample"], True, "and says SAMPLE")
    late = box.run("alerts", "replay", "--since", "2026-08-19", now="2026-08-20T00:00:00Z")
    tap.ok(late.code == 0 and "0 would have fired" in late.out, "from then on nothing would have fired", late)
    tap.same(box.run("alerts", "list", "--json", now=noon(AFTER)).json()["events"], listed, "replay has written nothing")
    tap.ok(box.run("alerts", "replay", now=noon(AFTER)).code == 2, "replay wants --since")
    lint = box.run("alerts", "lint", "--max", "0", now=noon(AFTER))
    tap.ok("test-month would have fired 1 times in 3 days, more than 0 a day" in lint.out, "lint tells of a rule that says too much", lint)
    tap.ok("these rules would have fired 5 times, 2 of them sent at once" in lint.out, "and how often all of them would have fired", lint)
    tap.ok("careful: test-month" not in box.run("alerts", "lint", now=noon(AFTER)).out, "and is content with three a day")
    check_careful(tap, box)
    tap.ok(box.run("alerts", "ack", "nosuchevent", now=noon(AFTER)).code != 0, "an event that is none is not acknowledged")
    tap.ok(box.run("alerts", "ack", listed[0]["id"][:12], now=noon(AFTER)).code == 0, "an event is acknowledged by the beginning of its id")
    acked = [event.get("acked") is not None for event in box.run("alerts", "list", "--json", now=noon(AFTER)).json()["events"]]
    tap.same(acked.count(True), 1, "and says so")
    tap.ok(box.run("alerts", "silence", "4090", "site=jygpu", "--for", "3d", now=noon(AFTER)).code == 0, "a query is silenced")
    tap.ok("4090 site=jygpu" in box.run("alerts", "queue", now=noon(AFTER)).out, "alerts queue shows it")
    tap.ok(box.run("alerts", "silence", "nosuchcard", "--for", "3d", now=noon(AFTER)).code != 0, "what is neither rule nor query is refused")


def check_alive(tap, market, folder):
    """The switch of another machine: told after a crawl that got something, and no trouble when it cannot be."""
    receiver = Receiver(failures=0)
    conf = folder / "alive.conf"
    conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + f"[report alive]\nurl = {receiver.url}?key=token-of-the-test\nallow_private = yes\n",
                    encoding="utf-8")
    box = Box(folder / "alive", conf=conf, market=market)
    box.crawl(BEFORE, "jygpu")
    tap.same(len(receiver.got), 1, "a crawl posts once to [report alive]")
    box.run("crawl", "jygpu", "--force", "--delay", "0", "--connect-to", "www.jygpu.com:443:127.0.0.1:9", now=noon(CUT))
    tap.same(len(receiver.got), 1, "one that got nothing does not")
    receiver.failures = 1
    done = box.crawl(AFTER, "jygpu")
    tap.ok(done.code == 0 and len(receiver.got) == 2 and "alive-not-told" in done.err and "status 500" in done.err, "a switch that fails is logged, the crawl is none the worse",
           done)
    tap.ok("token-of-the-test" not in done.err, "its address is not")
    conf.write_text("[report alive]\nallow_private = yes\n", encoding="utf-8")
    done = box.run("alerts", "lint")
    tap.ok(done.code == 2 and "alive.conf:1: [report alive] has neither" in done.err, "without an address it is refused", done)
    receiver.close()


def main():
    """One cut, one receiver that fails first, one program."""
    tap = Tap()
    receiver = Receiver(failures=1)
    cut = scenario(("www.jygpu.com", "-", BEFORE, "c4090.list", "2.18"), ("www.jygpu.com", "-", BEFORE, "c4090.sale", "1.74"))
    with Market(scenario=cut) as market, Folder() as folder:
        conf, _ = configure(folder, receiver.url)
        box = Box(folder, conf=conf, market=market)
        lint = box.run("alerts", "lint")
        tap.ok(lint.code == 0, "the rules are well-formed", lint)
        check_delivery(tap, box, receiver, folder)
        check_signature(tap, receiver)
        listed = box.run("alerts", "list", now=noon(AFTER))
        tap.ok(listed.code == 0 and "test-month" in listed.out, "alerts list shows what fired", listed)
        check_replay(tap, box)
        check_alive(tap, market, folder)
    receiver.close()
    tap.done()


main()
