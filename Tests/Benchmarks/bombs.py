#!/usr/bin/env python3
"""bombs.py WAYMARK [--write]: what inputs made to exhaust a program cost the shipped one.

Each input goes to `waymark info -` through a pipe, or to another command as a file. The script
prints the exit code, the time, the peak memory, the bytes taken, and the start of the message; with
--write it puts them into Docs/Limits.md. An input that is not rejected as expected, or takes more
than LIMIT, fails the run; times do not, because they depend on the machine.
"""
import copy
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib

MEGA = 1 << 20
OPENING = b'<gpx version="1.1"><trk><trkseg>'


def repeated(start, piece, total):
    """`start`, then `piece` repeated up to `total` bytes."""
    piece = piece * max(1, (256 << 10) // len(piece))
    yield start
    sent = len(start)
    while sent < total:
        yield piece
        sent += len(piece)


def laughs():
    entities = "".join(
        f'<!ENTITY a{n} "{("&a%d;" % (n - 1)) * 10}">' for n in range(1, 30))
    yield f'<!DOCTYPE gpx [<!ENTITY a0 "ha">{entities}]><gpx>&a29;</gpx>'.encode()


def quadratic():
    yield b'<!DOCTYPE gpx [<!ENTITY a "' + b"a" * 80_000 + b'">]><gpx>' + b"&a;" * 25_000


def external():
    yield (b'<!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
           b"<gpx><trk><name>&a;</name></trk></gpx>")


def packed(start, piece, pieces):
    """gzip of `start` and `pieces` times `piece`, as small as deflate makes it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    yield b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    yield packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(pieces):
        yield block


def config(text):
    return lambda folder: write(folder, "waymark.yaml", text)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def archive(name, chunks, copies=0):
    """A ZIP archive with one entry, and as many more in its directory that share its bytes."""
    def make(folder):
        path = os.path.join(folder, "track.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            with file.open(name, "w") as entry:
                for chunk in chunks():
                    entry.write(chunk)
            for number in range(copies):
                other = copy.copy(file.getinfo(name))
                other.filename = f"{number:0{len(name)}}"
                file.filelist.append(other)
        return path
    return make


def yaml_laughs(folder):
    ring = "[&p [0, 0], " + ", ".join(["*p"] * 5_000) + "]"
    holes = ", ".join(["*c"] * 5_000)
    return write(
        folder, "waymark.yaml", f"fences: [{{id: a, polygon: &c {ring}, holes: [{holes}]}}]\n")


def geojson(ring):
    points = ",".join(f"[{x:.6f},{y:.6f}]" for x, y in ring + ring[:1])
    text = ('{"type":"Polygon","coordinates":[[' + points + "]]}")
    return lambda folder: write(folder, "fences.geojson", text)


def rounds(count):
    """Vertices that go round the Earth at every second edge."""
    return [((n * 170 + 180) % 360 - 180, 10 + 60 * n / count) for n in range(count)]


def comb(count):
    """Edges over the whole map, one beside the other."""
    teeth = [((-80, 80)[n % 2], -60 + 110 * n / count) for n in range(count)]
    return teeth + [(85, 60), (85, -70), (-85, -70)]


# Name, chunks for standard input or a file, the command, the exit code, and part of the message.
PIPED = [
    ("entities in entities", laughs, 65, "a DOCTYPE with an internal subset"),
    ("one entity 25,000 times", quadratic, 65, "a DOCTYPE with an internal subset"),
    ("an entity that is a file", external, 65, "a DOCTYPE with an internal subset"),
    ("an attribute of 50 MB", lambda: repeated(b'<gpx a="', b"a", 50 * MEGA), 65,
     "a tag is longer than 64 KiB"),
    ("100,000 attributes",
     lambda: [b"<gpx " + b" ".join(b'a%d=""' % n for n in range(100_000)) + b">"], 65,
     "a tag has more than 64 attributes"),
    ("200,000 levels", lambda: repeated(b"<gpx>", b"<a>", 600_000), 65,
     "elements are nested deeper than 64"),
    ("a name of 50 MB", lambda: repeated(b"<gpx><trk><name>", b"a", 50 * MEGA), 65,
     "a text is longer than 64 KiB"),
    ("50 MB of text outside any field",
     lambda: repeated(OPENING, b"a", 50 * MEGA), 65, "the trace ends inside the document"),
    ("gzip of 10 GB of blanks", lambda: packed(OPENING, b" " * MEGA, 10_000), 65,
     "unpacks to more than 200 times its size"),
    ("gzip of 10 GB of no known format", lambda: packed(b"", b"\0" * MEGA, 10_000), 65,
     "the file is binary, of a format that is not known"),
    ("a JSON line of 50 MB", lambda: repeated(b'{"type":"fix","a":"', b"a", 50 * MEGA), 65,
     "a line longer than 64 KiB"),
    ("JSON 600,000 levels deep", lambda: repeated(b'{"type":"fix","a":', b"[", 600_000), 65,
     "a line longer than 64 KiB"),
    ("a quote of 50 MB in CSV",
     lambda: repeated(b"time,latitude,longitude\n\"", b"a", 50 * MEGA), 65, "found a quote"),
    ("a sentence of 50 MB",
     lambda: repeated(b"$GPGLL,,,,,,V,N*64\n$GPGGA,", b"1", 50 * MEGA), 65, "longer than"),
]
FILED = [
    ("a ZIP archive of 1 GB of blanks",
     archive("track.gpx", lambda: repeated(OPENING, b" ", 1_000 * MEGA)), "info", 65,
     "packed to less than 1/200 of the size"),
    ("a ZIP archive whose 20,000 files share their bytes",
     archive("track.gpx", lambda: repeated(OPENING, b" ", 8 * MEGA - MEGA), 20_000), "info", 65,
     "would unpack to more than 200 times its size"),
    ("gzip of 5 GB of blanks in a ZIP archive",
     archive("track.gz", lambda: packed(OPENING, b" " * MEGA, 5_000)), "info", 65,
     "unpacks to more than 200 times its size"),
    ("aliases of aliases in YAML", yaml_laughs, "check", 78, "aliases that expand"),
    ("YAML 100,000 levels deep", config("fences: " + "[" * 100_000), "check", 78, "nested"),
    ("600,000 empty fences in YAML", config("fences: [" + "{}," * 600_000 + "]"), "check", 78,
     "more than 1,000,000 values"),
    ("GeoJSON 100,000 levels deep",
     lambda folder: write(folder, "fences.geojson", '{"a":' + "[" * 100_000), "compile", 65,
     "nested deeper than 64"),
    ("a ring 5,000 times round the Earth", geojson(rounds(5_000)), "compile", 65, "too many"),
    ("a comb of 40,000 edges", geojson(comb(40_000)), "compile", 65, "too many"),
]


# The most memory that any input may take, MB, including the program itself.
LIMIT = 25


def run(command, chunks=()):
    """Runs a command; returns exit code, seconds, peak MB, bytes taken and standard error."""
    start = time.monotonic()
    # A child starts with the memory of its parent, and `time` has little.
    memory = tempfile.NamedTemporaryFile("r")
    process = subprocess.Popen(
        ["/usr/bin/time", "-q", "-o", memory.name, "-f", "%M", *command],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
    reader.start()
    taken = 0
    try:
        for chunk in chunks:
            view = memoryview(chunk)
            while view:
                count = os.write(process.stdin.fileno(), view)
                taken += count
                view = view[count:]
    except BrokenPipeError:
        pass
    process.stdin.close()
    code = process.wait()
    seconds = time.monotonic() - start
    reader.join()
    with memory:
        peak = int(memory.read().split()[-1]) * 1024 / 1e6
    return code, seconds, peak, taken, said[0].decode(errors="replace")


def main():
    waymark = os.path.abspath(sys.argv[1])
    empty = min(run([waymark, "info", "-"])[1:3] for _ in range(5))
    print(f"an empty file: {empty[0]:.3f} s, {empty[1]:.1f} MB; the figures below include this")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = [(name, [waymark, "info", "-"], list(make()), code, words)
                 for name, make, code, words in PIPED]
        for name, make, command, code, words in FILED:
            place = tempfile.mkdtemp(dir=folder)
            output = ["-o", os.path.join(place, "out.wmf")] if command == "compile" else []
            cases.append((name, [waymark, command, make(place)] + output, [], code, words))
        rows = ["| input | bytes taken | seconds | MB | message |", "| --- | --- | --- | --- | --- |"]
        for name, command, chunks, code, words in cases:
            found, seconds, peak, taken, said = run(command, chunks)
            isRight = found == code and words in said and peak < LIMIT
            wrong += not isRight
            first = re.sub(r"/\S*/", "", said.split("\n")[0])
            taken = taken or os.path.getsize(command[2])
            print(f"{name:36} {found:3}  {seconds:7.3f} s {peak:7.1f} MB"
                  f"  {taken:>11,} bytes  {'' if isRight else 'WRONG '}{first[:100]}")
            rows.append(f"| {name} | {taken:,} | {seconds:.2f} | {peak:.1f} | {words} |")
    if "--write" in sys.argv[2:]:
        put("Docs/Limits.md", "\n".join(rows))
    sys.exit(1 if wrong else 0)


def put(path, table):
    """Replaces the table between its marks."""
    with open(path) as file:
        before, rest = file.read().split("<!-- bombs -->\n")
    after = rest.split("<!-- bombs end -->")[1]
    with open(path, "w") as file:
        file.write(f"{before}<!-- bombs -->\n{table}\n<!-- bombs end -->{after}")


main()
