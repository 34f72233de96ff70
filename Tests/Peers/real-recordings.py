#!/usr/bin/env python3
"""real-recordings.py WAYMARK: the readers against recordings of real devices, and what others read.

The recordings are the tests of GoldenCheetah and of gpsd, in the source packages of Debian. They are
fetched once, into .build/real-recordings; their licences are not ours, so the repository has none of
them. FIT is compared with fitdecode, TCX and GPX with Python's own XML reader, the logs of receivers
with what gpsd made of them, which its tests record beside each log, and these records with Python's
JSON. Compared are the number of fixes, and of each its time, position, altitude, speed, course and
accuracy, as far as the other one has them.

A difference that REASONS does not state fails the run.
"""
import datetime
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from xml.etree import ElementTree

import fitdecode

FOLDER = pathlib.Path(__file__).resolve().parents[2] / ".build/real-recordings"
SUITE = "deb-src http://deb.debian.org/debian bookworm main"
# The package, its archive, that archive's SHA256, and the folder of recordings in it.
SOURCES = [
    ("goldencheetah", "goldencheetah_3.5.orig.tar.gz",
     "d5a12a71b9bd49ec8224aca51807155cddc8863b69abc1c48e54084014115020", "GoldenCheetah-3.5/test"),
    ("gpsd", "gpsd_3.22.orig.tar.xz",
     "68d2a04e237a02ce42158ceda462a24afe11eeaa2b13482e94ac7ef66693f3a0", "gpsd-3.22/test/daemon"),
]
WEEKS = 1_024 * 7 * 86_400

NMEA, JSON = "NMEA 0183", "gpsd's JSON"
ANY = 10**9
# Of which files, or of which one: what differs, in how many fixes at most, and why.
REASONS = [
    (NMEA, {"1,024 weeks": ANY},
     "gpsd of 2021 takes old dates for those of a receiver whose week rolled over"),
    (NMEA, {"fix that only Waymark has": 1, "fix without a date": 1},
     "gpsd gives no position before it has a date, nor one of the last instant of a log"),
    (NMEA, {"speed that only gpsd has": ANY}, "gpsd computes it from two positions"),
    (JSON, {f"{name} that only gpsd has": ANY for name in ("altitude", "speed", "course")},
     "gpsd reports an instant in parts: its fix is given as soon as it has what the last one had"),
    ("hemi.log", {"fix that only Waymark has": 15}, "without RMC gpsd gives no position for 7 s"),
    ("hemi.log", {"speed": 5}, "gpsd computes it from two positions; Waymark reads VTG"),
    ("humminbird-M37.log",
     {"fix that only Waymark has": 2, "speed": 7, "altitude that only gpsd has": 4},
     "the log has the same seconds twice, and gpsd computes speeds"),
    ("bt451.log", {"fix that only Waymark has": 4, "fix that only gpsd has": 1},
     "two logs, one behind the other: gpsd takes the first time of the second for the next day"),
    ("bundg_zeus_9.log",
     {"latitude": 25, "longitude": 25, "speed": 15, "course": 18, "course that only gpsd has": 1},
     "a plotter whose sentences of one second differ by 2 m: Waymark has the last, gpsd any"),
    ("tcp-torture.log", {"altitude that only gpsd has": 1}, "the line of its GGA is torn"),
    ("ublox-zed-f9p_hpg1.11.log.chk", {"fix that only Waymark has": 1},
     "its first sentences are before the first report"),
]


# MARK: The recordings

def fetch():
    """Fetches what is missing, and unpacks the recordings."""
    for package, name, checksum, folder in SOURCES:
        if (FOLDER / folder).is_dir():
            continue
        FOLDER.mkdir(parents=True, exist_ok=True)
        archive = FOLDER / name
        if not archive.exists():
            download(package)
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != checksum:
            sys.exit(f"{archive}: found the SHA256 {found}, expected {checksum}; remove the file")
        unpack(archive, folder)


def unpack(archive, folder):
    """Unpacks a folder, which is there only when it is whole."""
    top = folder.split("/")[0]
    with tempfile.TemporaryDirectory(dir=FOLDER) as part, tarfile.open(archive) as members:
        for member in members:
            if member.isfile() and member.name.startswith(folder + "/"):
                path = pathlib.Path(part) / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(members.extractfile(member).read())
        (pathlib.Path(part) / top).rename(FOLDER / top)


