"""Speed and F1 of visits beside other Python packages, for Docs/Python.md: `make python-figures`.

The days are simulated, so their visits are known. `waymark score` compares what each package found
for the devices that no rule of the engine was tuned with: a stop is right when it overlaps a true one
by half of both together, within 50 m. The other packages need a radius and get the best of several;
all get the fixes without duplicates and in order.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

import pandas

import waymark

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORLDS = ROOT / ".build" / "python-world"
STOPS = pathlib.Path(__file__).with_name("stops.py")
RADII = (50, 100, 200, 400, 800)
OTHERS = ("trackintel", "scikit-mobility")
# movingpandas needs hours for a stay with a fix a second, and gets the phones with a fix a minute alone.
ALL = (*OTHERS, "movingpandas")
LIMIT = 3_600


def run(*arguments):
    return subprocess.run(
        list(map(str, arguments)), check=True, capture_output=True, text=True, timeout=LIMIT).stdout


def fixes_of(program, world, devices, interval):
    shutil.rmtree(world, ignore_errors=True)
    run(program, "simulate", "--out", world, "--devices", devices, "--interval", interval,
        "--format", "csv")
    tables = [
        waymark.read(path).assign(device=path.stem) for path in sorted(world.glob("fixes/*.csv"))]
    fixes = pandas.concat(tables, ignore_index=True)
    fixes = fixes.drop_duplicates(["device", "time"]).sort_values(["device", "time"])
    path = world / "fixes.parquet"
    fixes[["device", "time", "latitude", "longitude", "accuracy", "speed", "course"]].assign(
        device=fixes["device"].astype(str), time=fixes["time"].astype("datetime64[us, UTC]"),
    ).to_parquet(path, index=False)
    return path, len(fixes)


def measured(program, python, package, fixes, radius):
    world = fixes.parent
    log = world / f"{package}.jsonl"
    seconds = float(run(python, "-B", STOPS, package, fixes, radius, log).split()[-1])
    score = json.loads(run(
        program, "score", "--truth", world, "--events", log, "--what", "visits", "--split", "test",
        "--format", "json"))
    visits = score["visits"]["all"]
    return visits["F1"], visits["P"], visits["R"], seconds, radius


def version(python, name):
    return run(python, "-c", f"import importlib.metadata as m; print(m.version('{name}'))").strip()


def compare(program, mobility, title, devices, interval, others):
    fixes, count = fixes_of(program, WORLDS / interval, devices, interval)
    print(f"{title}: {devices} devices, {count:,} fixes\n")
    print("| package | radius | F1 | precision | recall | fixes/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for package in ("waymark", *others):
        python = mobility if package == "scikit-mobility" else sys.executable
        radii = (0,) if package == "waymark" else RADII
        best = max(measured(program, python, package, fixes, radius) for radius in radii)
        f1, precision, recall, seconds, radius = best
        print(f"| {package} {version(python, package)} | {f'{radius} m' if radius else '–'} | "
              f"{f1:.3f} | {precision:.3f} | {recall:.3f} | {count / seconds:,.0f} |", flush=True)
    print()


def main():
    warnings.simplefilter("ignore")
    program, mobility = os.environ["WAYMARK"], sys.argv[1]
    devices = int(os.environ.get("DEVICES", 12))
    compare(program, mobility, "A fix every 1 to 60 s", devices, "mixed", OTHERS)
    compare(program, mobility, "A fix every 60 s", 4 * devices, "60", ALL)


if __name__ == "__main__":
    main()
