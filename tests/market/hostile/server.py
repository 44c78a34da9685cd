"""Plays the table on two ports of 127.0.0.1, HTTP and HTTPS: a thread a connection, the case told by the name in the handshake or in the Host header."""

import collections
import re
import socket
import ssl
import struct
import threading
import time

from case import reply

NAME = re.compile(rb"([a-z0-9-]+)\.hostile\.test")
REQUEST_MAX = 64 * 1024
SOCKET_TIMEOUT_S = 20
MISSING = reply("", "404 Not Found")
ROBOTS_HOPS = ("/r.txt", "/1", "/2", "/3", "/4", "/5", "/6")  # where a robots.txt may be sent on to
# What stands in the place of a handshake.
INSTEAD = {"alert": b"\x15\x03\x03\x00\x02\x02\x28", "closed": b"", "rubbish": b"\xde\xad\xbe\xef" * 64, "plain-http": b"HTTP/1.1 400 Bad Request\r\n\r\n",
           "cut-hello": b"\x16\x03\x03\x40\x00\x02\x00\x00\x4c\x03\x03", "endless-hello": b"\x16\x03\x03\x40\x00\x02\xff\xff\xff" + b"\0" * 16379}


class Request:
    """What came: path, headers in lower case."""

    def __init__(self, head):
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path = (lines[0].split(" ") + ["", ""])[:2]
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}


class Connection:
    """One connection, with the ways to end it that only this server knows."""

    def __init__(self, server, plain):
        self.server = server
        self.plain = plain
        self.socket = plain
        self.case = None
        self.path = ""

    def send(self, data):
        """All of it, or the client has left."""
        self.socket.sendall(data)

    def sleep(self, seconds):
        """A pause that ends with the server, and when the client has left."""
        self.server.ending.wait(seconds)

    def stall(self):
        """Says nothing until the client gives up."""
        self.socket.settimeout(SOCKET_TIMEOUT_S)
        while self.socket.recv(4096):
            pass

    def reset(self):
        """A reset in the place of a goodbye. What was sent before has its chance to arrive."""
        self.sleep(0.05)
        self.plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cut()

    def cut(self):
        """Closes the connection below TLS."""
        if self.socket is not self.plain:
            self.plain = socket.socket(fileno=self.socket.detach())
            self.socket = self.plain
        self.plain.close()

    def turn(self):
        """How many requests this host has had for this path, this one counted."""
        return self.server.counts[(self.case.name, self.path)]


class Hostile:
    """The server."""

    def __init__(self, table, certificates, log):
        self.table = table
        self.certificates = certificates
        self.contexts = {}
        self.lock = threading.Lock()
        self.log = log
        self.counts = collections.Counter()
        self.ending = threading.Event()
        self.listeners = [self.listen(True), self.listen(False)]

    def ports(self):
        """(HTTPS, HTTP)."""
        return [listener.getsockname()[1] for listener in self.listeners]

    def listen(self, is_tls):
        """A listener and the thread that accepts on it."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        threading.Thread(target=self.accept, args=(listener, is_tls), daemon=True).start()
        return listener

    def accept(self, listener, is_tls):
        """A thread a connection."""
        while not self.ending.is_set():
            plain, _ = listener.accept()
            threading.Thread(target=self.serve, args=(plain, is_tls), daemon=True).start()

    def context(self, name):
        """A TLS context, made once."""
        with self.lock:
            if name not in self.contexts:
                self.contexts[name] = self.certificates.context(name)
            return self.contexts[name]

    def serve(self, plain, is_tls):
        """One connection from its first byte to its last. A client that leaves is no news."""
        connection = Connection(self, plain)
        plain.settimeout(SOCKET_TIMEOUT_S)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if not is_tls or self.shake_hands(connection):
                while self.answer(connection):
                    pass
        except (OSError, ValueError):
            pass
        finally:
            try:
                if isinstance(connection.socket, ssl.SSLSocket):
                    connection.socket.settimeout(1)
                    connection.socket = connection.socket.unwrap()
            except (OSError, ValueError):
                pass
            connection.socket.close()

    def shake_hands(self, connection):
        """The handshake of the case that the client asks for; False when something else took its place."""
        hello = connection.plain.recv(8192, socket.MSG_PEEK)
        found = NAME.search(hello)
        case = self.table.get(found.group(1).decode()) if found else None
        tls = case.tls if case else "good"
        if tls == "silent":
            connection.stall()
        elif tls == "reset":
            connection.reset()
        elif tls in INSTEAD:
            connection.plain.recv(8192)
            connection.send(INSTEAD[tls])
            connection.sleep(0.05)
        else:
            connection.socket = self.context(tls).wrap_socket(connection.plain, server_side=True, suppress_ragged_eofs=True)
            return True
        return False

    def read(self, connection):
        """One request, its body thrown away. None at the end."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.socket.recv(REQUEST_MAX)
            if not piece or len(data) > REQUEST_MAX:
                return None
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        request = Request(head)
        missing = int(request.headers.get("content-length") or 0) - len(body)
        while missing > 0:
            missing -= len(connection.socket.recv(REQUEST_MAX)) or missing
        return request

    def answer(self, connection):
        """One request; whether another may follow."""
        request = self.read(connection)
        if request is None:
            return False
        found = NAME.search(request.headers.get("host", "").encode())
        case = self.table.get(found.group(1).decode()) if found else None
        if case is None:
            return reply("no such host\n", "421 Misdirected")(connection, request)
        if case.tls == "expects-tls":
            connection.send(INSTEAD["alert"])
            return False
        connection.case, connection.path = case, request.path
        with self.lock:
            self.counts[(case.name, request.path)] += 1
            marks = "".join(mark for mark, name in (("C", "cookie"), ("A", "authorization"), ("E", "if-none-match"), ("M", "if-modified-since"))
                            if name in request.headers)
            self.log.write(f"{time.monotonic():.3f} {case.name} {request.method} {request.path[:200]} {marks or '-'}\n")
            self.log.flush()
        is_robots = request.path == "/robots.txt" or (case.robots and request.path in ROBOTS_HOPS)
        return (case.robots or MISSING if is_robots else case.act)(connection, request)

    def close(self):
        """Ends; threads are daemons."""
        self.ending.set()
        for listener in self.listeners:
            listener.close()
