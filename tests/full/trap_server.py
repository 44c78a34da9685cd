"""An HTTPS server on a free port of 127.0.0.1 that plays pages for browsers: ones that scripts fill, and ones that try what they
must not. Beside it, listeners that nobody may ever reach."""

import http.server
import json
import socket
import ssl
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "market"))
from tls import server_context  # noqa: E402

HOSTS = ("shop.example", "api.example", "gone.example")
OFFERS = [("RTX 4090 容器云", "1074"), ("RTX 5090 容器云", "1890.50"), ("昇腾 910B 容器云", "2138.4")]
ROBOTS = "User-agent: *\nDisallow: /private/\n"
LARGE_ROWS = 8000

FIRST = '[{"name":"RTX 4090","month":1}]'  # what https://api.example/first answers
TABLE_SCRIPT = """
function show(list) {
  let rows = list.map(o => `<tr><td>${o.name}</td><td>¥${o.month}/月</td></tr>`).join('');
  document.getElementById('app').innerHTML = '<table><thead><tr><th>产品</th><th>价格</th></tr></thead>' + rows + '</table>';
}
const builtin = %s;
""" % json.dumps([{"name": name, "month": month} for name, month in OFFERS], ensure_ascii=False)


def shell(script, head="", body=""):
    """A page that is empty until its script has run."""
    return (f"<!doctype html><html lang=zh-CN><head><meta charset=utf-8><title>算力价格</title>{head}"
            f"<script src=/table.js></script></head><body>{body}<div id=app></div><script>{script}</script></body></html>")


def numbers():
    """The offers as JSON, prices with exactly their digits."""
    return "[" + ",".join('{"name":%s,"month":%s}' % (json.dumps(n, ensure_ascii=False), m) for n, m in OFFERS) + "]"


