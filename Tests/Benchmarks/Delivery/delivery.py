#!/usr/bin/env python3
"""The cost of delivery: latency, stored events a second, memory; see Docs/Performance.md.

    delivery.py PROGRAM [--write] [--quick] [--only latency,store,memory]
"""

import argparse
import http.server
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import document  # noqa: E402
from document import put, table  # noqa: E402

START = 1_741_593_600
LIMIT = 120


def fix(device, second, latitude=0.0):
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + second))
    return (f'{{"type":"fix","device":"{device}","time":"{stamp}","latitude":{10 + latitude:.7f},'
            '"longitude":20,"accuracy":5}\n')


class Webhook:
    """A local server that acknowledges everything, and notes when each device's event came."""

    def __init__(self):
        self.seen = {}
        seen = self.seen

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(204)
                self.end_headers()
                seen.setdefault(device_of(body), time.perf_counter())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def device_of(body):
    return body.split(b'"device":"', 1)[1].split(b'"', 1)[0].decode()


class Broker:
    """A mosquitto on a free port, and a subscriber that notes when each device's event came."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", config],
                                       stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert time.monotonic() < end, "mosquitto does not listen"
                time.sleep(0.01)
        self.seen = {}
        self.reader = subprocess.Popen(
            ["mosquitto_sub", "-p", str(self.port), "-t", "waymark/+/event", "-q", "1"],
            stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()
        # The subscription is there when a message of ours comes back.
        while "ready" not in self.seen:
            assert time.monotonic() < end, "no subscription"
            subprocess.run(["mosquitto_pub", "-p", str(self.port), "-t", "waymark/x/event", "-m",
                            '{"device":"ready"}'], check=True)
            time.sleep(0.05)

    def read(self):
        for line in self.reader.stdout:
            self.seen.setdefault(device_of(line), time.perf_counter())

    def close(self):
        self.reader.kill()
        self.broker.kill()


def latency(program, folder, receiver, seen, rate, count):
    """Milliseconds from a fix on standard input to its event at the receiver: median, 99th percentile.

    Each fix is the first of its device, inside of the fence, so it is decided at once."""
    config = folder / "latency.yaml"
    store = folder / f"{receiver.split(':')[0]}-{rate}.gpkg"
    config.write_text(f"fences: [{{id: gate, center: [10, 20], radius: 100, initial: state}}]\n"
                      f"visits: false\nsignificant-changes: false\nstore: {store}\n"
                      f"deliver: [{{name: bench, {receiver}, only: state}}]\n")
    run = subprocess.Popen([program, "pipe", "--config", config, "--deliver", "--threads", "1"],
                           stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    sent = {}
    # The first connections are not counted.
    for number in range(-5, count):
        device = f"d{number}-{rate}"
        due = time.perf_counter() + (0.2 if number < 0 else 0)
        if number >= 0:
            due = start + number / rate
        elif number == -1:
            start = time.perf_counter() + 0.5
        time.sleep(max(0, due - time.perf_counter()))
        sent[device] = time.perf_counter()
        run.stdin.write(fix(device, number + 10).encode())
        run.stdin.flush()
    run.stdin.close()
    assert run.wait(LIMIT) == 0, "pipe failed"
    end = time.monotonic() + LIMIT
    while any(device not in seen for device in sent):
        assert time.monotonic() < end, "events are missing"
        time.sleep(0.01)
    times = sorted((seen[device] - sent[device]) * 1000
                   for number, device in enumerate(sent) if number >= 5)
    return statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]


def latencies(program, folder, quick):
    webhook, broker = Webhook(), Broker(folder)
    rows = []
    try:
        for name, receiver, seen in [
            ("webhook", f"webhook: '{webhook.url}'", webhook.seen),
            ("mosquitto, MQTT 5, QoS 1", f"mqtt: 'mqtt://127.0.0.1:{broker.port}'", broker.seen),
        ]:
            for rate, count in [(1, 10 if quick else 60), (100, 300 if quick else 3000)]:
                middle, high = latency(program, folder, receiver, seen, rate, count)
                rows.append([name, f"{rate}/s", f"{count:,}", f"{middle:.1f} ms",
                             f"{high:.1f} ms"])
    finally:
        broker.close()
    return table(["a fix on standard input to its event at the receiver", "rate", "events",
                  "median", "99th percentile"], rows)


def fastest(command, prepare):
    """Seconds of the fastest of five runs: the others were disturbed by other programs."""
    seconds = []
    for _ in range(5):
        prepare()
        start = time.perf_counter()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def stored(program, folder, quick):
    """Events a second of `replay --store`, a device that goes to and fro: every fifth fix is a
    significant change."""
    count = 20_000 if quick else 120_000
    track, store = folder / "in-out.ndjson", folder / "in-out.gpkg"
    with track.open("w") as file:
        for number in range(count):
            file.write(fix("van", 60 * number, 0.0 if number % 2 else 0.01))
    options = [program, "replay", track, "--fence", "gate=10,20,100", "--include", "enter",
               "--include", "exit", "--output", folder / "events", "--format", "jsonl"]
    plain = fastest(options, lambda: None)
    kept = fastest([*options, "--store", store], lambda: store.unlink(missing_ok=True))
    rows = int(subprocess.run(["sqlite3", store, "SELECT count(*) FROM events"],
                              capture_output=True, text=True, check=True).stdout)
    rate = rows / kept
    return table(
        [f"`replay` of {count:,} fixes, {rows:,} stored events", "fastest of five", "events/s", "target 20,000"],
        [["without a store", f"{plain:.2f} s", "", ""],
         ["with a store", f"{kept:.2f} s", f"{rate:,.0f}", "met" if rate >= 20_000 else "missed"]])


def memory(program, folder, quick):
    """The peak of `watch` with three receivers, fed by `feed`."""
    seconds = 3_600 if quick else 86_400
    track = folder / "drive.ndjson"
    with track.open("w") as file:
        for second in range(seconds):
            phase = second % 600
            offset = (phase if phase < 300 else 600 - phase) / 300 - 0.5
            file.write(fix("van", second, offset * 0.02))
    webhook, broker = Webhook(), Broker(folder)
    config = folder / "watch.yaml"
    config.write_text(f"""device: van
