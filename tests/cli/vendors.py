"""Fakes of the vendors behind the alert channels: they check what the vendor checks and answer as it answers, errors included."""

import base64
import hashlib
import hmac
import http.server
import json
import socketserver
import threading
import time
import urllib.parse

WINDOW_S = 3600
KEYWORD = "gputape"


def sign(key, message):
    """HMAC-SHA256 as Base64."""
    return base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()


class Vendor:
    """One fake over HTTP: a subclass has `judge(path, query, headers, body)` → (status, headers, answer)."""

    def __init__(self):
        self.got = []        # (path, headers, body, answer)
        self.planned = []    # answers to give first, as (status, headers, answer); a status of None is none
        self.released = threading.Event()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""

            def do_POST(self):
                """Checks and answers."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(parts.query))
                judged = owner.judge(parts.path, query, self.headers, body)
                status, extra, answer = owner.planned.pop(0) if owner.planned else judged
                owner.got.append((parts.path, dict(self.headers), body, answer))
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                if status is None:  # neither an answer nor an end, for longer than anybody waits
                    owner.released.wait(60)
                    return
                self.send_response(status)
                for name, value in extra.items():
                    self.send_header(name, value)
                if "Content-Length" not in extra:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                """Quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def judge(self, path, query, headers, body):
        """What the vendor would say."""
        raise NotImplementedError

    def taken(self):
        """The bodies that were taken."""
        return [json.loads(body) for _, _, body, answer in self.got if self.is_taken(answer)]

    def is_taken(self, answer):
        """True for the vendor's good answer."""
        return answer == self.good

    def close(self):
        """Ends the server."""
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


def as_json(headers, body):
    """The body as JSON, or None where content type, coding or size are not what a vendor takes."""
    if not headers.get("Content-Type", "").startswith("application/json"):
        return None
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError:
        return None


class DingTalk(Vendor):
    """Keyword, signature in the address by milliseconds within an hour, 20,000 bytes, text."""

    good = {"errcode": 0, "errmsg": "ok"}
    secret = b"SEC0123456789abcdef"
    path = "/robot/send?access_token=token-of-the-test"

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        stamp = query.get("timestamp", "0")
        wanted = sign(self.secret, f"{stamp}\n{self.secret.decode()}".encode())
        if path != "/robot/send" or query.get("access_token") != "token-of-the-test":
            return 200, {}, {"errcode": 300005, "errmsg": "token is not exist"}
        if abs(time.time() - int(stamp) / 1000) > WINDOW_S or query.get("sign") != wanted:
            return 200, {}, {"errcode": 310000, "errmsg": "sign not match"}
        if len(body) > 20000:
            return 200, {}, {"errcode": 460101, "errmsg": "message too long"}
        if value is None or value.get("msgtype") != "text" or not value.get("text", {}).get("content"):
            return 200, {}, {"errcode": 400402, "errmsg": "missing"}
        if KEYWORD not in value["text"]["content"]:
            return 200, {}, {"errcode": 310000, "errmsg": "keywords not in content"}
        return 200, {}, self.good


class Feishu(Vendor):
    """Keyword, signature in the body by seconds within an hour, 20 KB, a post of text runs."""

    good = {"code": 0, "msg": "success", "data": {}, "StatusCode": 0, "StatusMessage": "success"}
    secret = b"this is secret"
    path = "/open-apis/bot/v2/hook/token-of-the-test"

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if value is None or len(body) > 20 * 1024 or value.get("msg_type") != "post" or "card" in value:
            return 200, {}, {"code": 9499, "msg": "Bad Request"}
        stamp = value.get("timestamp", "0")
        if abs(time.time() - int(stamp)) > WINDOW_S or value.get("sign") != sign(f"{stamp}\n{self.secret.decode()}".encode(), b""):
            return 200, {}, {"code": 19021, "msg": "sign match fail or timestamp is not within one hour from current time"}
        post = next(iter(value["content"]["post"].values()))
        if KEYWORD not in post["title"]:
            return 200, {}, {"code": 19024, "msg": "Key Words Not Found"}
        if any(run["tag"] != "text" for line in post["content"] for run in line):
            return 200, {}, {"code": 9499, "msg": "Bad Request"}
        return 200, {}, self.good


