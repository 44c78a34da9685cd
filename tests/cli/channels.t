#!/usr/bin/env python3
"""Every channel against a fake of its vendor that checks signature, time, content type, size and keyword, and answers as the vendor does."""

import email
import email.policy
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Box, Folder, Market, Tap, scenario  # noqa: E402
import vendors  # noqa: E402

DAY, NEXT = "2026-09-19", "2026-09-20"
# Enough moves for several messages, and a label that every markup would take for its own.
LABEL = 'L40S <at user_id="all">x</at> *b* [l](http://x.example) <!channel> @all'
PLAYED = scenario(("www.gongjiyun.com", "-", "-", "l40s.label", LABEL), ("www.gongjiyun.com", NEXT, "-", "l40s.hour", "4.50"),
                  ("www.autodl.com", NEXT, "-", "r4090.hour", "1.50"), ("www.autodl.com", NEXT, "-", "r5090.hour", "2.10"),
                  ("www.autodl.com", NEXT, "-", "l20.hour", "2.90"), ("www.autodl.com", NEXT, "-", "h20.hour", "5.90"), ("www.autodl.com", NEXT, "-", "a800.hour", "4.50"),
                  ("www.autodl.com", NEXT, "-", "r3090.hour", "1.10"), ("www.autodl.com", NEXT, "-", "v100.hour", "1.60"),
                  ("www.autodl.com", NEXT, "-", "a40.hour", "2.60"), ("www.autodl.com", NEXT, "-", "r4090d.hour", "1.70"), ("www.jygpu.com", NEXT, "-", "c4090.list", "1.70"),
                  ("www.jygpu.com", NEXT, "-", "c4090.sale", "1.36"))
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
HTTP = {"dingtalk": vendors.DingTalk, "feishu": vendors.Feishu, "wecom": vendors.WeCom, "slack": vendors.Slack, "telegram": vendors.Telegram,
        "ntfy": vendors.Ntfy, "bark": vendors.Bark, "serverchan": vendors.ServerChan, "alertmanager": vendors.Alertmanager}
KEYS = {"dingtalk": "url_file = {folder}/address\nsecret_file = {folder}/secret", "feishu": "url_file = {folder}/address\nsecret_file = {folder}/secret",
        "wecom": "url_file = {folder}/address", "slack": "url_file = {folder}/address",
        "telegram": "url = {base}\ntoken_file = {folder}/token\nchat = -100200300", "ntfy": "url = {base}\ntoken_file = {folder}/token\ntopic = prices",
        "bark": "url = {base}\ntoken_file = {folder}/token", "serverchan": "url = {base}\ntoken_file = {folder}/token", "alertmanager": "url = {base}",
        "smtp": "url = {base}\nmail_from = tape@example.com\nmail_to = boss@example.com ops@example.com"}
# channel, what the vendor answers first (status, headers, body), whether it is tried again at once later, parked, held for at least so many seconds
ANSWERS = (
    ("dingtalk", (200, {}, {"errcode": 310000, "errmsg": "keywords not in content"}), "parked", 0),
    ("dingtalk", (200, {}, {"errcode": 130101, "errmsg": "send too fast"}), "later", 600),
    ("dingtalk", (200, {}, {"errcode": -1, "errmsg": "system busy"}), "later", 0),
    ("dingtalk", (502, {}, b"<html>bad gateway</html>"), "later", 0),
    ("feishu", (200, {}, {"code": 19024, "msg": "Key Words Not Found"}), "parked", 0),
    ("feishu", (200, {}, {"code": 19021, "msg": "sign match fail"}), "parked", 0),
    ("feishu", (200, {}, {"code": 11232, "msg": "frequency limited"}), "later", 120),
    ("feishu", (200, {}, {"code": 9499, "msg": "Bad Request"}), "parked", 0),
    ("wecom", (200, {}, {"errcode": 93000, "errmsg": "invalid webhook url"}), "parked", 0),
    ("wecom", (200, {}, {"errcode": 45009, "errmsg": "api freq out of limit"}), "later", 120),
    ("wecom", (200, {}, {"errcode": 40058, "errmsg": "exceed max length"}), "parked", 0),
    ("wecom", (200, {}, b"<html>maintenance</html>"), "later", 0),
    ("slack", (429, {"Retry-After": "300"}, b"rate_limited"), "later", 300),
    ("slack", (403, {}, b"invalid_token"), "parked", 0),
    ("slack", (500, {}, b"rollback_error"), "later", 0),
    ("telegram", (429, {"Retry-After": "120"}, {"ok": False, "error_code": 429, "parameters": {"retry_after": 120}}), "later", 120),
    ("telegram", (401, {}, {"ok": False, "error_code": 401}), "parked", 0),
    ("ntfy", (429, {}, {"code": 42901, "http": 429}), "later", 0),
    ("ntfy", (507, {}, {"code": 50701, "http": 507}), "later", 0),
    ("bark", (400, {}, {"code": 400, "message": "failed to get device token"}), "parked", 0),
    ("serverchan", (200, {}, {"code": 40001, "message": "bad pushkey"}), "parked", 0),
    ("alertmanager", (503, {}, b"starting"), "later", 0),
)


