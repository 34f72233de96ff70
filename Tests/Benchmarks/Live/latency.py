"""Latency of an epoch from sendto(2) to a real gpsd until the line of its fix."""

import contextlib
import datetime
import os
import select
import shutil
import socket
import statistics
import subprocess
import time

from stream import FENCES, epochs

# Until gpsd knows the end of a cycle it reports without a time.
WARM_UP = 5


@contextlib.contextmanager
def gpsd():
    """A gpsd with a UDP source; returns its port and the source's."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        source = probe.getsockname()[1]
    program = shutil.which("gpsd") or "/usr/sbin/gpsd"
    command = [program, "-N", "-n", "-S", str(port), f"udp://127.0.0.1:{source}"]
    if os.getuid() == 0:
        # As root it would change to a user that cannot remove its shared memory.
        command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command
    key = hex(0x47700000 + port)
    daemon = subprocess.Popen(
        command, env={**os.environ, "GPSD_SHM_KEY": key}, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert daemon.poll() is None, "gpsd has ended"
                time.sleep(0.003)
        yield port, source
    finally:
        daemon.terminate()
        daemon.wait()


@contextlib.contextmanager
def watching(program, port):
    """Returns the descriptor of the fixes, as lines with their time, when it listens."""
    child = subprocess.Popen(
        [program, "watch", f"gpsd://127.0.0.1:{port}", "--format", "jsonl", "--include", "fix",
         *FENCES], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        for line in child.stderr:
            if b"connected to" in line:
                break
        yield child.stdout.fileno()
    finally:
        child.terminate()
        child.communicate()


@contextlib.contextmanager
def listening(_, port):
    """The same with a bare socket: gpsd's share."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b'?WATCH={"enable":true,"json":true};\n')
        told = b""
        while b'"class":"WATCH"' not in told:
            told += connection.recv(4096)
        yield connection.fileno()


def measure(reader, program, rate, count):
    """Milliseconds of every epoch: median, 99th percentile, numbers of lines and epochs."""
    start = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    drive = list(epochs(count + WARM_UP, rate, start))
    sent, delays, rest = {}, [], b""
    with gpsd() as (port, source), reader(program, port) as descriptor, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as feed:
        begin = time.monotonic()
        for place in range(len(drive) + 1):
            due = begin + place / rate
            if place == len(drive):
                due += 0.5
            while (wait := due - time.monotonic()) > 0:
                if not select.select([descriptor], [], [], wait)[0]:
                    continue
                piece = os.read(descriptor, 1 << 16)
                arrived = time.monotonic()
                assert piece, "it has ended"
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    moment = line.partition(b'"time":"')[2].partition(b'"')[0].decode()
                    if (departed := sent.pop(moment, None)) is not None:
                        delays.append(1000 * (arrived - departed))
            if place < len(drive):
                moment, datagram = drive[place]
                if place >= WARM_UP:
                    sent[moment] = time.monotonic()
                feed.sendto(datagram, ("127.0.0.1", source))
    delays.sort()
    worst = delays[min(len(delays) - 1, int(0.99 * len(delays)))]
    return statistics.median(delays), worst, len(delays), count
