"""Debian's clickhouse-server (18.16) and zookeeper for the tests: started on free ports of loopback with folders of their own, ended by their process ids. Nothing of the
packages' own configuration or data is used."""

import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, wait_for  # noqa: E402
from web_client import HOST, free_port  # noqa: E402

SERVER = "/usr/sbin/clickhouse-server"
ZOOKEEPER = "/usr/share/java/zookeeper.jar"
SCHEMA = ROOT / "clickhouse" / "clickhouse.sql"
START_S = 60
USERS = """<yandex>
  <profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
  <users>{users}</users>
  <quotas><default></default></quotas>
</yandex>
"""
USER = "<{name}><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></{name}>"
CONFIG = """<yandex>
  <logger><level>warning</level><log>{folder}/server.log</log><errorlog>{folder}/error.log</errorlog></logger>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{inter}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
  <max_connections>64</max_connections><mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>50</max_concurrent_queries>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><user_files_path>{folder}/files/</user_files_path>
  <users_config>{folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <timezone>UTC</timezone>{cluster}
</yandex>
"""


def schema(layout):
    """The statements of one layout of clickhouse/clickhouse.sql: "one node" or "shards and replicas"."""
    text = SCHEMA.read_text(encoding="utf-8")
    parts = [text.split(f"\n-- === {part}\n")[1].split("\n-- ===\n")[0] for part in ("columns", layout, "end")]
    return [statement.strip() for part in parts for statement in part.split(";") if statement.strip()]


class ClickHouse:
    """One server. `cluster` is XML for its configuration; users are (name, password) pairs."""

    def __init__(self, folder, cluster="", users=(("default", ""),)):
        self.folder, self.cluster, self.users, self.process = Path(folder), cluster, users, None
        self.http, self.tcp, self.inter = free_port(), free_port(), free_port()
        self.url = f"http://{HOST}:{self.http}/"

    def start(self):
        """Starts it, anew when it runs, and waits until it answers."""
        self.stop(signal.SIGKILL)
        for name in ("data", "tmp", "files"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        ports = {"http": self.http, "tcp": self.tcp, "inter": self.inter}
        (self.folder / "config.xml").write_text(CONFIG.format(folder=self.folder, cluster=self.cluster, **ports), encoding="ascii")
        users = "".join(USER.format(name=name, password=password) for name, password in self.users)
        (self.folder / "users.xml").write_text(USERS.format(users=users), encoding="ascii")
        self.process = subprocess.Popen([SERVER, f"--config-file={self.folder / 'config.xml'}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        if not wait_for(self.answers, START_S):
            self.stop(signal.SIGKILL)
            raise RuntimeError("clickhouse-server did not start")
        return self

    def answers(self):
        """Whether it does."""
        try:
            return urllib.request.urlopen(self.url + "ping", timeout=5).read() == b"Ok.\n"
        except OSError:
            return False

    def ask(self, query, **settings):
        """One statement; the answer's text."""
        user, password = self.users[0]
        words = urllib.parse.urlencode({"user": user, "password": password, **settings})
        try:
            return urllib.request.urlopen(f"{self.url}?{words}", data=query.encode(), timeout=60).read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def create(self, layout):
        """The tables."""
        for statement in schema(layout):
            self.ask(statement)

    def stop(self, how=signal.SIGTERM):
        """Ends it, when it runs."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=START_S)
        self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)


class ZooKeeper:
    """One server, alone."""

    def __init__(self, folder):
        self.folder, self.port, self.process = Path(folder), free_port(), None

    def __enter__(self):
        (self.folder / "data").mkdir(parents=True)
        conf = self.folder / "zoo.cfg"
        conf.write_text(f"tickTime=2000\ndataDir={self.folder / 'data'}\nclientPort={self.port}\nclientPortAddress={HOST}\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\n", encoding="ascii")
        self.process = subprocess.Popen(["java", "-Xmx256m", "-cp", ZOOKEEPER, "org.apache.zookeeper.server.quorum.QuorumPeerMain", str(conf)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        if not wait_for(self.answers, START_S):
            raise RuntimeError("zookeeper did not start")
        return self

    def answers(self):
        """Whether it serves, which is later than that it listens."""
        try:
            with socket.create_connection((HOST, self.port), timeout=5) as connection:
                connection.sendall(b"srvr")
                return connection.recv(17) == b"Zookeeper version"
        except OSError:
            return False

    def __exit__(self, *_):
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Cluster:
    """Shards of replicas, each a server of its own, and the ZooKeeper between them. servers[shard][replica]."""

    def __init__(self, folder, shards=2, replicas=2):
        self.zookeeper = ZooKeeper(Path(folder) / "zookeeper")
        self.servers = [[ClickHouse(Path(folder) / f"{shard}-{replica}") for replica in range(replicas)] for shard in range(shards)]
        shape = "".join("<shard><internal_replication>true</internal_replication>" +
                        "".join(f"<replica><host>{HOST}</host><port>{server.tcp}</port></replica>" for server in shard) + "</shard>" for shard in self.servers)
        for shard, row in enumerate(self.servers):
            for replica, server in enumerate(row):
                server.cluster = (f"<remote_servers><gputape>{shape}</gputape></remote_servers><zookeeper><node><host>{HOST}</host><port>{self.zookeeper.port}</port></node></zookeeper>"
                                  f"<macros><shard>{shard}</shard><replica>{replica}</replica></macros>")

    def __enter__(self):
        try:
            self.zookeeper.__enter__()
            for server in self.all():
                server.start()
                server.create("shards and replicas")
        except BaseException:
            self.__exit__()
            raise
        return self

    def all(self):
        """Every server."""
        return [server for row in self.servers for server in row]

    def settled(self):
        """Waits until all replicas of each shard have the same number of runs and changes; whether they do."""
        def same():
            return all(len({tuple(server.ask(f"SELECT count() FROM {table}_local FINAL") for table in ("runs", "changes", "offers")) for server in row}) == 1 for row in self.servers)
        return wait_for(same, START_S)

    def __exit__(self, *_):
        for server in self.all():
            server.stop(signal.SIGKILL)
        self.zookeeper.__exit__()


class Relay:
    """Passes requests on to a server and lets `hook` know of each before: (path, body) → None, or what to do instead of passing it on ("drop")."""

    def __init__(self, server, hook):
        self.target, self.hook = server, hook

    def __enter__(self):
        relay = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """There and back."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if relay.hook(self.path, body) == "drop":
                    self.close_connection = True
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower().startswith("x-clickhouse")}
                try:
                    answer = urllib.request.urlopen(urllib.request.Request(relay.target.url + self.path[1:], data=body, headers=headers), timeout=120)
                    status, text = answer.status, answer.read()
                except urllib.error.HTTPError as error:
                    status, text = error.code, error.read()
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True  # whoever asked is gone

            def log_message(self, *_):
                """Nothing."""

        self.server = ThreadingHTTPServer((HOST, 0), Handler)
        self.url = f"http://{HOST}:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