def configure(folder, kind, base, vendor, rules=True):
    """A configuration with one channel."""
    (folder / "secret").write_bytes(getattr(vendor, "secret", b"") + b"\n")
    (folder / "token").write_text("123:token-of-the-test\n" if kind == "telegram" else "token-of-the-test\n")
    (folder / "address").write_text(base + getattr(vendor, "path", "") + "\n")
    root = Path(__file__).resolve().parent.parent.parent
    text = (root / "sites.conf").read_text(encoding="utf-8")
    text += f"\n[channel x]\ntype = {kind}\nallow_private = yes\ntimeout = 5s\n" + KEYS[kind].format(folder=folder, base=base) + "\n"
    if rules:
        text += "[alert every]\nmatch =\nwhen = month_net moves 1% against previous\nto = x\n"
    conf = folder / "sites.conf"
    conf.write_text(text, encoding="utf-8")
    return conf


def queue(box):
    """The channel's line in `alerts queue`."""
    return box.run("alerts", "queue").out


def check_delivery(tap, kind, make, market):
    """A crawl that moves prices: the messages arrive, whole, and within the vendor's limits."""
    vendor = make()
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, kind, vendor.base, vendor), market=market)
        box.crawl(DAY, "gongji", "autodl", "jygpu")
        box.crawl(NEXT, "gongji", "autodl", "jygpu")
        events = [event for event in box.run("alerts", "list", "--json").json().get("events", []) if event["rule"] == "every"]
        taken = vendor.taken() if kind not in ("slack", "alertmanager") else [json.loads(body) for _, _, body, answer in vendor.got
                                                                              if answer == vendor.good]
        text = json.dumps(taken, ensure_ascii=False)
        tap.ok(len(events) >= 5 and taken and len(taken) == len(vendor.got), f"{kind}: {len(events)} events, every message is taken",
               [got[3] for got in vendor.got])
        tap.ok("AutoDL" in text and "1080" in text, f"{kind}: what moved is said", text[:2000])
        tap.ok("alerts silence" in text or kind == "alertmanager", f"{kind}: and how to silence it", text[:500])
        again = len(vendor.got)
        box.run("alerts", "deliver")
        tap.same(len(vendor.got), again, f"{kind}: nothing is sent twice")
        log = queue(box)
        tap.ok("token-of-the-test" not in log, f"{kind}: no secret is shown", log)
    vendor.close()
    return taken


def check_answers(tap):
    """Each refusal of a vendor: later, held, or parked; nothing is lost; no answer is taken for a good one."""
    for kind, answer, wanted, hold_s in ANSWERS:
        vendor = HTTP[kind]()
        vendor.planned = [answer]
        name = f"{kind}: {answer[0]} {answer[2] if isinstance(answer[2], bytes) else answer[2].get('errcode', answer[2].get('code', ''))}"
        with Folder() as folder:
            box = Box(folder, conf=configure(folder, kind, vendor.base, vendor, rules=False))
            first = box.run("alerts", "lint")
            done = box.run("alerts", "test", "x", now="@1790000000")
            state = box.run("alerts", "queue", now="@1790000000").out
            held = "0 waiting, 1 parked" if wanted == "parked" else "1 waiting, 0 parked"
            tap.ok(held in state, f"{name} is not taken for delivered: {held}", f"{first}{done}{state}")
            box.run("alerts", "deliver", now=f"@{1790000000 + max(hold_s - 5, 1)}")
            tap.same(len(vendor.got), 1, f"{name}: left alone for {hold_s} s")
            if wanted == "parked":
                box.run("alerts", "deliver", now="@1790100000")
                tap.same(len(vendor.got), 1, f"{name} is parked")
                box.run("alerts", "retry", "x", now="@1790100000")
            else:
                box.run("alerts", "deliver", now="@1790100000")
            tap.same(len(vendor.got), 2, f"{name}: sent once more when {'a person says so' if wanted == 'parked' else 'its time has come'}")
        vendor.close()


