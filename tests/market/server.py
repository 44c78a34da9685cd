"""The HTTPS server of the sample market: one address, many hosts told apart by the Host header, as behind one load balancer."""

import gzip
import hashlib
import http.server
import socket
import ssl
import threading
import time
import urllib.parse

import sites_abroad
import sites_china
from page import Page
from state import read_day

ROUTES = {**sites_china.ROUTES, **sites_abroad.ROUTES}
ROBOTS = "User-agent: *\nDisallow: /admin/\nDisallow: /login\n"
SOCKET_TIMEOUT_S = 30


class Request:
    """What a page function may know of a request."""

    def __init__(self, path, body):
        parts = urllib.parse.urlsplit(path)
        self.path = parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query))
        self.body = body


class Answer:
    """A status with a page; the page may be None."""

    def __init__(self, status, page=None):
        self.status = status
        self.page = page


def robots_answer(host):
    """robots.txt of a host: its own text or status from the scenario, else the common one."""
    words = host.behaviour.get("robots", ROBOTS)
    if words.isdigit():
        return Answer(int(words), Page("no robots here\n", "text/plain"))
    return Answer(200, Page(words.replace("\\n", "\n"), "text/plain"))


def answer(state, name, day, request):
    """The answer of a host to a request on a day."""
    host = state.host(name, day)
    if host is None:
        return Answer(421, Page("no such host in this market\n", "text/plain"))
    if request.path == "/robots.txt":
        return robots_answer(host)
    if "status" in host.behaviour:
        return Answer(int(host.behaviour["status"]), Page("Service Unavailable\n", "text/plain"))
    make = ROUTES.get(name, {}).get(request.path)
    if make is None:
        return Answer(404, Page("not found\n", "text/plain"))
    if "body" in host.behaviour:
        return Answer(200, Page(host.behaviour["body"].replace("\\n", "\n")))
    return Answer(200, make(host, request))


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection. HTTP/1.1 with keep-alive, validators, gzip."""

    protocol_version = "HTTP/1.1"
    timeout = SOCKET_TIMEOUT_S
    # Head and body leave in one piece: two small writes would wait for each other's acknowledgement.
    wbufsize = 64 * 1024

    def setup(self):
        """The handshake happens here, in the connection's own thread, so that a slow client holds up nobody."""
        self.request.settimeout(SOCKET_TIMEOUT_S)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.server.context:
            self.request = self.server.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def log_message(self, *_arguments):
        """Nothing on the terminal; the access log says what came."""

    def send(self, result, body, coding, tag):
        """Writes status, headers and body; `.cut` sends less than it promises and closes."""
        self.send_response_only(result.status)
        self.send_header("Date", self.date_time_string())
        if result.page is not None:
            self.send_header("Content-Type", result.page.content_type())
        if coding:
            self.send_header("Content-Encoding", coding)
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("ETag", tag)
        if result.status != 304:
            self.send_header("Content-Length", str(len(body)))
        if result.status in (429, 503):
            self.send_header("Retry-After", "60")
        self.end_headers()
        if self.command != "HEAD" and result.status != 304:
            cut = int(self.behaviour("cut") or 0)
            self.wfile.write(body[:max(0, len(body) - cut)])
            self.close_connection = self.close_connection or cut > 0

    def behaviour(self, name):
        """What the scenario says of this host, or None."""
        host = self.server.state.host(self.host_name(), self.server.day())
        return host.behaviour.get(name) if host and self.path != "/robots.txt" else None

    def host_name(self):
        """The Host header without its port."""
        return (self.headers.get("Host") or "").split(":")[0].lower()

    def respond(self, body=b""):
        """Answers one request."""
        slow = self.behaviour("slow")
        if slow:
            time.sleep(float(slow))
        result = answer(self.server.state, self.host_name(), self.server.day(), Request(self.path, body))
        payload = result.page.body() if result.page else b""
        coding = ""
        if "gzip" in (self.headers.get("Accept-Encoding") or "") and len(payload) > 256:
            payload, coding = gzip.compress(payload, 6, mtime=0), "gzip"
        tag = '"' + hashlib.sha256(payload).hexdigest()[:20] + '"'
        if self.command == "GET" and result.status == 200 and tag in (self.headers.get("If-None-Match") or ""):
            result.status = 304
        self.send(result, payload, coding, tag)
        self.server.note(f"{self.host_name()} {self.command} {self.path} {result.status}")

    def do_GET(self):
        """A page."""
        self.respond()

    do_HEAD = do_GET

    def do_POST(self):
        """A page that is asked for with words."""
        self.respond(self.rfile.read(int(self.headers.get("Content-Length") or 0)))


class Market(http.server.ThreadingHTTPServer):
    """The server: what the market holds, what day it is, what was asked."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, state, clock_file, context, access_log):
        super().__init__(("127.0.0.1", 0), Handler)
        self.state = state
        self.clock_file = clock_file
        self.context = context
        self.access_log = access_log
        self.log_lock = threading.Lock()

    def day(self):
        """The simulated day, from the clock file."""
        return read_day(self.clock_file.read_text(encoding="ascii"))

    def note(self, line):
        """One line of the access log."""
        if self.access_log:
            with self.log_lock:
                self.access_log.write(line + "\n")
                self.access_log.flush()

    def handle_error(self, _request, _address):
        """A client that hangs up is no news; a fault of the market's own is."""
        import sys
        import traceback
        kind = sys.exc_info()[0]
        if not issubclass(kind, (ConnectionError, ssl.SSLError, TimeoutError, BrokenPipeError)):
            traceback.print_exc()