def download(package):
    """Fetches a source package with lists of its own, so the system's stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "source.list").write_text(SUITE + "\n")
        (pathlib.Path(folder) / "lists/partial").mkdir(parents=True)
        options = [
            f"Dir::Etc::SourceList={folder}/source.list", "Dir::Etc::SourceParts=/dev/null",
            f"Dir::State::Lists={folder}/lists", "Dir::Cache::SrcPkgCache=", "Dir::Cache::PkgCache=",
            "APT::Sandbox::User="]
        apt = ["apt-get", "-qq"] + [word for option in options for word in ("-o", option)]
        for words in (["update"], ["source", "--download-only", "--tar-only", package]):
            if subprocess.run(apt + words, cwd=FOLDER, check=False).returncode != 0:
                sys.exit(f"{package}: apt-get {words[0]} failed; expected {SUITE}")


def files(kind):
    folders = [FOLDER / folder for _, _, _, folder in SOURCES]
    return sorted(path for folder in folders for path in folder.rglob("*")
                  if path.name.lower().endswith(kind))


# MARK: Fixes: time, position, altitude, speed, course, accuracy

def fix(time, latitude, longitude, **values):
    known = {name: float(value) for name, value in values.items() if value is not None}
    return {"time": time, "latitude": float(latitude), "longitude": float(longitude), **known}


def seconds(text):
    return text and datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def waymark(program, path):
    run = subprocess.run(
        [program, "convert", path, "-o", "-", "--format", "ndjson"], capture_output=True, check=False)
    if run.returncode not in (0, 65):
        sys.exit(f"{path}: waymark exited with {run.returncode}: {run.stderr.decode(errors='replace')}")
    records = map(json.loads, run.stdout.splitlines())
    return [fix(seconds(record.get("time")), record["latitude"], record["longitude"],
                **{name: record.get(name) for name in ("altitude", "speed", "course", "accuracy")})
            for record in records]


def fit(path):
    """The records of a FIT file, or of those in an archive."""
    contents = [path.read_bytes()]
    if path.suffix.lower() == ".zip":
        with zipfile.ZipFile(path) as archive:
            contents = [archive.read(name) for name in archive.namelist()
                        if name.lower().endswith(".fit") and not name.startswith("__MACOSX/")]
    found = []
    for content in contents:
        with fitdecode.FitReader(
                io.BytesIO(content), processor=None,
                check_crc=fitdecode.CrcCheck.DISABLED) as reader:
            for frame in reader:
                if isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record":
                    found += record(lambda name, frame=frame: frame.get_value(name, fallback=None))
    return found


def record(value):
    latitude, longitude = value("position_lat"), value("position_long")
    if latitude is None or longitude is None:
        return []

    def either(name):
        enhanced = value("enhanced_" + name)
        return value(name) if enhanced is None else enhanced

    # An accuracy of 0 m is none.
    return [fix(value("timestamp") + 631_065_600, latitude * 180 / 2**31, longitude * 180 / 2**31,
                altitude=either("altitude"), speed=either("speed"),
                accuracy=value("gps_accuracy") or None)]


def xml(path):
    """The points of a TCX or GPX file that have a position."""
    found = []
    for element in ElementTree.parse(path).iter():
        name = element.tag.rpartition("}")[2]
        if name not in ("Trackpoint", "trkpt"):
            continue
        texts = {}
        for inner in element.iter():
            texts.setdefault(inner.tag.rpartition("}")[2].lower(), inner.text)
        latitude = element.get("lat") or texts.get("latitudedegrees")
        longitude = element.get("lon") or texts.get("longitudedegrees")
        if latitude and longitude:
            found.append(fix(
                seconds(texts.get("time")), latitude, longitude,
                altitude=texts.get("ele") or texts.get("altitudemeters"), speed=texts.get("speed")))
    return found


def reports(path):
    """The positions of gpsd, of which one instant may have several."""
    found = []
    for line in path.read_bytes().splitlines():
        if not line.startswith(b'{"class":"TPV"'):
            continue
        report = json.loads(line)
        if report.get("mode", 0) >= 2 and "lat" in report:
            found.append(fix(
                seconds(report.get("time")), report["lat"], report["lon"], altitude=report.get("altMSL"),
                speed=report.get("speed"), course=report.get("track")))
    return found


# MARK: Comparing

# How far values may be apart that are the same, rounded to what is written.
LIMITS = {"latitude": 2e-7, "longitude": 2e-7, "altitude": 0.051, "speed": 0.006, "course": 0.051,
          "accuracy": 0.01}


def is_same(name, one, other):
    gap = abs(one - other)
    return (min(gap, 360 - gap) if name == "course" else gap) <= LIMITS[name]


def compare_lists(ours, theirs, count):
    """Fixes in the same order."""
    for _ in range(abs(len(ours) - len(theirs))):
        count("fix that only " + ("Waymark" if len(ours) > len(theirs) else "the other one") + " has")
    for one, other in zip(ours, theirs):
        if one["time"] != other["time"] and (
                None in (one["time"], other["time"]) or abs(one["time"] - other["time"]) > 0.001):
            count("time")
        for name in LIMITS:
            if (name in one) != (name in other):
                count(f"{name} that only {'Waymark' if name in one else 'the other one'} has")
            elif name in one and not is_same(name, one[name], other[name]):
                count(name)


def dated(fixes):
    return [fix for fix in fixes if fix["time"] is not None]


def undated(fixes):
    return len(fixes) - len(dated(fixes))


def compare_reports(ours, theirs, count):
    """Fixes with one of the reports of their instant; times may be rounded to hundredths."""
    for _ in range(undated(ours) - undated(theirs)):
        count("fix without a date")
    instants = {}
    for other in dated(theirs):
        instants.setdefault(round(other["time"] % WEEKS * 100), []).append(other)
    seen = set()
    for one in dated(ours):
        time = round(one["time"] % WEEKS * 100)
        key = next((key for key in (time, time - 1, time + 1) if key in instants), None)
        if key is None:
            count("fix that only Waymark has")
            continue
        seen.add(key)
        others = instants[key]
        if all(abs(one["time"] - other["time"]) > 1 for other in others):
            count("1,024 weeks")
        for name in ("latitude", "longitude", "altitude", "speed", "course"):
            values = [other[name] for other in others if name in other]
            if name not in one:
                if values:
                    count(f"{name} that only gpsd has")
            elif values and not any(is_same(name, one[name], value) for value in values):
                count(name)
    for _ in set(instants) - seen:
        count("fix that only gpsd has")


def is_log_of_sentences(path):
    """Whether a log has sentences with a position, and no binary protocol alone."""
    return any(line[:1] == b"$" and line[3:6] in (b"RMC", b"GGA", b"GLL", b"GNS")
               for line in path.read_bytes().splitlines())


def stated(kind, name, what, number):
    """The reason for the differences of a file: that of the file before that of its kind."""
    for scope in (name, kind):
        for files_of, counts, why in REASONS:
            if files_of == scope and number <= counts.get(what, 0):
                return f"{files_of}: {why}"
    return None


def main():
    program = sys.argv[1]
    fetch()
    logs = [path for path in files(".log") if is_log_of_sentences(path)]
    kinds = [
        ("FIT", "fitdecode", files(".fit") + [path for path in files(".zip") if fit(path)], fit,
         compare_lists),
        ("TCX, GPX", "ElementTree", files((".tcx", ".gpx")), xml, compare_lists),
        (NMEA, "gpsd", logs, lambda path: reports(path.with_name(path.name + ".chk")),
         compare_reports),
        (JSON, "Python", files(".chk"), reports, compare_reports),
    ]
    rows, used, failures = [], {}, []
    for kind, peer, paths, read, compare in kinds:
        fixes, differences = 0, 0
        for path in paths:
            counts = {}
            ours = waymark(program, path)
            fixes += len(ours)
            compare(ours, read(path),
                    lambda what, counts=counts: counts.update({what: counts.get(what, 0) + 1}))
            for what, number in counts.items():
                if reason := stated(kind, path.name, what, number):
                    used[reason] = used.get(reason, 0) + number
                else:
                    differences += number
                    failures.append(f"{path.relative_to(FOLDER)}: {what}: {number}")
        rows.append((kind, peer, len(paths), fixes, differences))
    print("| files of | with | files | fixes | differences |\n| --- | --- | --- | --- | --- |")
    for kind, peer, count, fixes, differences in rows:
        print(f"| {kind} | {peer} | {count} | {fixes:,} | {differences} |")
    for reason, number in used.items():
        print(f"{number} value{'s' if number != 1 else ''}: {reason}")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
