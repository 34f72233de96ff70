"""webhook-peer.py LOG [--certificate PEM] [--seed N]: a web server on this machine that behaves badly.

It prints its port, and ends when its standard input does. The path of a request says what happens:

/ok                200
/status/N          status N; with ?retry-after=TEXT that header, with ?date=TEXT that one
/echo/N            status N; the body repeats the path and the headers of the request
/complaint/N       status N; the body is two lines of text, long and with control characters
/redirect?to=URL   302 to another address
/huge              200 and 10 MB
/truncated         200 and half of the body that it declares
/silent            nothing at all
/silent-body       200 and nothing of the body that it declares
/drip              200 and a byte of the head every tenth of a second, without an end
/flaky?rate=0.2    a share of the requests fails, by the seed: status 500 or 503, a closed connection
                   without an answer, or one after the event was accepted

LOG gets a line of JSON for each request: path, headers (names in small letters), body (base64), and
whether the peer accepted the event.
"""

import argparse
import base64
import http.server
import json
import random
import ssl
import sys
import threading
import urllib.parse


class Peer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urllib.parse.urlsplit(self.path)
        self.query = {name: value[0] for name, value in urllib.parse.parse_qs(url.query).items()}
        kind, _, rest = url.path[1:].partition("/")
        getattr(self, "do_" + kind.replace("-", "_"))(rest)

    def do_ok(self, _):
        self.record(True)
        self.answer(200, b"ok")

    def do_status(self, status):
        self.record(status.startswith("2"))
        headers = {name: self.query[name] for name in ("retry-after", "date") if name in self.query}
        self.answer(int(status), b"", headers)

    def do_echo(self, status):
        self.record(False)
        self.answer(int(status), (self.path + "\n" + str(self.headers)).encode())

    def do_complaint(self, status):
        self.record(False)
        self.answer(int(status), ("no\r\n\x1b[31mway " + "\u00e9" * 300).encode())

    def do_redirect(self, _):
        self.record(False)
        self.answer(302, b"", {"Location": self.query["to"]})

    def do_huge(self, _):
        self.record(False)
        self.answer(200, b"x" * 10_000_000)

    def do_truncated(self, _):
        self.record(False)
        self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 500)
        self.close_connection = True

    def do_silent(self, _):
        self.record(False)
        self.wait_for_end()

    def do_silent_body(self, _):
        self.record(False)
        self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        self.wait_for_end()

    def do_drip(self, _):
        self.record(False)
        self.send(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        self.connection.settimeout(0.1)
        while True:
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                self.send(b"x")
        self.close_connection = True

    def do_flaky(self, _):
        with self.server.lock:
            fails = self.server.random.random() < float(self.query["rate"])
            way = self.server.random.randrange(4)
        self.record(not fails or way == 0)
        if not fails:
            self.answer(200, b"")
        elif way == 1:
            self.answer(500, b"failed on purpose")
        elif way == 2:
            self.answer(503, b"", {"Retry-After": "0"})
        else:
            self.close_connection = True

    def wait_for_end(self):
        """Until the client hangs up."""
        while self.connection.recv(1):
            pass
        self.close_connection = True

    def send(self, data):
        self.wfile.write(data)

    def answer(self, status, body, headers={}):
        head = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        try:
            self.send(("\r\n".join(head) + "\r\n\r\n").encode() + body)
        except OSError:
            # The client has read enough.
            self.close_connection = True

    def record(self, is_accepted):
        line = json.dumps({
            "path": self.path,
            "headers": {
                # http.server reads headers as Latin-1; here they are UTF-8.
                name.lower(): value.encode("latin-1").decode() for name, value in self.headers.items()
            },
            "body": base64.b64encode(self.body).decode(),
            "accepted": is_accepted,
        })
        with self.server.lock:
            self.server.log.write(line + "\n")
            self.server.log.flush()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        # A client that hangs up, or refuses the certificate.
        pass


parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("--certificate", help="a PEM file with a certificate and its key")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
server = Server(("127.0.0.1", 0), Peer)
if options.certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate)
    # Without the handshake on accept, one client cannot keep the others waiting.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
server.log = open(options.log, "a")
server.lock = threading.Lock()
server.random = random.Random(options.seed)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
