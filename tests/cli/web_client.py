"""A client for the server's tests: starts `gputape serve`, asks as broken clients do, by raw sockets."""

import os
import re
import signal
import socket
import subprocess
import threading

from harness import clean_environment

HOST = "127.0.0.1"
START_S = 30


def free_port():
    """A port nobody listens on."""
    with socket.create_server((HOST, 0)) as sock:
        return sock.getsockname()[1]


class Answer:
    """A response taken apart."""

    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        found = re.match(r"HTTP/1\.[01] (\d{3})", lines[0])
        self.status = int(found.group(1)) if found else 0
        self.raw = raw
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()

    @property
    def text(self):
        """The body as text."""
        return self.body.decode("utf-8")


class Server:
    """`gputape serve` as a context, on a free port, ended by its own process id."""

    def __init__(self, box, *words, now=None, listen=f"{HOST}:0"):
        self.line = box.command("serve", "--listen", listen, *words, now=now)

    def __enter__(self):
        self.process = subprocess.Popen(self.line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=clean_environment())
        first = self.process.stderr.readline().decode()
        found = re.search(r"listening on http://(\S+):(\d+)/", first)
        if not found:
            raise RuntimeError(f"the server did not start: {first}")
        self.port = int(found.group(2))
        self.log = []
        self.reader = threading.Thread(target=self.log.extend, args=(self.process.stderr,), daemon=True)
        self.reader.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGTERM)

    def end(self, number):
        """Sends the signal, waits; the exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def connect(self, timeout=30):
        """A connection."""
        return socket.create_connection((HOST, self.port), timeout=timeout)

    def send(self, request, timeout=30, half=True):
        """Sends bytes as they are, reads to the end. half: says that nothing more comes."""
        with self.connect(timeout) as sock:
            raw = b""
            try:
                sock.sendall(request)
                if half:
                    sock.shutdown(socket.SHUT_WR)
                while True:
                    piece = sock.recv(1 << 16)
                    if not piece:
                        break
                    raw += piece
            except OSError:
                pass
            return Answer(raw)

    def get(self, target, *lines, method="GET", host=None):
        """One request that closes."""
        head = [f"{method} {target} HTTP/1.1", f"Host: {host or f'{HOST}:{self.port}'}", "Connection: close", *lines]
        return self.send("\r\n".join(head).encode() + b"\r\n\r\n", half=False)

    def memory_kb(self):
        """Resident memory."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))

    def descriptors(self):
        """Open files."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
