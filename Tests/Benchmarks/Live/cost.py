"""CPU per fix of programs that read the same reports from a socket."""

import os
import socket
import statistics
import subprocess
import time

from stream import ANSWER, GREETING


def serve(lines, pace, listener):
    """Acts as a gpsd for one client: sends all lines at once, or `pace` of them a second."""
    connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(GREETING)
        connection.settimeout(60)
        request = b""
        # python3-gps leaves out the semicolon.
        while b"?WATCH={" not in request or b"}" not in request:
            piece = connection.recv(4096)
            assert piece, "the client left before it watched"
            request += piece
        connection.sendall(ANSWER)
        if pace is None:
            connection.sendall(b"".join(lines))
        else:
            begin = time.monotonic()
            for place, line in enumerate(lines):
                wait = begin + place / pace - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                connection.sendall(line)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(4096):
            pass


def run(client, lines, pace):
    """CPU seconds of one run of a client; `client.command` builds its command line from the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener, \
            open(client.folder / "messages", "w+") as messages:
        listener.settimeout(30)
        command = client.command(listener.getsockname()[1])
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=messages)
        serve(lines, pace, listener)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        messages.seek(0)
        told = messages.read()
    assert f"{len(lines)} fixes" in told, f"{client.name} did not report every fix:\n{told}"
    return usage.ru_utime + usage.ru_stime


def measure(clients, lines, pace=None, rounds=5):
    """Median CPU seconds by client; the runs of a round follow one another."""
    costs = {client.name: [] for client in clients}
    for _ in range(rounds):
        for client in clients:
            client.clean()
            costs[client.name].append(run(client, lines, pace))
    return {name: statistics.median(seconds) for name, seconds in costs.items()}