def drawer(folder):
    """A program in gnuplot's place: keeps the commands, gives bytes that begin as a PNG does."""
    (folder / "png").write_bytes(PNG)
    script = folder / "draw"
    script.write_text(f"#!/bin/sh\ncat >{folder}/commands\ncat {folder}/png\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def weekly_by_wecom(folder, market, vendor, program, more=""):
    """A week with moves, its report sent. What the last crawl said."""
    box = Box(folder, conf=configure(folder, "wecom", vendor.base, vendor, rules=False), market=market)
    with open(box.conf, "a", encoding="utf-8") as conf:
        conf.write(f"{more}\n[report weekly]\nto = x{' y' if more else ''}\npicture_program = {program}\n")
    for day in (DAY, NEXT):
        box.crawl(day, "gongji", "autodl", "jygpu")
    done = box.crawl("2026-09-21", "gongji")
    return box, done


# what the vendor says to the picture, whether that is for good
LATE = (("busy", (200, {}, {"errcode": 45009, "errmsg": "api freq out of limit"}), False), ("half an answer", (200, {}, b"half an ans"), False),
        ("an error of the server", (503, {}, {}), False), ("no robot's address", (200, {}, {"errcode": 93000, "errmsg": "invalid webhook url"}), True))


def check_late_picture(tap, market, vendor):
    """A picture that was not taken waits or is parked by itself: no text is sent twice for it, none waits for it."""
    for name, answer, is_for_good in LATE:
        vendor.got.clear()
        vendor.planned = [(200, {}, vendor.good), answer]
        with Folder() as folder:
            box, done = weekly_by_wecom(folder, market, vendor, drawer(folder))
            held, why = ("0 waiting, 1 parked", "alerts-parked") if is_for_good else ("1 waiting, 0 parked", "alerts-delayed")
            tap.ok(len(vendor.got) == 2 and why in done.err and "pictures=1" in done.err and held in queue(box), f"picture, {name}: said, and {held}", f"{done}{queue(box)}")
            box.run("alerts", "test", "x", now="2026-09-21T02:00:30Z")
            tap.same([value["msgtype"] for value in vendor.taken()], ["text", "text"], f"picture, {name}: no text waits for it")
            box.run("alerts", *(("retry", "x") if is_for_good else ("deliver",)), now="2026-09-21T03:00:00Z")
            tap.same([value["msgtype"] for value in vendor.taken()], ["text", "text", "image"], f"picture, {name}: sent {'when a person says so' if is_for_good else 'later'}, its text not again")
            box.run("alerts", "deliver", now="2026-10-01T00:00:00Z")
            tap.ok(len(vendor.got) == 4 and "0 waiting, 0 parked" in queue(box), f"picture, {name}: once", queue(box))


def check_picture(tap, market):
    """The weekly report's picture: behind the text; without its program the text alone; refused, by itself."""
    vendor = vendors.WeCom()
    with Folder() as folder:
        _, done = weekly_by_wecom(folder, market, vendor, drawer(folder))
        taken = vendor.taken()
        tap.same([value["msgtype"] for value in taken], ["text", "image"], "wecom: the weekly report, then its picture")
        commands = (folder / "commands").read_text(encoding="utf-8")
        drawn = [line for line in commands.splitlines() if line.startswith("plot ")]
        tap.ok(1 <= len(drawn) <= 6 and "SAMPLE" in commands and "AutoDL · RTX 4090" in commands and " 1080 0\n" in commands,
               "its charts, as commands for gnuplot, say that they are a sample", commands)
        tap.ok("alerts-no-picture" not in done.err, "nothing is said of it", done)
    vendor.got.clear()
    with Folder() as folder:
        channel = f"\n[channel y]\ntype = wecom\nallow_private = yes\nurl_file = {folder}/address\n"
        box, done = weekly_by_wecom(folder, market, vendor, "/nonexistent/gnuplot", channel)
        tap.same([value["msgtype"] for value in vendor.taken()], ["text", "text"], "without gnuplot both channels get the text")
        tap.ok(done.err.count("alerts-no-picture") == 1 and "/nonexistent/gnuplot" in done.err, "and that is said once", done)
        tap.ok("waiting" not in queue(box).replace("0 waiting", ""), "nothing waits", queue(box))
    vendor.got.clear()
    check_late_picture(tap, market, vendor)
    vendor.close()
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, "wecom", vendor.base, vendor, rules=False))
        with open(box.conf, "a", encoding="utf-8") as conf:
            conf.write("\n[report weekly]\nto = x\npicture_program = gnuplot\n")
        done = box.run("alerts", "lint")
        tap.ok(done.code == 2 and "whole path" in done.err and "sites.conf:" in done.err, "a program without its path is refused", done)


