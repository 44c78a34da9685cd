#!/usr/bin/python3
"""The bench's price history in a database server of its own, started in a folder, asked and ended: PostgreSQL's on a socket in there, ClickHouse's on
a free port. Prints what the other programs of the bench do. Of a server only its own CPU time counts, none of this client's.

usage: servers.py postgres|clickhouse PAGES FOLDER SHAPE PAGES_A_COMMIT   PAGES: tool_pages"""
import array
import glob
import http.client
import io
import os
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

try:
    import psycopg2
except ImportError:
    psycopg2 = None

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "full"))
from clickhouse_server import HOST, SERVER, ClickHouse  # noqa: E402
from stores import PER_SITE, SKIPPED  # noqa: E402

BEGIN_UNIX_S, WEEK_S = 1767225600, 604800
PAGE_NUMBERS = 2 + PER_SITE
ASKS, SLOW_S, TENTHS = 5, 2, 10


def skip(reason):
    """Ends the program: this machine has no such server."""
    print("skipped", reason)
    sys.exit(SKIPPED)


def cpu_s(pids):
    """CPU seconds of processes so far, by each one's own clock (clock_getcpuclockid)."""
    return sum(time.clock_gettime(~pid << 3 | 2) for pid in pids)


class Postgres:
    """A row an observation, by series and time; a page is a COPY, durable when it returns."""

    QUESTIONS = (
        "SELECT count(nullif(price, 0)), sum(price) FROM series s, LATERAL (SELECT price FROM obs WHERE series = s.id ORDER BY ts DESC LIMIT 1) o",
        "SELECT count(nullif(price, 0)), sum(price) FROM obs WHERE series = {asked}",
        "SELECT count(*), sum(med * (w * 64 + sku + 1))::int8 FROM (SELECT sku, (ts - {begin}) / 604800 w, percentile_disc(0.5) WITHIN GROUP (ORDER BY price) med"
        " FROM obs JOIN series ON id = series WHERE price > 0 GROUP BY 1, 2) m",
        "SELECT count(*), sum(rank * id)::int8 FROM (SELECT row_number() OVER (ORDER BY swing DESC, id) rank, id FROM series, LATERAL"
        " (SELECT (max(price) - min(price))::float8 / min(price) swing FROM obs WHERE series = id AND ts >= {last_week} AND price > 0) o"
        " WHERE swing IS NOT NULL) s WHERE rank <= 20")

    def __init__(self, folder, sites):
        self.folder, self.sites, self.process = folder, sites, None
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)
        if self.programs is None or psycopg2 is None:
            skip("no PostgreSQL server, or no psycopg2 to talk to it")

    def start(self):
        """The server, and empty tables."""
        folder, sites = self.folder, self.sites
        folder.mkdir()
        who = {}
        if os.geteuid() == 0:  # the server refuses to be root
            shutil.chown(folder, "postgres", "postgres")
            who = {"user": "postgres", "group": "postgres", "extra_groups": []}
        place, quiet = str(folder / "data"), {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([f"{self.programs}/initdb", "-D", place, "-U", "postgres", "-A", "trust", "-N"], check=True, cwd="/", **quiet, **who)
        settings = {"listen_addresses": "", "unix_socket_directories": str(folder), "shared_buffers": "2GB", "max_wal_size": "4GB", "work_mem": "256MB", "autovacuum": "off", "jit": "off"}
        self.process = subprocess.Popen([f"{self.programs}/postgres", "-D", place, *(f"--{name}={value}" for name, value in settings.items())], cwd="/", **quiet, **who)
        self.connection = self.wait()
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()
        self.cursor.execute(f"CREATE TABLE series AS SELECT i id, (i / {PER_SITE} * 7 + i % {PER_SITE} / 9) % 60 sku FROM generate_series(0, {sites * PER_SITE - 1}) i;"
                            "CREATE TABLE obs(series int4, ts int4, price int4, PRIMARY KEY(series, ts))")
        pid = self.process.pid
        self.pids = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())]

    def wait(self):
        """The connection, once there is a server."""
        for _ in range(300):
            try:
                return psycopg2.connect(host=str(self.folder), user="postgres", dbname="postgres")
            except psycopg2.OperationalError:
                time.sleep(0.1)
        raise RuntimeError("postgres did not start")

    def insert(self, series, times, prices):
        """One commit."""
        rows = b"".join(struct.pack("!hiiiiii", 3, 4, *row) for row in zip(series, [4] * len(series), times, [4] * len(series), prices))
        self.cursor.copy_expert("COPY obs FROM STDIN BINARY", io.BytesIO(b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows + b"\xff\xff"))

    def settle(self):
        """What is done to it before it is asked; bytes on disk."""
        self.cursor.execute("CHECKPOINT")
        self.cursor.execute("VACUUM ANALYZE")
        return self.ask("SELECT pg_total_relation_size('obs') + pg_total_relation_size('series')")[0]

    def ask(self, query):
        """The first row."""
        self.cursor.execute(query)
        return self.cursor.fetchone()

    def stop(self):
        """Ends it, when it runs."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()


class Columns:
    """ClickHouse: a MergeTree by series and time; a commit is a block, written but not flushed to the disk (18.16 never does)."""

    SKU = f"(intDiv(series, {PER_SITE}) * 7 + intDiv(series % {PER_SITE}, 9)) % 60"
    QUESTIONS = (
        "SELECT countIf(p > 0), sum(p) FROM (SELECT series, argMax(price, ts) p FROM obs GROUP BY series)",
        "SELECT countIf(price > 0), sum(price) FROM obs WHERE series = {asked}",
        "SELECT count(), sum(toInt64(med) * (w * 64 + sku + 1)) FROM (SELECT " + SKU + " sku, intDiv(ts - {begin}, 604800) w, -quantileExact(0.5)(-price) med"
        " FROM obs WHERE price > 0 GROUP BY sku, w)",
        "SELECT count(), sum(rank * series) FROM (SELECT arrayJoin(arrayEnumerate(best)) rank, best[rank] series FROM (SELECT groupArray(series) best FROM"
        " (SELECT series, (max(price) - min(price)) / min(price) swing FROM obs WHERE ts >= {last_week} AND price > 0 GROUP BY series ORDER BY swing DESC, series LIMIT 20)))")

    def __init__(self, folder, _sites):
        if not os.path.exists(SERVER):
            skip("no ClickHouse server")
        self.server = ClickHouse(folder)

    def start(self):
        """The server, and an empty table."""
        self.server.start()
        self.pids = [self.server.process.pid]
        self.connection = http.client.HTTPConnection(HOST, self.server.http, timeout=600)
        self.post("CREATE TABLE obs(series UInt32, ts UInt32, price Int32) ENGINE = MergeTree ORDER BY (series, ts)")

    def post(self, body, path="/"):
        """A request on the one connection; the answer's text."""
        self.connection.request("POST", path, body)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(text)
        return text

    def insert(self, series, times, prices):
        """One commit: columns as they are (Native)."""
        count = len(series)
        block = bytes([3]) + bytes([count & 127 | 128, count >> 7 & 127 | 128, count >> 14 & 127])
        for name, kind, column in (("series", "UInt32", series), ("ts", "UInt32", times), ("price", "Int32", prices)):
            block += bytes([len(name)]) + name.encode() + bytes([len(kind)]) + kind.encode() + column.tobytes()
        self.post(block, "/?query=INSERT%20INTO%20obs%20FORMAT%20Native")

    def settle(self):
        """What is done to it before it is asked; bytes on disk."""
        for _ in range(60):
            self.post("OPTIMIZE TABLE obs FINAL")  # does nothing, and does not say so, while parts are being merged
            parts, size = self.ask("SELECT count(), sum(bytes_on_disk) FROM system.parts WHERE table = 'obs' AND active")
            if parts == 1:
                return size
            time.sleep(1)
        raise RuntimeError("ClickHouse does not merge its parts")

    def ask(self, query):
        """The first row."""
        return [int(word) for word in self.post(query).split()]

    def stop(self):
        """Ends it, when it runs."""
        self.server.stop(signal.SIGKILL)


