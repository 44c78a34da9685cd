#!/usr/bin/env python3
"""Alerts in front of servers that are not ours: Debian's Prometheus Alertmanager shows them and ends them, Debian's aiosmtpd keeps the mails, and wants a login over TLS. Each is
started here on a free port with data of its own and ended by its process id; without its program its part is skipped."""

import email
import email.policy
import json
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("cli", "market")]
from harness import ROOT, Box, Folder, Market, Tap, clean_environment, scenario, wait_for  # noqa: E402
from tls import make_authority, make_leaf  # noqa: E402
from vendors import Vendor  # noqa: E402
from web_client import HOST, free_port  # noqa: E402

DAY, NEXT, AFTER, MONDAY = "2026-09-18", "2026-09-19", "2026-09-20", "2026-09-21"
# A label that would make a file, were gnuplot to read it for more than words.
MADE = "made-by-label"
LABEL = f"L40S'; system('touch {MADE}') #`@"
PLAYED = scenario(("www.gongjiyun.com", "-", "-", "l40s.label", LABEL), ("www.gongjiyun.com", NEXT, "-", "l40s.hour", "4.50"),
                  ("www.autodl.com", NEXT, "-", "r4090.hour", "1.50"), ("www.autodl.com", NEXT, "-", "l20.hour", "2.90"), ("www.jygpu.com", NEXT, NEXT, ".status", "503"))
SITES = ("autodl", "gongji", "jygpu")
WAIT_S = 60
DAY_S = 86400
RULES = """
[alert moved]
when = month_net moves 1% against previous
to = x
[alert broken]
when = source failed
to = x
"""
ALERTMANAGER = """
route: {receiver: hook, group_by: [...], group_wait: 0s, group_interval: 1s, repeat_interval: 1h}
receivers: [{name: hook, webhook_configs: [{url: "%s/", send_resolved: true}]}]
"""


class Process:
    """A server as a context: there once its port answers."""

    def __init__(self, port, *words):
        self.port, self.words = port, words

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment(HOME="/nonexistent"))
        if not wait_for(self.answers, WAIT_S):
            self.__exit__()
            raise RuntimeError(f"{self.words[0]} did not start")
        return self

    def answers(self):
        """Whether somebody listens."""
        with socket.socket() as sock:
            return sock.connect_ex((HOST, self.port)) == 0

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


class Hook(Vendor):
    """What the Alertmanager's own receiver gets."""

    good = {}

    def judge(self, path, query, headers, body):
        return 200, {}, self.good

    def told(self, status):
        """Labels of the alerts told with a status."""
        return [alert["labels"] for message in self.taken() for alert in message["alerts"] if alert["status"] == status]


def configure(folder, channel, more=""):
    """The shipped sites, their rules without a channel, and two rules with one."""
    conf = folder / "sites.conf"
    conf.write_text((ROOT / "sites.conf").read_text(encoding="utf-8") + f"\n[channel x]\nallow_private = yes\n{channel}\n{RULES}{more}", encoding="utf-8")
    return conf


def shown(port):
    """The alerts that the Alertmanager holds for active."""
    with urllib.request.urlopen(f"http://{HOST}:{port}/api/v2/alerts?active=true", timeout=10) as answer:
        return json.load(answer)


def events_of(box, *rules):
    """What was recorded for some rules."""
    return [event for event in box.run("alerts", "list", "--json").json().get("events", []) if event["rule"] in rules]


def check_arrival(tap, box, port):
    """Each event is an alert: labels, words, times."""
    events, alerts = events_of(box, "moved"), shown(port)
    by_id = {alert["labels"].get("event"): alert for alert in alerts}
    tap.ok(len(events) >= 3 and all(event["id"] in by_id for event in events), f"{len(events)} moves, each an alert", (events, alerts))
    wrong = [(event, alert) for event in events for alert in [by_id.get(event["id"], {"labels": {}, "annotations": {}})]
             if alert["labels"] | {"alertname": "price-moved", "site": event["site"], "sku": event["sku"], "offer": event["label"]} != alert["labels"]
             or alert["annotations"].get("summary") != event["text"]["zh"] or alert["annotations"].get("new") != event["new"]
             or alert["startsAt"][:19] != event["time"][:19]]
    tap.same(wrong, [], "with its site, card and label, its sentence, its price, its time")
    failed = [alert["labels"] for alert in alerts if alert["labels"]["alertname"] == "source-failed"]
    tap.same([(labels["site"], labels["rule"], labels.get("event")) for labels in failed], [("jygpu", "broken", None)], "a source that fails is one that lasts")


