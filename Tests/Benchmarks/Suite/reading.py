"""A track to fixes, with every check, beside other readers of each format."""

import os
import pathlib
import statistics
import subprocess

import tracks
from document import table
from runs import (BIN, PEERS, WORK, build, by_turns, install, is_fresh, median_ratio, program,
                  python, run)
from targets import Target

OURS = "our reader"
TARGETS = {"quick-xml": 1.4, "libxml2 SAX2": 2, "expat": 4, "gpsbabel to unicsv": 20, "gpxpy": 80}
MEMORY_TARGET = 16


def quick_xml():
    """Debian's quick-xml for Rust, with any installed cargo; nil without one."""
    packages = ["librust-quick-xml-dev"] + ([] if program("cargo") else ["cargo"])
    if not install(*packages):
        return None
    source = PEERS / "quick-xml"
    subprocess.run(
        [program("cargo"), "build", "--quiet", "--release", "--offline", "--config",
         source / "config.toml", "--manifest-path", source / "Cargo.toml"], check=True,
        env={**os.environ, "CARGO_TARGET_DIR": WORK / "quick-xml",
             "RUSTFLAGS": "-C target-cpu=native"})
    return WORK / "quick-xml/release/quick-xml-peer"


def xml_peers():
    """Readers that print the sums of what they read, by name; nil for those that are missing."""
    with_headers = ["-I/usr/include/libxml2", "-lxml2"]
    return {
        "quick-xml": quick_xml(),
        "libxml2 SAX2": build("libxml2", "libxml2.c", *with_headers, packages=["libxml2-dev"]),
        "expat": build("expat", "expat.c", "-lexpat", packages=["libexpat1-dev"]),
    }


def make(name, points):
    """A track in a format, kept from run to run."""
    file = WORK / f"track-{points}.{name}"
    if not is_fresh(file, *map(pathlib.Path, (tracks.__file__, tracks.stream.__file__))):
        tracks.write(name, points, file)
    return file


def reader(command, file):
    return lambda: run([*command, file])


class Reading:
    """Programs that read one file, taking turns."""

    def __init__(self, file, points, programs, rounds):
        self.size, self.points = file.stat().st_size, points
        self.costs = by_turns({name: reader(command, file) for name, command in programs.items()},
                              rounds)
        read = {name: told(costs[0]) for name, costs in self.costs.items()}
        counts = {count for count, _ in read.values()}
        sums = {sums for _, sums in read.values() if sums}
        assert len(counts) == len(sums) == 1, f"the readers disagree: {read}"

    def seconds(self, name):
        return [cost.cpu for cost in self.costs[name]]

    def row(self, name):
        cpu = statistics.median(self.seconds(name))
        ratio = median_ratio(self.seconds(name), self.seconds(OURS))
        return [name, f"{self.size / 1e6:,.0f} MB", f"{cpu:.2f} s", f"{self.size / cpu / 1e6:,.0f}",
                f"{self.points / cpu:,.0f}", f"{self.memory(name):.1f} MB", f"{ratio:.2f}"]

    def memory(self, name):
        return max(cost.memory for cost in self.costs[name]) * 1024 / 1e6


def told(cost):
    """Points and, where printed, sums, without the issues that only ours counts."""
    words = cost.output.split()
    return words[0], tuple(words[words.index("sums") + 1:]) if "sums" in words else ()


HEAD = ["", "file", "CPU", "MB/s", "points/s", "peak memory", "times ours"]


def measure(is_quick):
    points, few, rounds = (100_000, 30_000, 3) if is_quick else (1_000_000, 100_000, 5)
    ours = {OURS: (BIN / "read-bench",)}
    xml = xml_peers()
    fast = {name: (command,) for name, command in xml.items() if command}
    slow, missing = slow_peers()
    missing += [name for name, command in xml.items() if not command]
    full = Reading(make("gpx", points), points, ours | fast, rounds)
    long = Reading(make("gpx-long", points), points, ours | fast, rounds)
    short = Reading(make("gpx", few), few, ours | slow, 3)
    interpreter = python("ijson")
    ijson = {"ijson": (interpreter, PEERS / "ijson_read.py", "records")} if interpreter else {}
    json = Reading(make("records", points), points, ours | ijson, 3)
    rows = [full.row(name) for name in full.costs]
    rows += [short.row(name) for name in short.costs if name != OURS]
    rows += [[name, "not installed", "", "", "", "", ""] for name in missing]
    fit = Reading(make("fit", few), few, ours | fit_peers(), 3)
    others = {name: beside(name, few, ours) for name in FORMAT_PEERS}
    formats = [Reading(make(name, points), points, {OURS: ours[OURS]}, 3).row(OURS)
               for name in ("nmea", "gpsd", "csv", "ndjson", "fit")]
    tables = {
        "bench-gpx": table([f"GPX with extensions, {points:,} points", *HEAD[1:]], rows),
        "bench-gpx-long": table(["coordinates with 25 decimals", *HEAD[1:]],
                                [long.row(name) for name in long.costs]),
        "bench-fit": table([f"FIT, {few:,} records", *HEAD[1:]],
                           [fit.row(name) for name in fit.costs]),
        "bench-json": table([f"Google's Records.json, {points:,} records", *HEAD[1:]],
                            [json.row(name) for name in json.costs]),
        "bench-peers": table(
            [f"{few:,} fixes", *HEAD],
            [[FORMAT_PEERS[name][0], *reading.row(program)]
             for name, reading in others.items() for program in reading.costs]),
        "bench-formats": table(
            [f"our reader, {points:,} fixes", *HEAD[1:-1]],
            [[label, *row[1:-1]] for label, row in zip(LABELS, formats)]),
    }
    return tables, list(targets(full, long, short, fit, others))