fences: [{{id: gate, center: [10, 20], radius: 150}}]
store: {folder / 'watch.gpkg'}
deliver:
  - {{name: hook, webhook: '{webhook.url}'}}
  - {{name: broker, mqtt: 'mqtt://127.0.0.1:{broker.port}',
     dialects: [waymark, owntracks, home-assistant]}}
  - {{name: program, command: ["true"]}}
""")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    feed = subprocess.Popen([program, "feed", track, "--speed", "max", "--listen", f"localhost:{port}"],
                            stderr=subprocess.DEVNULL)
    watch = subprocess.Popen([program, "watch", f"gpsd://localhost:{port}", "--config", config,
                              "--output", folder / "watched", "--format", "jsonl"],
                             stderr=subprocess.DEVNULL)
    try:
        feed.wait(LIMIT)
        end = time.monotonic() + LIMIT
        while True:
            waiting = subprocess.run([program, "outbox", folder / "watch.gpkg"],
                                     capture_output=True, text=True).stdout
            if waiting.count("nothing waits") == 3:
                break
            assert time.monotonic() < end, waiting
            time.sleep(0.2)
        status = pathlib.Path(f"/proc/{watch.pid}/status").read_text()
        peak, own = (int(status.split(f"{name}:")[1].split()[0]) / 1024
                     for name in ("VmHWM", "RssAnon"))
    finally:
        watch.terminate()
        watch.wait(LIMIT)
        feed.kill()
        broker.close()
    events = sum(1 for _ in (folder / "watched").open())
    return table(
        [f"`watch`, {seconds:,} fixes at full speed, {events:,} events to each receiver",
         "peak of the resident set", "target 40 MB", "of it private, at the end"],
        [["store, webhook, MQTT in three dialects, command", f"{peak:.1f} MiB",
          "met" if peak * 1.048576 < 40 else "missed", f"{own:.1f} MiB"]])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--only", default="latency,store,memory")
    chosen = options.parse_args()
    program = chosen.program.resolve()
    made = {"latency": latencies, "store": stored, "memory": memory}
    tables = [("machine", document.machine)]
    with tempfile.TemporaryDirectory() as folder:
        for name, make in made.items():
            if name in chosen.only.split(","):
                tables.append((name, lambda make=make: make(program, pathlib.Path(folder),
                                                            chosen.quick)))
        for name, make in tables:
            text = make()
            print(text, end="\n\n", flush=True)
            if chosen.write:
                put(f"delivery-{name}", text)


main()