class Traps:
    """The pages by path; `forbidden` is the port of a listener that must stay alone, `udp` that of one for datagrams."""

    def __init__(self, forbidden, udp):
        quiet = "catch(e=>0)"
        ws = f"new WebSocket('ws://127.0.0.1:{forbidden}/');new WebSocket('wss://shop.example/ws');new WebSocket('wss://127.0.0.1:{forbidden}/');"
        self.scripts = {
            "/script": "fetch('/api/prices').then(r=>r.json()).then(show)",
            "/late": "setTimeout(()=>fetch('/api/prices').then(r=>r.json()).then(show), 2500)",
            "/cookie": "document.cookie='k=v1; path=/; secure'; fetch('/api/cookie').then(r=>r.json()).then(show)",
            "/cross": "fetch('https://api.example/prices',{method:'POST',headers:{'Content-Type':'application/json','X-Page':'1'},"
                      "body:JSON.stringify({page:1})}).then(r=>r.json()).then(show)",
            "/refused-cross": f"fetch('https://api.example/closed').then(r=>r.json()).then(show).{quiet}",
            "/worker": "const w=new Worker('/worker.js'); w.onmessage=e=>show(e.data)",
            "/loopback": f"show(builtin); for (const h of ['127.0.0.1','localhost','[::1]','0.0.0.0','127.1','2130706433','shop.example'])"
                         f" for (const s of ['http','https']) fetch(`${{s}}://${{h}}:{forbidden}/x`,{{mode:'no-cors'}}).{quiet};"
                         f"new Image().src='http://127.0.0.1:{forbidden}/i.png'; navigator.sendBeacon('http://127.0.0.1:{forbidden}/b','x');",
            "/loopback-only": f"fetch('http://127.0.0.1:{forbidden}/prices').then(r=>r.json()).then(show).{quiet}",
            "/private": "show(builtin); for (const h of ['10.0.0.1','192.168.1.1','169.254.169.254','172.16.0.1','100.64.0.1','[fd00::1]'])"
                        f" fetch(`http://${{h}}/latest`,{{mode:'no-cors'}}).{quiet}",
            "/file": "show(builtin); const f=document.createElement('iframe'); f.src='file:///etc/passwd'; document.body.append(f);"
                     f"fetch('file:///etc/passwd').then(r=>r.text()).then(t=>document.title=t).{quiet};"
                     "setTimeout(()=>{location.href='file:///etc/passwd'},100)",
            "/endless": "show(builtin); while(true){}",
            "/endless-later": "show(builtin); setTimeout(()=>{while(true){}},1200)",
            "/memory": "const all=[]; setInterval(()=>{const a=new Uint8Array(32<<20); for(let i=0;i<a.length;i+=512)a[i]=i; all.push(a)},20);",
            "/heap": "const all=[]; for(;;) all.push(new Array(100000).fill(Math.random()).map(x=>({x})))",
            "/busy": "show(builtin); setInterval(()=>fetch('/api/prices?'+Math.random()),150)",
            "/dialogs": "alert('a'); confirm('b'); prompt('c'); window.onbeforeunload=()=>'d'; show(builtin)",
            "/popups": "for(let i=0;i<20;i++) window.open('https://shop.example/script?'+i); show(builtin)",
            "/download": "show(builtin); const a=document.createElement('a'); a.href='/file.bin'; a.download='x'; document.body.append(a); a.click();",
            "/service": "navigator.serviceWorker.register('/sw.js').catch(e=>0).then(()=>show(builtin))",
            "/sockets": f"{ws}show(builtin)",
            "/events": "new EventSource('/events.stream'); show(builtin)",
            "/rtc": f"const c=new RTCPeerConnection({{iceServers:[{{urls:'stun:127.0.0.1:{udp}'}},{{urls:'turn:127.0.0.1:{forbidden}?transport=tcp',"
                    "username:'a',credential:'b'}]});c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o));"
                    "setTimeout(()=>show(builtin),1500)",
            "/wander": "location.href='/wander?'+Math.random()",
            "/robots": "fetch('/private/prices').then(r=>r.json()).then(show).catch(e=>0)",
            "/surrogate": "show(builtin); document.body.append(String.fromCharCode(0xD83D)+' '+String.fromCharCode(0)+' end')",
            "/large": f"show(Array({LARGE_ROWS}).fill(builtin[0]))",
            "/broken-api": "show(builtin); fetch('/api/prices').then(r=>fetch('/api/broken'))",
            "/two-api": "fetch('/api/slow').catch(e=>0); fetch('/api/prices?second')",
            "/two-hosts": "fetch('https://api.example/first'); fetch('/api/prices')",
            "/images": "show(builtin); for(let i=0;i<30;i++) new Image().src='/i'+i+'.png'",
            "/many": "show(builtin); for(let i=0;i<400;i++) fetch('/api/prices?'+i)",
        }
        self.heads = {"/images": "<link rel=stylesheet href=/style.css><link rel=preload as=font href=/f.woff2 crossorigin>"}

    def page(self, path):
        """The page of a path, or None."""
        script = self.scripts.get(path)
        return shell(script, self.heads.get(path, "")) if script is not None else None


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = 20
    # Head and body leave in one piece: two small writes would wait for each other's acknowledgement.
    wbufsize = 64 * 1024

    def setup(self):
        self.request.settimeout(20)
        self.request = self.server.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def log_message(self, *_arguments):
        """Nothing on the terminal."""

    def send(self, status, text, kind="text/html; charset=utf-8", **fields):
        """One answer."""
        body = text if isinstance(text, bytes) else text.encode()
        self.send_response_only(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def api(self, path):
        """What scripts load."""
        cross = {"Access_Control_Allow_Origin": "https://shop.example"}
        kind = "application/json"
        if path == "/api/slow":
            time.sleep(1)
        if path in ("/api/prices", "/api/slow", "/private/prices", "/prices"):
            self.send(200, numbers(), kind, **cross)
        elif path == "/first":
            self.send(200, FIRST, kind, **cross)
        elif path == "/closed":
            self.send(200, numbers(), kind)
        elif path == "/api/cookie":
            has = "k=v1" in (self.headers.get("Cookie") or "")
            self.send(200 if has else 403, numbers() if has else "{}", kind)
        elif path == "/api/broken":
            self.send(500, "{}", kind)
        else:
            return False
        return True

    def respond(self):
        """Answers one request."""
        host, path = (self.headers.get("Host") or "").split(":")[0], self.path.split("?")[0]
        self.server.note(f"{host} {self.command} {self.path}")
        if int(self.headers.get("Content-Length") or 0):
            self.rfile.read(int(self.headers["Content-Length"]))
        page = self.server.traps.page(path)
        forbidden = self.server.forbidden_port
        if path == "/robots.txt":
            self.send(200, ROBOTS, "text/plain")
        elif page:
            self.send(200, page)
        elif path == "/table.js":
            self.send(200, TABLE_SCRIPT, "text/javascript; charset=utf-8")
        elif path == "/worker.js":
            self.send(200, "fetch('/api/prices').then(r=>r.json()).then(l=>postMessage(l))", "text/javascript")
        elif path == "/sw.js":
            self.send(200, "self.addEventListener('fetch',e=>0)", "text/javascript")
        elif path == "/to-loopback":
            self.send(302, "", Location=f"http://127.0.0.1:{forbidden}/page")
        elif path == "/to-file":
            self.send(302, "", Location="file:///etc/passwd")
        elif path == "/to-script":
            self.send(302, "", Location="/script")
        elif path == "/circle":
            self.send(302, "", Location="/circle")
        elif path == "/teapot":
            self.send(404, "<html><body>not here</body></html>")
        elif path == "/file.bin":
            self.send(200, b"\0" * 5000, "application/octet-stream", Content_Disposition="attachment; filename=x.bin")
        elif not self.api(path):
            self.send(404, "no")

    do_GET = do_POST = do_OPTIONS = do_HEAD = respond


class Listener(threading.Thread):
    """A TCP or UDP port that counts who comes."""

    def __init__(self, kind=socket.SOCK_STREAM):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, kind)
        self.socket.bind(("0.0.0.0", 0))
        self.kind = kind
        self.port = self.socket.getsockname()[1]
        self.count = 0
        if kind == socket.SOCK_STREAM:
            self.socket.listen(16)

    def run(self):
        while True:
            if self.kind == socket.SOCK_STREAM:
                self.socket.accept()[0].close()
            else:
                self.socket.recvfrom(100)
            self.count += 1


class Server(http.server.ThreadingHTTPServer):
    """The pages, what was asked of them, and the two listeners."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.forbidden, self.udp = Listener(), Listener(socket.SOCK_DGRAM)
        self.forbidden_port = self.forbidden.port
        self.traps = Traps(self.forbidden.port, self.udp.port)
        self.context = server_context(folder, HOSTS)
        self.lines, self.lock = [], threading.Lock()
        for thread in (self.forbidden, self.udp, threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)):
            thread.start()

    def note(self, line):
        """One line of the access log."""
        with self.lock:
            self.lines.append(line)

    def handle_error(self, _request, _address):
        """Clients that hang up are no news."""
        if not issubclass(sys.exc_info()[0], (ConnectionError, ssl.SSLError, TimeoutError, OSError)):
            super().handle_error(_request, _address)