def check_alertmanager(tap, market):
    """Alerts wait for the server, arrive once, and end with their recovery."""
    port, hook, now = free_port(), Hook(), int(time.time())
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, f"type = alertmanager\nurl = http://{HOST}:{port}"), market=market)
        (folder / "alertmanager.yml").write_text(ALERTMANAGER % hook.base)
        box.crawl(DAY, *SITES, now=f"@{now - 3 * DAY_S}")
        box.crawl(NEXT, *SITES, now=f"@{now - 2 * DAY_S}")
        count = len(events_of(box, "moved", "broken"))
        tap.ok(count >= 4 and f"{count} waiting" in box.run("alerts", "queue").out, f"{count} events wait while no server is there", box.run("alerts", "queue"))
        server = Process(port, "prometheus-alertmanager", f"--config.file={folder / 'alertmanager.yml'}", f"--storage.path={folder / 'am'}",
                         f"--web.listen-address={HOST}:{port}", "--cluster.listen-address=")
        with server:
            done = box.run("alerts", "deliver", now=f"@{now - DAY_S}")
            tap.ok(done.code == 0 and "0 waiting, 0 parked" in box.run("alerts", "queue").out, "and are taken once it is", done)
            check_arrival(tap, box, port)
            before = shown(port)
            tap.ok(wait_for(lambda: len(hook.told("firing")) >= count, WAIT_S), "it tells its own receiver", hook.got)
            box.crawl(AFTER, *SITES, now=f"@{now}")
            left = [alert["labels"]["alertname"] for alert in shown(port)]
            tap.same(sorted(left), sorted(alert["labels"]["alertname"] for alert in before if alert["labels"]["alertname"] != "source-failed"),
                     "the recovery ends that one, and adds none")
            tap.ok(wait_for(lambda: hook.told("resolved"), WAIT_S) and [labels["alertname"] for labels in hook.told("resolved")] == ["source-failed"],
                   "its receiver is told that it is resolved", hook.told("resolved"))
    hook.close()


def mails_in(folder):
    """The mails in the server's box, oldest first."""
    paths = sorted((folder / "mail" / "new").glob("*"), key=lambda path: path.stat().st_mtime_ns)
    return [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in paths]


def check_picture(tap, png):
    """What Debian's gnuplot drew: by its header, and not an empty page, which packs to a few thousand bytes."""
    if not shutil.which("gnuplot"):
        tap.skip("the mail's picture", "gnuplot is not installed")
        return
    is_png = png.startswith(b"\x89PNG\r\n") and png[12:16] == b"IHDR"
    width, height = struct.unpack(">II", png[16:24]) if is_png else (0, 0)
    tap.ok(not Path(MADE).exists(), "no label is a command")
    tap.ok(width == 1200 and 400 < height < 1300 and len(png) > 15000, f"its picture arrives, {width} x {height} in {len(png)} bytes", png[:200])


def check_mail(tap, market):
    """A week's alerts and the report, as a mail server took them."""
    port = free_port()
    keys = f"type = smtp\nurl = smtp://{HOST}:{port}\nmail_from = tape@example.com\nmail_to = boss@example.com ops@example.com"
    with Folder() as folder:
        kept, script = folder / "digest", folder / "keep"
        script.write_text(f"#!/bin/sh\ncat >{kept}\n", encoding="utf-8")
        script.chmod(0o755)
        more = f"[channel y]\ntype = exec\ncommand = {script}\n[report weekly]\nto = x y\n"
        box = Box(folder, conf=configure(folder, keys, more), market=market)
        server = Process(port, "aiosmtpd", "-n", "-l", f"{HOST}:{port}", "-c", "aiosmtpd.handlers.Mailbox", str(folder / "mail"))
        with server:
            for day in (DAY, NEXT, AFTER, MONDAY):
                box.crawl(day, *SITES)
            mails = mails_in(folder)
        tap.ok("0 waiting, 0 parked" in box.run("alerts", "queue").out, "no mail waits", box.run("alerts", "queue"))
        moves = [mail for mail in mails if "周报" not in mail["Subject"]]
        text = "\n".join(mail.get_content() for mail in moves)
        events = events_of(box, "moved", "broken")
        tap.ok(len(events) >= 4 and all(event["text"]["zh"] in text for event in events), f"{len(events)} events stand in {len(moves)} mails", text)
        tap.same({(mail["X-MailFrom"], mail["X-RcptTo"]) for mail in mails}, {("tape@example.com", "boss@example.com, ops@example.com")}, "each to both, from one")
        reports = [mail for mail in mails if "周报" in mail["Subject"]]
        tap.same(len(reports), 1, "the weekly report is one mail")
        parts = {part.get_content_type(): part for part in reports[0].iter_parts()} if reports else {}
        made = json.loads(kept.read_text(encoding="utf-8"))["events"][0]
        words = parts["text/plain"].get_content() if "text/plain" in parts else ""
        tap.ok("2026-W38" in made["body"] and made["body"].strip() in words, "its text is whole", words)
        check_picture(tap, parts["image/png"].get_content() if "image/png" in parts else b"")
        tap.ok("text/html" in parts and "</html>" in made["html"] and parts["text/html"].get_content() == made["html"],
               "its HTML arrives as it was made, byte by byte", list(parts))


