"""What a hostile case is made of: a host of its own, what that host does on the wire, and what a crawler has to make of it."""

GOOD_ROWS = (("RTX 4090", "1.98"), ("A100 80G", "6.50"), ("昇腾910B", "5.20"))
HTML = "Content-Type: text/html; charset=utf-8\r\n"
JSON = "Content-Type: application/json\r\n"
SHORT = "timeout = 2s\n"  # of hosts that say nothing; the others have the usual time-out, for on a busy machine the honest are late, too
RULES = "extract = table\nrows = //tr[td]\nlabel = td[1]\nprice.hour = td[2]\n"
JSON_RULES = "extract = json\nrows = .data[] | {label: .name, price: .price}\nlabel = label\nprice.hour = price\n"


def page(rows=GOOD_ROWS, head="", before="", after="</body></html>"):
    """A price list as text; `head` goes into <head>, `before` in front of the table, `after` behind it."""
    cells = "".join(f"<tr><td>{name}</td><td>{price}</td></tr>" for name, price in rows)
    return (f"<!DOCTYPE html><html><head>{head}<title>GPU 价格 SAMPLE</title></head><body>{before}"
            f"<table><tr><th>型号</th><th>价格（元/小时）</th></tr>{cells}</table>{after}")


GOOD = page().encode()
GOOD_JSON = ('{"code":0,"data":[' + ",".join(f'{{"name":"{name}","price":"{price}"}}' for name, price in GOOD_ROWS) + "]}").encode()


class Case:
    """One row of the table.

    name      also the host: NAME.hostile.test
    act       what the host does when the page is asked for: act(connection, request) → True to keep the connection
    want      the site's status in the summary: ok, failed, blocked, drifted, incomplete, skipped
    why       a part of the reason; of an ok site nothing, its rows are compared instead
    robots    what it does when robots.txt is asked for; None: 404
    conf      further lines of its section
    requests  how many requests for its page there must have been; None: at most three
    """

    def __init__(self, name, act, want, why="", **more):
        self.name = name
        self.act = act
        self.want = want
        self.why = why
        self.robots = more.pop("robots", None)
        self.conf = more.pop("conf", "")
        self.rules = more.pop("rules", RULES)
        self.scheme = more.pop("scheme", "https")
        self.tls = more.pop("tls", "good")
        self.requests = more.pop("requests", None)
        self.rows = more.pop("rows", GOOD_ROWS)
        self.url = more.pop("url", None)
        assert not more, more

    def host(self):
        """The host's name."""
        return f"{self.name}.hostile.test"

    def section(self):
        """Its section of sites.conf."""
        url = self.url or f"{self.scheme}://{self.host()}/prices"
        return f"[site {self.name}]\nurl = {url}\n{self.rules}{self.conf}"


# ---- acts ----

def reply(body=GOOD, status="200 OK", headers=HTML, keep=True):
    """A whole, honest answer."""
    body = body.encode() if isinstance(body, str) else body

    def act(connection, _request):
        connection.send(f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return keep
    return act


def raw(*pieces, end="close", pause=0.0):
    """These bytes, a pause between them; then `end`: close, reset, stall, keep, or cut (TLS closed without a goodbye)."""
    def act(connection, _request):
        for count, piece in enumerate(pieces):
            if count and pause:
                connection.sleep(pause)
            connection.send(piece.encode() if isinstance(piece, str) else piece)
        if end == "keep":
            return True
        if end == "stall":
            connection.stall()
        elif end == "reset":
            connection.reset()
        elif end == "cut":
            connection.cut()
        return False
    return act


def head(*lines, status="200 OK", version="HTTP/1.1"):
    """A header block as bytes."""
    return (f"{version} {status}\r\n" + "".join(f"{line}\r\n" for line in lines) + "\r\n").encode("latin-1", "replace")


def redirect(location, status="302 Found", more=""):
    """A redirect; `location` is sent as it is."""
    target = location if isinstance(location, bytes) else location.encode()

    def act(connection, _request):
        connection.send(f"HTTP/1.1 {status}\r\n{more}Content-Length: 0\r\nLocation: ".encode() + target + b"\r\n\r\n")
        return True
    return act


def by_path(paths, otherwise=None):
    """Another act for each path."""
    missing = reply("not found\n", "404 Not Found", "Content-Type: text/plain\r\n")

    def act(connection, request):
        return paths.get(request.path, otherwise or missing)(connection, request)
    return act


def in_turn(*acts):
    """One act after the other; the last one stays."""
    def act(connection, request):
        return acts[min(connection.turn(), len(acts)) - 1](connection, request)
    return act


def chunked(*chunks, last="0\r\n\r\n"):
    """A chunked body."""
    body = b"".join(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n" for chunk in chunks)
    return body + (last.encode() if isinstance(last, str) else last)