def check_mail(tap, market):
    """A mail that a reader understands, and a server that says no for a while, and for good."""
    server = vendors.Smtp()
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, "smtp", server.base, server), market=market)
        box.crawl(DAY, "gongji", "autodl", "jygpu")
        server.planned = [b"451 later\r\n"]
        box.crawl(NEXT, "gongji", "autodl", "jygpu")
        tap.same(server.got, [], "smtp: 451 is not taken")
        box.run("alerts", "deliver", now="2026-09-20T12:00:00Z")
        tap.same(len(server.got), 1, "smtp: and sent again later")
        sender, to, data = server.got[0] if server.got else ("", [], b"")
        tap.ok(sender == "<tape@example.com>" and to == ["<boss@example.com>", "<ops@example.com>"], "smtp: the envelope", (sender, to))
        mail = email.message_from_bytes(data, policy=email.policy.default)
        age = time.time() - mail["Date"].datetime.timestamp() if mail["Date"] else None
        tap.ok(age is not None and -60 < age < 3600, "smtp: the date is of now", mail["Date"])
        tap.ok(mail["Subject"].startswith("gputape") and "提醒" in mail["Subject"], "smtp: the subject is read", mail["Subject"])
        body = mail.get_content() if data else ""
        tap.ok("AutoDL" in body and "alerts silence" in body, "smtp: the text is read", body[:400])
        tap.ok(all(len(line) <= 78 for line in data.decode("ascii", "replace").splitlines()) and data.isascii(), "smtp: short lines of ASCII")
        with open(box.conf, "a", encoding="utf-8") as conf:
            conf.write(f"\n[report weekly]\nto = x\npicture_program = {drawer(folder)}\n")
        before = len(server.got)
        box.crawl("2026-09-21", "gongji")
        box.crawl("2026-09-27", "autodl")
        box.crawl("2026-09-28", "gongji")
        mails = [email.message_from_bytes(data, policy=email.policy.default) for _, _, data in server.got[before:]]
        reports = [mail for mail in mails if "周报" in mail["Subject"]]
        tap.same(len(reports), 1, "smtp: the weekly report comes once")
        parts = [(part.get_content_type(), part.get_content()) for part in reports[0].iter_parts()] if reports else []
        tap.same([kind for kind, _ in parts], ["text/plain", "image/png", "text/html"], "smtp: its text, its picture, and the HTML attached")
        tap.ok(parts and "2026-W39，最近抓取 2026-09-28T" in parts[0][1], "smtp: with a heartbeat", parts[0][1][:300] if parts else "")
        tap.ok(parts and parts[1][1] == PNG, "smtp: the picture is what was drawn", parts[1][1][:100] if parts else "")
        tap.ok(parts and parts[-1][1].lstrip().lower().startswith("<!doctype html"), "smtp: the HTML is whole", parts[-1][1][:200] if parts else "")
        server.planned = [b"550 no\r\n"]
        box.run("alerts", "test", "x", now="2026-09-20T13:00:00Z")
        tap.ok("1 parked" in queue(box), "smtp: 550 is parked", queue(box))
    server.close()


