#!/usr/bin/env python3
"""The cost of a fix, counted by valgrind, which is independent of load; compared with counts.tsv.

    count.py [--write]

A path may cost at most 3 % more than in the file, and allocate no more. Each figure is the difference
of a long run and a short one, so start-up costs cancel out. valgrind emulates one processor, so the C
library takes the same code paths on all machines. It does not support AVX-512, so no counted program
may be built for the local processor.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Suite"))
import scored  # noqa: E402
import tracks  # noqa: E402
import worlds  # noqa: E402

BIN = HERE.parents[1] / ".build/release"
COUNTS = HERE / "counts.tsv"
TOLERANCE = 1.03
HEAD = ("path", "unit", "instructions", "allocations in 1,000")


class Path:
    """Something that is counted: a command by its size, and the two sizes."""

    def __init__(self, name, unit, short, long, command, units=1):
        self.name, self.unit, self.sizes = name, unit, (short, long)
        self.command, self.units = command, (long - short) * units

    def count(self, folder):
        """Instructions a unit, and allocations in 1,000."""
        instructions = [self.run(size, folder, "callgrind", r"Collected : (\d+)")
                        for size in self.sizes]
        allocations = [self.run(size, folder, "memcheck", r"total heap usage: ([\d,]+) allocs")
                       for size in self.sizes]
        return (round((instructions[1] - instructions[0]) / self.units),
                round((allocations[1] - allocations[0]) * 1000 / self.units))

    def run(self, size, folder, tool, pattern):
        options = {"callgrind": [f"--callgrind-out-file={folder}/{os.getpid()}-%p"],
                   "memcheck": ["--leak-check=no", "--undef-value-errors=no"]}
        done = subprocess.run(
            ["valgrind", f"--tool={tool}", *options[tool], *map(str, self.command(size))],
            capture_output=True, text=True,
            # Otherwise the order of keys in a dictionary differs between runs.
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
        found = re.search(pattern, done.stderr)
        if done.returncode or not found:
            sys.exit(f"count.py: {self.name} does not run under {tool}:\n{done.stderr[-2000:]}")
        return int(found[1].replace(",", ""))


class Lap(Path):
    """Laps of a world of engine-bench, which says how many fixes they were."""

    def __init__(self, world, folder):
        super().__init__(
            f"engine, {world.name}", "fix", 1, 1 + world.laps,
            lambda laps: [folder / "engine-bench", world.kind, world.size, laps])

    def count(self, folder):
        fixes = [json.loads(subprocess.run(
            list(map(str, self.command(laps))), capture_output=True, text=True,
            check=True).stdout)["fixes"] for laps in self.sizes]
        self.units = fixes[1] - fixes[0]
        return super().count(folder)


def paths(folder):
    """All that is counted, with its input."""
    for name in "engine-bench", "match-bench", "read-bench", "waymark":
        # valgrind cannot read the compiler's debug information.
        subprocess.run(["strip", "--strip-debug", BIN / name, "-o", folder / name], check=True)
    cities = folder / "cities"
    subprocess.run(["g++", "-O2", "-std=c++17", HERE / "Peers/Matching/cities.cpp", "-o", cities],
                   check=True)
    subprocess.run([cities, "fixes", "100", "400", folder / "fixes"], check=True)
    for fences in 1_000, 30_000:
        subprocess.run([cities, "fences", str(fences), folder / f"fences-{fences}"], check=True)
    for world in worlds.COUNTED:
        yield Lap(world, folder)
    for fences in 1_000, 30_000:
        yield Path(f"presence, {fences:,} fences", "fix", 20_000, 40_000,
                   lambda most, fences=fences: [folder / "match-bench", folder / f"fences-{fences}",
                                                folder / "fixes", 100, most])
    for name in tracks.FORMATS:
        for size in 3_000, 9_000:
            tracks.write(name, size, folder / f"{name}-{size}")
        yield Path(f"reading {name}", "fix", 3_000, 9_000,
                   lambda size, name=name: [folder / "read-bench", folder / f"{name}-{size}"])
    for name in "gpx", "csv":
        yield Path(f"info {name}", "fix", 3_000, 9_000,
                   lambda size, name=name: [folder / "waymark", "info", folder / f"{name}-{size}"])
    for size in 3_000, 9_000:
        scored.write(size, folder / f"scored-{size}")
        write_fences(size, folder / f"line-{size}.geojson")
        (folder / f"line-{size}.yaml").write_text(
            f"fences: [{{include: line-{size}.geojson}}]\n")
    yield Path("checking fences on a line", "fence", 3_000, 9_000,
               lambda size: [folder / "waymark", "check", folder / f"line-{size}.yaml"])
    for kind in scored.KINDS:
        yield Path(f"score --what {kind}", "event", 3_000, 9_000,
                   lambda size, kind=kind: [
                       folder / "waymark", "score", "--truth", folder / f"scored-{size}",
                       "--events", folder / f"scored-{size}/events.jsonl", "--what", kind])
    yield Path("writing events, jsonl", "event", 3_000, 9_000,
               lambda size: [folder / "read-bench", "--events", size])


def write_fences(count, path):
    """Points with a radius, all on one line of GeoJSON."""
    features = (
        f'{{"type":"Feature","id":{number},"properties":{{"radius":50}},"geometry":'
        f'{{"type":"Point","coordinates":[{number % 360 - 180},{number // 360}]}}}}'
        for number in range(count))
    path.write_text('{"type":"FeatureCollection","features":[' + ",".join(features) + "]}")


def kept():
    """The rows of the file by their path."""
    if not COUNTS.exists():
        return {}
    rows = (line.split("\t") for line in COUNTS.read_text().splitlines()[1:])
    return {row[0]: (int(row[2]), int(row[3])) for row in rows}


def judge(before, now):
    """The remark on a figure, and whether it is an error."""
    if before is None:
        return "not in counts.tsv", True
    if now[1] > before[1]:
        return f"allocates more: {before[1]} before", True
    if now[0] > before[0] * TOLERANCE:
        return f"slower: {before[0]} before", True
    if now[0] * TOLERANCE < before[0]:
        return f"quicker: {before[0]} before; keep it with `make count UPDATE=1`", False
    return "", False


def main():
    is_writing = sys.argv[1:] == ["--write"]
    before, rows, faults = kept(), [HEAD], []
    print(f"{HEAD[0]:<42} {HEAD[2]:>12} {HEAD[3]:>22}")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as crew:
        folder = pathlib.Path(folder)
        all_paths = list(paths(folder))
        for path, now in zip(all_paths, crew.map(lambda path: path.count(folder), all_paths)):
            remark, is_fault = judge(before.get(path.name), now)
            if is_fault:
                faults.append(f"{path.name}: {now[0]:,} instructions, {now[1]} allocations; {remark}")
            rows.append((path.name, path.unit, *now))
            print(f"{path.name:<42} {now[0]:>12,} {now[1]:>22}  {'' if is_writing else remark}",
                  flush=True)
    if is_writing:
        COUNTS.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    elif faults:
        # Again at the end: of the log of a machine that is gone, only the end is kept.
        print(*faults, sep="\n")
        sys.exit("count.py: a path costs more than Tests/Benchmarks/counts.tsv allows; make it as "
                 "quick as it was, or say why it may cost more and run `make count UPDATE=1`")


main()