def take(store, tool, shape, pages_a_commit, pages_all):
    """The whole history; prints what that took."""
    wall, commits, pages, at_tenth = 0.0, 0, 0, {}
    begin = cpu_s(store.pids)
    with subprocess.Popen([tool, shape], stdout=subprocess.PIPE) as source:
        while text := source.stdout.read(PAGE_NUMBERS * 4 * pages_a_commit):
            numbers = array.array("i", text)
            series, times, prices = array.array("i"), array.array("i"), array.array("i")
            for at in range(0, len(numbers), PAGE_NUMBERS):
                first = numbers[at] * PER_SITE
                series.extend(range(first, first + PER_SITE))
                times.extend(numbers[at + 1:at + 2] * PER_SITE)
                prices.extend(numbers[at + 2:at + PAGE_NUMBERS])
            before = time.monotonic()
            store.insert(series, times, prices)
            wall += time.monotonic() - before
            commits, pages = commits + 1, pages + len(numbers) // PAGE_NUMBERS
            at_tenth.setdefault(pages * TENTHS // pages_all, cpu_s(store.pids))
    end = at_tenth[TENTHS]
    for name, seconds in (("ingest", end - begin), ("ingest_wall", wall), ("first_tenth", at_tenth[1] - begin), ("last_tenth", end - at_tenth[TENTHS - 1])):
        print(f"{name}_ns {seconds * 1e9:.0f}")


def question(store, number, query):
    """Asks it several times, as question_ask of history.c does."""
    took, wall, answer = [], [], None
    while len(took) < ASKS and sum(took) < SLOW_S:
        before, begin = cpu_s(store.pids), time.monotonic()
        answer = store.ask(query)
        wall.append(time.monotonic() - begin)
        took.append(cpu_s(store.pids) - before)
    print(f"q{number}_ns {statistics.median(took) * 1e9:.0f}\nq{number}_wall_ns {statistics.median(wall) * 1e9:.0f}\nanswer{number} {answer[0]} {answer[1]}")


def main():
    """One server, one history."""
    kind, tool, folder, shape, pages_a_commit = sys.argv[1:]
    sites, hours = (int(word) for word in shape.split("/")[0].split("x"))
    store = {"postgres": Postgres, "clickhouse": Columns}[kind](Path(folder), sites)
    try:
        store.start()
        take(store, tool, shape, int(pages_a_commit), sites * hours)
        print("bytes", store.settle())
        names = {"begin": BEGIN_UNIX_S, "last_week": BEGIN_UNIX_S + hours * 3600 - WEEK_S, "asked": sites * PER_SITE // 2 + 17}
        for number, query in enumerate(store.QUESTIONS, 1):
            question(store, number, query.format(**names))
    finally:
        store.stop()


main()