def check_unsure(tap):
    """An answer that does not say: once more, then a person."""
    vendor = vendors.WeCom()
    vendor.planned = [(200, {}, b"half an ans"), (200, {}, b"half an ans")]
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, "wecom", vendor.base, vendor, rules=False))
        box.run("alerts", "test", "x", now="@1790000000")
        for i in range(1, 5):
            box.run("alerts", "deliver", now=f"@{1790000000 + i * 40000}")
        tap.same(len(vendor.got), 2, "an answer without a word is asked for once more, not for ever")
        tap.ok("parked" in queue(box), "and is left to a person", queue(box))
    vendor.close()


def check_silence(tap):
    """No answer within the time, or half of one: sent again, where the vendor can be asked, and never taken for delivered."""
    for kind, make in HTTP.items():
        vendor = make()
        vendor.planned = [(None, {}, b"")]
        with Folder() as folder:
            conf = configure(folder, kind, vendor.base, vendor, rules=False)
            conf.write_text(conf.read_text(encoding="utf-8").replace("timeout = 5s", "timeout = 1s"), encoding="utf-8")
            box = Box(folder, conf=conf)
            box.run("alerts", "test", "x", now="@1790000000")
            tap.ok("1 waiting, 0 parked" in queue(box), f"{kind}: no answer is not taken for delivered", queue(box))
            box.run("alerts", "deliver", now="@1790100000")
            tap.ok("0 waiting, 0 parked" in queue(box) and len(vendor.got) == 2, f"{kind}: it is sent again", (queue(box), vendor.got))
            if kind not in ("slack", "alertmanager", "ntfy"):  # those that say it by the status alone have said it
                vendor.planned = [(200, {"Content-Length": "400"}, json.dumps(vendor.good).encode()[:9])]
                box.run("alerts", "test", "x", now="@1790200000")
                tap.ok("1 waiting, 0 parked" in queue(box), f"{kind}: half an answer is not taken for delivered", queue(box))
        vendor.close()


def check_rate(tap, market):
    """More messages than a minute bears: the rest waits, across runs."""
    vendor = vendors.WeCom()
    with Folder() as folder:
        box = Box(folder, conf=configure(folder, "wecom", vendor.base, vendor, rules=False), market=market)
        for i in range(30):
            box.run("alerts", "test", "x", now=f"@{1790000000 + i}")
        first = len(vendor.got)
        tap.ok(15 <= first <= 15 + 30 // 4, "of thirty messages in thirty seconds a minute's worth is sent, and one each four seconds", first)
        box.run("alerts", "deliver", now="@1790000500")
        text = json.dumps(vendor.taken(), ensure_ascii=False)
        tap.ok(text.count("测试消息") >= 30, "the others later, none is lost", len(vendor.got))
    vendor.close()


def check_wrong(tap):
    """Sections that lack what their type needs: file, line, key."""
    rows = (("dingtalk", "", "url"), ("telegram", "token_file = /x", "chat"), ("ntfy", "", "topic"), ("bark", "", "token_file"),
            ("smtp", "url = https://x.example", "mail_from"), ("smtp", "url = https://x.example\nmail_from = a@b\nmail_to = c@d", "smtp://"),
            ("smtp", "url = smtp://x\nmail_from = a b\nmail_to = c@d", "mail_from"), ("wecom", "url = ftp://x", "https://"))
    for kind, keys, word in rows:
        with Folder() as folder:
            conf = folder / "sites.conf"
            conf.write_text(f"[channel x]\ntype = {kind}\n{keys}\n")
            done = Box(folder, conf=conf).run("alerts", "lint")
            tap.ok(done.code == 2 and word in done.err and "sites.conf:" in done.err, f"{kind} with {keys.splitlines()[:1]}: {word} is named", done)


def main():
    """All of them."""
    tap = Tap()
    started = time.time()
    with Market(scenario=PLAYED) as market:
        for kind, make in HTTP.items():
            taken = check_delivery(tap, kind, make, market)
            if kind == "wecom":
                tap.ok(len(taken) > 1 and "(1/" in json.dumps(taken[0]), "wecom: split between events, each part numbered", len(taken))
            if kind == "serverchan":
                tap.ok("\\\\<at" in json.dumps(taken), "serverchan: markup in a label is escaped", taken)
        check_mail(tap, market)
        check_rate(tap, market)
        check_picture(tap, market)
    check_answers(tap)
    check_unsure(tap)
    check_silence(tap)
    check_wrong(tap)
    print(f"# {time.time() - started:.0f} s")
    tap.done()


main()
