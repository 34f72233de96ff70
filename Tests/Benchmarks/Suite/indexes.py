"""The other programs that match fixes."""

import contextlib
import subprocess
import time

from runs import PEERS, WORK, build, install, program, python, run


class Peer:
    """A program that prints `fixes`, `hits`, `build` and `match`, and its greatest input."""

    def __init__(self, name, command, most_fixes=1_000_000, most_fences=1_000_000):
        self.name, self.command = name, command
        self.most_fixes, self.most_fences = most_fixes, most_fences

    def report(self, fences, fixes, most):
        return run([*self.command, fences, fixes, min(most, self.most_fixes)]).report


class Redis(Peer):
    """Each run starts its server, on its own socket."""

    def report(self, fences, fixes, most):
        with redis_server() as socket:
            return run([*self.command, fences, fixes, min(most, self.most_fixes), socket]).report


@contextlib.contextmanager
def redis_server():
    socket = WORK / "redis.sock"
    server = subprocess.Popen(
        [program("redis-server"), "--port", "0", "--unixsocket", socket, "--save", "",
         "--appendonly", "no", "--dir", WORK], stdout=subprocess.DEVNULL)
    try:
        while not socket.exists():
            assert server.poll() is None, "redis-server has ended"
            time.sleep(0.01)
        yield socket
    finally:
        server.terminate()
        server.wait()
        socket.unlink(missing_ok=True)


def peers(is_quick):
    """The available programs, and the names of the missing ones."""
    # What builds a million slowly is spared that when time is short.
    slow = 100_000 if is_quick else 1_000_000
    shapely = python("shapely>=2", "numpy")
    candidates = [
        Peer("Boost R-tree", built("boost", "libboost-dev")),
        Peer("nanoflann", built("nanoflann", "libnanoflann-dev")),
        Peer("S2CellIndex", built("s2", "libs2-dev", "-ls2", "-labsl_base"), most_fences=slow),
        Peer("SQLite R\\*Tree", built("sqlite", "libsqlite3-dev", "-lsqlite3"), 50_000, slow),
        Peer("shapely STRtree", shapely and [shapely, PEERS / "Matching/strtree.py"], 100_000,
             slow),
        Redis("Redis GEO, the server alone",
              install("redis-server") and built("redis", "libhiredis-dev", "-lhiredis"), 20_000,
              slow),
    ]
    found = [peer for peer in candidates if peer.command]
    return found, [peer.name for peer in candidates if not peer.command]


def built(name, package, *flags):
    """The command of a program; nil when it cannot be built."""
    program = build(name, f"Matching/{name}.cpp", *flags, packages=[package])
    return program and [program]
