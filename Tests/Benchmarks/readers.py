#!/usr/bin/env python3
"""How the cost of every reader of a file grows with the file; a cost that grows faster is an error.

    readers.py WAYMARK [NAME...]

Each reader gets a file of n, 2n and 4n records, also all on one line. Time is counted in instructions
by valgrind, which does not depend on the machine or on its load: twice the records may take RATIO times
the instructions, where 2 is linear and 4 is quadratic. Memory is the peak of a run without valgrind, on
files LARGE times as long: each further byte of the file may take as many bytes as the kind of file
allows. NAME runs the cases whose names contain it.
"""

import concurrent.futures
import gzip
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Suite"))
import scored  # noqa: E402
import tracks  # noqa: E402

RATIO = 2.5
LARGE = 16
# How often memory is measured before it counts as an error.
ATTEMPTS = 4
# Bytes of memory for a byte of the file: a track is read in pieces, fences are kept, and YAML is a tree
# before it is a config. What is held until its other half comes or its order is known (the times of a
# KML track, the positions of a GeoJSON line, the segments of a timeline) is held up to the limits of
# Docs/Limits.md, which these files do not reach.
# A small file in a folder takes some 4 kB while others are played.
TRACK, HELD, KEPT, TREE, FILES = 0.5, 16, 24, 400, 150
HOLDING = "kml", "timeline"


class Case:
    """A reader: how its file of so many records is written, and the command that reads it."""

    def __init__(self, name, records, most, write, command, codes=(0,)):
        self.name, self.records, self.most, self.codes = name, records, most, codes
        self.write, self.command = write, command

    def sizes(self, factor=1):
        return [self.records * factor * size for size in (1, 2, 4)]

    def prepare(self, folder, count):
        """Writes the file; gives its path and the command."""
        path = folder / f"{re.sub(r'[^a-z0-9]+', '-', self.name)}-{count}"
        path = self.write(path, count) or path
        return path, [str(word) for word in self.command(path)]


def text(suffix, pieces, one_line=False):
    """Writes the pieces of a text, without line breaks where they are to be on one line."""
    def write(path, count):
        path = path.with_name(path.name + suffix)
        whole = "".join(pieces(count))
        path.write_text(whole.replace("\n", " ") if one_line else whole)
        return path
    return write


def track(name, one_line=False):
    def write(path, count):
        if not one_line:
            return tracks.write(name, count, path)
        path.write_text("".join(tracks.FORMATS[name](count)).replace("\n", " "))
    return write


def line_string(count):
    """A line with its times beside it."""
    yield '{"type":"Feature","properties":{"coordTimes":['
    yield ",".join(f'"{scored.stamp(minute)}"' for minute in range(count))
    yield ']},"geometry":{"type":"LineString","coordinates":['
    yield ",".join(f"[13.{minute % 997:04},52.5]" for minute in range(count)) + "]}}"


def own_tracks(count):
    for minute in range(count):
        yield (f"{scored.stamp(minute)}\t*\t{{\"_type\":\"location\",\"tst\":{1_772_323_200 + 60 * minute},"
               f'"lat":52.5,"lon":13.4,"acc":5}}\n')


def devices(count):
    for number in range(count):
        yield (f'{{"type":"fix","device":"device-{number}","time":"{scored.stamp(0)}",'
               '"latitude":52.5,"longitude":13.4,"accuracy":5}\n')


def many_columns(count):
    """A table with as many columns as rows have room for."""
    yield "time,latitude,longitude," + ",".join(f"c{number}" for number in range(count)) + "\n"
    for minute in range(8):
        yield f"{scored.stamp(minute)},52.5,13.4" + ",7" * count + "\n"


def many_tracks(count):
    yield tracks.GPX_HEAD.split("  <trk>")[0]
    for minute in range(count):
        yield (f'<trk><name>{minute}</name><trkseg><trkpt lat="52.5" lon="13.4"><time>'
               f"{scored.stamp(minute)}</time></trkpt></trkseg></trk>\n")
    yield "</gpx>"


def many_errors(count):
    yield "time,latitude,longitude\n"
    for minute in range(count):
        yield f"{scored.stamp(minute)},north,13.4\n"


def packed(path, count):
    with gzip.open(path, "wt") as file:
        file.writelines(tracks.FORMATS["csv"](count))


def archive(path, count):
    """A ZIP archive of many small tracks; the shortest is longer than the end that is searched."""
    with zipfile.ZipFile(path, "w") as file:
        for number in range(count):
            # Their times follow each other.
            file.writestr(f"t{number}.csv", "time,latitude,longitude\n" + "".join(
                f"{scored.stamp(number * 20 + minute)},52.5,13.4\n" for minute in range(20)))