LABELS = ("NMEA 0183: GGA, GSA and RMC a fix",
          "gpsd log: a TPV and a SKY of 12 satellites a fix", "CSV", "NDJSON", "FIT")


# A common peer of each other format, with its arguments.
FORMAT_PEERS = {
    "tcx": ("TCX", "gpsbabel", "gtrnctr"), "kml": ("KML", "gpsbabel", "kml"),
    "igc": ("IGC", "gpsbabel", "igc"), "nmea": ("NMEA 0183", "gpsbabel", "nmea"),
    "csv": ("CSV", "ogr2ogr", "csv"), "geojson": ("GeoJSON", "ogr2ogr", "geojson"),
    "timeline": ("Google's Timeline.json", "ijson", "timeline"),
    "expo": ("JSON records of Expo", "ijson", "expo"),
}


def beside(name, points, ours):
    """Our reader and the peer of a format."""
    _, peer, form = FORMAT_PEERS[name]
    programs = dict(ours)
    if peer == "ijson":
        interpreter = python("ijson")
        if interpreter:
            programs[peer] = (interpreter, PEERS / "ijson_read.py", form)
    elif install({"gpsbabel": "gpsbabel", "ogr2ogr": "gdal-bin"}[peer]):
        programs[peer] = (PEERS / "lines.sh", peer, form)
    return Reading(make(name, points), points, programs, 5)


def slow_peers():
    """Readers that need minutes where others need seconds."""
    found, missing = {}, []
    if install("gpsbabel"):
        found["gpsbabel to unicsv"] = (PEERS / "lines.sh", "gpsbabel", "gpx")
    else:
        missing.append("gpsbabel")
    if install("gdal-bin"):
        found["GDAL, ogr2ogr to CSV"] = (PEERS / "lines.sh", "ogr2ogr", "gpx")
    else:
        missing.append("GDAL")
    interpreter = python("gpxpy")
    if interpreter:
        found["gpxpy"] = (interpreter, PEERS / "gpxpy_read.py")
    else:
        missing.append("gpxpy")
    return found, missing


def fit_peers():
    """Readers of FIT in Python, of which fitdecode is the maintained one."""
    interpreter = python("fitdecode==0.11.0", "fitparse==1.2.0")
    names = ["fitdecode", "fitparse"] if interpreter else []
    return {name: (interpreter, PEERS / "fit_read.py", name) for name in names}


def targets(full, long, short, fit, others):
    for name, target in TARGETS.items():
        for reading in (full, short):
            if name in reading.costs:
                ratio = median_ratio(reading.seconds(name), reading.seconds(OURS))
                yield Target(f"GPX to fixes: times {name}", target, ratio)
    for name in fit.costs:
        if name != OURS:
            ratio = median_ratio(fit.seconds(name), fit.seconds(OURS))
            yield Target(f"FIT to fixes: times {name}", 80, ratio)
    for name, reading in others.items():
        label, peer, _ = FORMAT_PEERS[name]
        if peer in reading.costs:
            ratio = median_ratio(reading.seconds(peer), reading.seconds(OURS))
            yield Target(f"{label} to fixes: times {peer}", 1, ratio)
    if "libxml2 SAX2" in long.costs:
        ratio = median_ratio(long.seconds("libxml2 SAX2"), long.seconds(OURS))
        yield Target("GPX with 25 decimals: times libxml2 SAX2", 1, ratio)
    yield Target("memory for GPX", MEMORY_TARGET, full.memory(OURS), " MB", is_most=True)