USER, PASSWORD, WRONG = "tape", "a-password-of-the-test", "another-password-of-the-test"
TRUST = "ca_file = {folder}/ca.pem"
# name, keys of the channel, password, the certificate's name (None: no TLS), what the line says, words of why, logins that the server saw, mails
LOGINS = (
    ("the right login", TRUST, PASSWORD, "localhost", "0 waiting, 0 parked", "", 1, 1),
    ("a wrong password", TRUST, WRONG, "localhost", "0 waiting, 1 parked", "answered with 535", 1, 0),
    ("no login where one is wanted", TRUST, None, "localhost", "0 waiting, 1 parked", "answered with 530", 0, 0),
    ("a certificate that nobody vouches for", "", PASSWORD, "localhost", "1 waiting, 0 parked", "certificate", 0, 0),
    ("a certificate of another name", TRUST, PASSWORD, "other.example", "1 waiting, 0 parked", "certificate", 0, 0),
    ("a certificate that fails, and a private address allowed", "allow_private = yes", PASSWORD, "localhost", "1 waiting, 0 parked", "certificate", 0, 0),
    ("a server without TLS", TRUST, PASSWORD, None, "1 waiting, 0 parked", "SSL", 0, 0),
    ("a file of certificates that is not there", "ca_file = {folder}/none.pem", PASSWORD, "localhost", "1 waiting, 0 parked", "CA cert", 0, 0),
)


def secrets_in(folder, *outputs):
    """Where the passwords stand that should not: outputs, and files of the data folder."""
    texts = [(name, text.encode()) for name, text in outputs] + [(str(path), path.read_bytes()) for path in (folder / "data").rglob("*") if path.is_file()]
    return [name for name, text in texts if PASSWORD.encode() in text or WRONG.encode() in text]


def check_login(tap):
    """A mail server that wants a login over STARTTLS."""
    for name, keys, password, host, line, why, logins, mails in LOGINS:
        port = free_port()
        with Folder() as folder:
            make_authority(folder)
            make_leaf(folder, [host or "localhost"])
            (folder / "secret").write_text(f"{password}\n", encoding="utf-8")
            login = f"user = {USER}\nsecret_file = {folder}/secret\n" if password else ""
            conf = folder / "sites.conf"
            conf.write_text(f"[channel x]\ntype = smtp\nurl = smtp://localhost:{port}\nmail_from = tape@example.com\nmail_to = boss@example.com\n{login}"
                            f"{keys.format(folder=folder)}\n", encoding="utf-8")
            box = Box(folder, conf=conf)
            server = Process(port, "/usr/bin/python3", str(Path(__file__).with_name("mail_server.py")), str(port), str(folder), USER, PASSWORD,
                             *([str(folder / "leaf.pem"), str(folder / "leaf.key")] if host else []))
            with server:
                done = box.run("alerts", "test", "x")
                state = box.run("alerts", "queue")
            seen = (folder / "logins").read_text().splitlines() if (folder / "logins").exists() else []
            tap.ok(line in state.out and why in done.err + state.out, f"smtp, {name}: {line}{', ' if why else ''}{why}", f"{done}{state}")
            tap.same((len(seen), len(mails_in(folder))), (logins, mails), f"smtp, {name}: {logins} logins, {mails} mails")
            listed = box.run("alerts", "list", "--json")
            tap.same(secrets_in(folder, ("out", done.out + state.out + listed.out), ("err", done.err + state.err + listed.err)), [], f"smtp, {name}: no password is told")


def main():
    """Each server where its program is."""
    tap = Tap()
    with Market(scenario=PLAYED) as market:
        for program, check in (("prometheus-alertmanager", check_alertmanager), ("aiosmtpd", check_mail)):
            if shutil.which(program):
                check(tap, market)
            else:
                tap.skip(f"alerts in {program}", "it is not installed")
    if shutil.which("aiosmtpd"):
        check_login(tap)
    tap.done()


main()