def folder(path, count):
    """A folder of tracks of a fix each, a minute after each other."""
    path.mkdir()
    for number in range(count):
        (path / f"t{number:06}.csv").write_text(
            f"time,latitude,longitude\n{scored.stamp(number)},52.5,13.4\n")


def answers(count):
    yield "[" + ",\n".join(
        f'{{"latitude":{number / count},"longitude":13.4,"radius":20,"name":"n{number}"}}'
        for number in range(count)) + "]"


def stub(path, count):
    """A config with a table of answers."""
    table = text(".json", answers)(path, count)
    path = path.with_name(path.name + ".yaml")
    path.write_text(f"geocoder: {{provider: stub, table: {table.name}}}\n")
    return path


def circles(count):
    yield '{"type":"FeatureCollection","features":[\n'
    for number in range(count):
        yield ((",\n" if number else "")
               + f'{{"type":"Feature","id":"f{number}","properties":{{"radius":50}},"geometry":'
               f'{{"type":"Point","coordinates":[{number % 360 - 180},{number // 360 / 4}]}}}}')
    yield "\n]}"


def ring(count):
    """One polygon with as many corners, a saw between two parallels."""
    corners = [[13 + number / count, 52 + number % 2 / 100] for number in range(count)]
    corners += [[14, 53], [13, 53], corners[0]]
    yield json.dumps({"type": "FeatureCollection", "features": [{
        "type": "Feature", "id": "a", "properties": {},
        "geometry": {"type": "Polygon", "coordinates": [corners]}}]})


def squares(count):
    """One fence of many parts."""
    def square(number):
        x, y = number % 300 / 2, number // 300 / 2
        return [[[x, y], [x + .25, y], [x + .25, y + .25], [x, y + .25], [x, y]]]
    yield json.dumps({"type": "FeatureCollection", "features": [{
        "type": "Feature", "id": "a", "properties": {}, "geometry": {
            "type": "MultiPolygon", "coordinates": [square(number) for number in range(count)]}}]})


def table_of_fences(count):
    yield "id,latitude,longitude,radius\n"
    for number in range(count):
        yield f"f{number},{number // 360 / 4},{number % 360 - 180},50\n"


def block(count):
    yield "fences:\n"
    for number in range(count):
        yield (f"  - id: f{number}\n    center: [{number // 360}, {number % 360 - 180}]\n"
               "    radius: 50 m\n")


