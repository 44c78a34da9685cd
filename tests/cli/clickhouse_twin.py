"""As much of a ClickHouse server as a push and its reading need: keeps every block that came and every row by its key, answers the program's own queries, and fails as told."""

import json
import re
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEYS = {"runs": ("entity", "epoch", "n"), "changes": ("entity", "epoch", "n", "i"), "spans": ("entity", "epoch", "offer", "first_n"), "offers": ("entity", "offer")}


class Twin:
    """The server as a context. `fault`: a function (how many requests came before, table or None) → None, a status, or "drop" (read and said nothing)."""

    def __init__(self, fault=None):
        self.fault = fault
        self.requests = []  # (path, headers, body)
        self.inserts = []  # (table, rows) that were acknowledged, in order
        self.tables = {name: {} for name in KEYS}

    def __enter__(self):
        twin = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """A block or a query."""
                body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
                status, answer = twin.answer(self.path, dict(self.headers), body)
                if status == "drop":
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, headers, body):
        """Status and body for a request."""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query).get("query", [""])[0]
        into = re.fullmatch(r"INSERT INTO (\w+) FORMAT JSONEachRow", query)
        fault = self.fault(len(self.requests), into and into.group(1)) if self.fault else None
        self.requests.append((path, headers, body))
        if fault is not None:
            return fault, b"Code: 252, \x1b[31mno good\x00" + b"x" * 5000
        if into:
            rows = [json.loads(line) for line in body.splitlines()]
            self.inserts.append((into.group(1), rows))
            for row in rows:
                self.tables[into.group(1)][tuple(row[column] for column in KEYS[into.group(1)])] = row
            return 200, b""
        return 200, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.select(body)).encode()

    def select(self, query):
        """The rows of one of the program's queries: its columns, its streams or places; groups where it asks for them."""
        columns, table, rest = re.fullmatch(r"SELECT (.*?) FROM (\w+) FINAL ?(.*)", query).groups()
        rows = sorted(self.tables[table].values(), key=lambda row: [row[column] for column in KEYS[table]])
        pairs, entities = re.search(r"\(entity, epoch\) IN \((.*?\))\)", rest), re.search(r"entity IN \((.*?)\)", rest)
        if pairs:
            chosen = set(re.findall(r"\((\d+), (\d+)\)", pairs.group(1)))
            rows = [row for row in rows if (row["entity"], str(row["epoch"])) in chosen]
        elif entities:
            rows = [row for row in rows if row["entity"] in entities.group(1).split(", ")]
        for name, sign, value in re.findall(r"\b(entity|epoch|n) (=|>|<=) (\d+)", rest):
            rows = [row for row in rows if {"=": int(row[name]) == int(value), ">": int(row[name]) > int(value), "<=": int(row[name]) <= int(value)}[sign]]
        if "GROUP BY entity, epoch" in rest:
            return [{**group[-1], "runs": str(len(group)), "last": group[-1]["n"]} for group in groups(rows, "epoch")]
        if "GROUP BY entity, offer" in rest:
            return [{"entity": group[0]["entity"], "offer": group[0]["offer"], "first": str(group[0]["n"] << 32 | group[0]["i"])} for group in groups(rows, "offer") if group[0]["offer"]]
        names = columns.split(", ") if "toString" not in columns else [*KEYS["runs"], "seq", "own_stream", "bytes", "t_unix_s"]
        if "record_id" in columns:
            return [{"t": str(row["t_unix_s"]), "id": json.loads(row["body"])["record_id"] or ""} for row in rows]
        return [{**{name: row[name] for name in names}, "t": str(row.get("t_unix_s"))} for row in sorted(rows, key=lambda row: row.get("t_unix_s", 0))]


def groups(rows, name):
    """The rows of each entity and `name`, in order."""
    found = {}
    for row in rows:
        found.setdefault((row["entity"], row[name]), []).append(row)
    return list(found.values())