class WeCom(Vendor):
    """The key in the address, text of at most 2,048 bytes, images of at most 2 MB with their MD5."""

    good = {"errcode": 0, "errmsg": "ok"}
    path = "/cgi-bin/webhook/send?key=key-of-the-test"

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if path != "/cgi-bin/webhook/send" or query.get("key") != "key-of-the-test":
            return 200, {}, {"errcode": 93000, "errmsg": "invalid webhook url"}
        if value is not None and value.get("msgtype") == "image":
            return 200, {}, self.judge_image(**value["image"])
        if value is None or value.get("msgtype") != "text":
            return 200, {}, {"errcode": 40008, "errmsg": "invalid message type"}
        if len(value["text"]["content"].encode()) > 2048:
            return 200, {}, {"errcode": 40058, "errmsg": "text.content exceed max length 2048"}
        return 200, {}, self.good

    def judge_image(self, **image):
        """Base64 of a PNG or JPEG, and the MD5 of its bytes."""
        data = base64.b64decode(image["base64"], validate=True)
        if len(data) > 2 << 20 or not data.startswith((b"\x89PNG", b"\xff\xd8")):
            return {"errcode": 40009, "errmsg": "invalid image size"}
        if hashlib.md5(data).hexdigest() != image["md5"]:
            return {"errcode": 301019, "errmsg": "invalid image md5"}
        return self.good


class Slack(Vendor):
    """`ok` as a word; unescaped angles would be markup."""

    good = b"ok"
    path = "/services/T0/B0/token-of-the-test"

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if value is None or not value.get("text") or path != self.path:
            return 400, {}, b"invalid_payload"
        return 200, {}, self.good if "<" not in value["text"] else b"markup"


class Telegram(Vendor):
    """The token in the address, 4,096 characters, 429 with its own words."""

    good = {"ok": True, "result": {}}
    path = ""

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if path != "/bot123:token-of-the-test/sendMessage":
            return 401, {}, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        if value is None or value.get("chat_id") != "-100200300" or not 0 < len(value.get("text", "")) <= 4096 or "parse_mode" in value:
            return 400, {}, {"ok": False, "error_code": 400, "description": "Bad Request"}
        return 200, {}, self.good


class Ntfy(Vendor):
    """JSON to the root, a bearer token, 4,096 bytes."""

    good = {"id": "x", "event": "message"}
    path = ""

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if headers.get("Authorization") != "Bearer token-of-the-test":
            return 401, {}, {"code": 40101, "http": 401}
        if path != "/" or value is None or value.get("topic") != "prices" or len(value.get("message", "").encode()) > 4096:
            return 400, {}, {"code": 40009, "http": 400}
        return 200, {}, self.good


class Bark(Vendor):
    """The device's key in the body."""

    good = {"code": 200, "message": "success", "timestamp": 0}
    path = ""

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if path != "/push" or value is None or value.get("device_key") != "token-of-the-test" or not value.get("title"):
            return 400, {}, {"code": 400, "message": "failed to get device token"}
        return 200, {}, self.good


class ServerChan(Vendor):
    """The key in the path; markdown."""

    good = {"code": 0, "message": "", "data": {"errno": 0}}
    path = ""

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        if path != "/token-of-the-test.send":
            return 200, {}, {"code": 40001, "message": "bad pushkey"}
        if value is None or not value.get("title") or not value.get("desp"):
            return 200, {}, {"code": 40002, "message": "empty"}
        return 200, {}, self.good


class Alertmanager(Vendor):
    """API v2: alerts with labels, each a text."""

    good = b""
    path = ""

    def judge(self, path, query, headers, body):
        value = as_json(headers, body)
        good = path == "/api/v2/alerts" and isinstance(value, list) and value
        good = good and all(alert["labels"].get("alertname") and all(isinstance(text, str) for text in alert["labels"].values()) for alert in value)
        return (200, {}, self.good) if good else (400, {}, {"code": 400, "message": "bad"})


class Smtp:
    """A mail server that keeps what it gets; `planned` replies to DATA come first."""

    def __init__(self):
        self.got = []
        self.planned = []
        owner = self

        class Handler(socketserver.StreamRequestHandler):
            """One session."""

            def handle(self):
                """The few commands there are."""
                self.wfile.write(b"220 test ESMTP\r\n")
                sender, to = "", []
                while line := self.rfile.readline():
                    word = line.strip().decode()
                    if word.upper().startswith("EHLO"):
                        self.wfile.write(b"250-test\r\n250 8BITMIME\r\n")
                    elif word.upper().startswith("MAIL FROM:"):
                        sender = word[10:].split(" ")[0]
                        self.wfile.write(b"250 ok\r\n")
                    elif word.upper().startswith("RCPT TO:"):
                        to.append(word[8:])
                        self.wfile.write(b"250 ok\r\n")
                    elif word.upper() == "DATA":
                        self.wfile.write(b"354 go\r\n")
                        text = b""
                        while (part := self.rfile.readline()) not in (b".\r\n", b""):
                            text += part[1:] if part.startswith(b"..") else part
                        reply = owner.planned.pop(0) if owner.planned else b"250 taken\r\n"
                        if reply.startswith(b"250"):
                            owner.got.append((sender, to, text))
                        self.wfile.write(reply)
                    elif word.upper() == "QUIT":
                        self.wfile.write(b"221 bye\r\n")
                        return
                    else:
                        self.wfile.write(b"502 no\r\n")

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"smtp://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()