def flow(count):
    fences = [{"id": f"f{number}", "center": [number // 360, number % 360 - 180], "radius": "50 m"}
              for number in range(count)]
    yield json.dumps({"fences": fences})


def included(suffix, pieces, one_line=False):
    """A config that includes a file of fences."""
    def write(path, count):
        fences = text(suffix, pieces, one_line)(path, count)
        path = path.with_name(path.name + ".yaml")
        path.write_text(f"fences: [{{include: {fences.name}}}]\n")
        return path
    return write


def fence_tests(path, count):
    path = path.with_name(path.name + ".yaml")
    (path.parent / "fences.yaml").write_text(
        "fences: [{id: a, center: [52.5, 13.4], radius: 50 m}]\n")
    # A device that stays outside.
    (path.parent / "still.csv").write_text("time,latitude,longitude\n" + "".join(
        f"{scored.stamp(minute)},53.5,13.4\n" for minute in range(10)))
    path.write_text("config: fences.yaml\ntests:\n" + "".join(
        f"  - name: t{number}\n    track: still.csv\n    never: [{{enter: a}}]\n"
        for number in range(count)))
    return path


def world(path, count):
    scored.write(count, path)


def cases(waymark):
    def info(path):
        return [waymark, "info", path]

    def check(path):
        return [waymark, "check", path]

    def pipe(path):
        return ["sh", "-c", f"exec {waymark} pipe --state {path}.state <{path}"]

    for name in tracks.FORMATS:
        yield Case(name, 1_000, HELD if name in HOLDING else TRACK, track(name), info)
    for name in "gpx", "tcx", "kml", "records", "geojson", "timeline":
        yield Case(f"{name}, one line", 1_000, HELD if name in HOLDING else TRACK,
                   track(name, True), info)
    yield Case("geojson, one LineString", 1_000, HELD, text("", line_string), info)
    yield Case("owntracks recording", 1_000, TRACK, text("", own_tracks), info)
    yield Case("gpx, a track a point", 1_000, TRACK, text("", many_tracks), info)
    yield Case("csv, columns", 100, KEPT, text("", many_columns), info)
    yield Case("csv, errors", 1_000, TRACK, text("", many_errors), info, codes=(65,))
    yield Case("ndjson, a device a fix", 500, KEPT, text("", devices), info)
    yield Case("csv, gzip", 1_000, KEPT, packed, info)
    yield Case("zip, many files", 100, KEPT, archive, info)
    yield Case("folder, a fix a file", 500, FILES, folder,
               lambda path: [waymark, "replay", path])
    yield Case("answers of a stub geocoder", 500, TREE, stub,
               lambda path: [waymark, "geocode", "0,13.4", "--config", path])
    yield Case("pipe, a device a fix, with a state", 500, KEPT, text("", devices), pipe)
    yield Case("fences of geojson", 1_000, KEPT, included(".geojson", circles), check)
    yield Case("fences of geojson, one line", 1_000, KEPT, included(".geojson", circles, True), check)
    yield Case("fences of geojson, one ring", 1_000, KEPT * 4, included(".geojson", ring), check)
    yield Case("fences of geojson, one of many parts", 500, KEPT * 4, included(".geojson", squares),
               check)
    yield Case("fences of csv", 1_000, KEPT * 4, text(".csv", table_of_fences),
               lambda path: [waymark, "compile", path, "-o", f"{path}.wmf"])
    yield Case("config, blocks", 500, TREE, text(".yaml", block), check)
    yield Case("config, JSON on one line", 500, TREE, text(".yaml", flow), check)
    yield Case("fence tests", 100, TREE, fence_tests, lambda path: [waymark, "test", path])
    for kind in scored.KINDS:
        yield Case(f"score, {kind}", 900, KEPT * 4, world, lambda path, kind=kind: [
            waymark, "score", "--truth", path, "--events", path / "events.jsonl", "--what", kind])


def size(path):
    """The bytes of a file and of those that it includes, or of a folder."""
    files = path.rglob("*") if path.is_dir() else path.parent.glob(path.name.split(".")[0] + "*")
    return sum(file.stat().st_size for file in files if file.is_file())


def instructions(case, folder, count):
    _, command = case.prepare(folder, count)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--trace-children=yes",
         f"--callgrind-out-file={folder}/callgrind-%p", *command],
        capture_output=True, text=True, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    found = re.findall(r"Collected : (\d+)", done.stderr)
    if done.returncode not in case.codes or not found:
        sys.exit(f"readers.py: {case.name}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return int(found[-1])


def peak(case, folder, count):
    """The peak memory and the bytes of the file."""
    path, command = case.prepare(folder, count)
    bytes_read = size(path)
    # A child of Python begins with Python's memory, which would count.
    done = subprocess.run(["time", "-f", "%M", "-o", f"{path}.peak", *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode not in case.codes:
        sys.exit(f"readers.py: {case.name}: exit code {done.returncode}")
    return int(pathlib.Path(f"{path}.peak").read_text().split()[-1]) * 1024, bytes_read


def judge(case, folder):
    """The row of a case, and whether it is an error."""
    few, more, most = (instructions(case, folder, count) for count in case.sizes())
    ratio = (most - more) / max(more - few, 1)
    per_byte = grown_memory(case, folder)
    row = f"{case.name:40} {ratio:8.2f} {(most - more) / (case.records * 2):14,.0f} {per_byte:12.1f}"
    is_error = ratio > RATIO or per_byte > case.most
    return row, f"error: {row}; at most {RATIO} and {case.most} are expected" if is_error else None


def grown_memory(case, folder):
    """The bytes of memory that a further byte of the file takes."""
    least = [math.inf, math.inf]
    for attempt in range(ATTEMPTS):
        own = folder / f"peak-{attempt}"
        own.mkdir()
        (small, short), (large, long) = (peak(case, own, count) for count in case.sizes(LARGE)[1:])
        least = [min(least[0], small), min(least[1], large)]
        # Memory comes in pieces: a megabyte is noise.
        per_byte = max(0, least[1] - least[0] - (1 << 20)) / (long - short)
        # The allocator's share varies by as much from run to run, and more on a busy machine; what the
        # reader holds is in each run.
        if per_byte <= case.most:
            break
    return per_byte


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    waymark = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # valgrind cannot read the compiler's debug information.
        stripped = folder / "waymark"
        subprocess.run(["strip", "--strip-debug", waymark, "-o", stripped], check=True)
        chosen = [case for case in cases(stripped)
                  if len(sys.argv) == 2 or any(part in case.name for part in sys.argv[2:])]
        print(f"{'reader':40} {'x4 / x2':>8} {'instructions':>14} {'bytes a byte':>12}", flush=True)
        errors = []

        def run(case):
            own = folder / re.sub(r"[^a-z0-9]+", "-", case.name)
            own.mkdir()
            return judge(case, own)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for row, error in pool.map(run, chosen):
                print(row, flush=True)
                errors += [error] if error else []
    sys.exit("\n".join(errors) or 0)


if __name__ == "__main__":
    main()
