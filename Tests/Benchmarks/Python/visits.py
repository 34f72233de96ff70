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
WORLD = ROOT / ".build" / "python-world"
STOPS = pathlib.Path(__file__).with_name("stops.py")
RADII = (50, 100, 200, 400, 800)
# Minutes of processor time each.
FEW_RADII = (200,)
LIMIT = 3_600


def run(*arguments):
    return subprocess.run(
        list(map(str, arguments)), check=True, capture_output=True, text=True, timeout=LIMIT).stdout


def fixes_of_world(program, devices):
    shutil.rmtree(WORLD, ignore_errors=True)
    run(program, "simulate", "--out", WORLD, "--devices", devices, "--format", "csv")
    tables = [
        waymark.read(path).assign(device=path.stem) for path in sorted(WORLD.glob("fixes/*.csv"))]
    fixes = pandas.concat(tables, ignore_index=True)
    fixes = fixes.drop_duplicates(["device", "time"]).sort_values(["device", "time"])
    path = WORLD / "fixes.parquet"
    fixes[["device", "time", "latitude", "longitude", "accuracy", "speed", "course"]].assign(
        device=fixes["device"].astype(str), time=fixes["time"].astype("datetime64[us, UTC]"),
    ).to_parquet(path, index=False)
    return path, len(fixes)


def measured(program, python, package, fixes, radius):
    log = WORLD / f"{package}.jsonl"
    seconds = float(run(python, "-B", STOPS, package, fixes, radius, log).split()[-1])
    score = json.loads(run(
        program, "score", "--truth", WORLD, "--events", log, "--what", "visits", "--split", "test",
        "--format", "json"))
    visits = score["visits"]["all"]
    return visits["F1"], visits["P"], visits["R"], seconds, radius


def version(python, name):
    return run(python, "-c", f"import importlib.metadata as m; print(m.version('{name}'))").strip()


def main():
    warnings.simplefilter("ignore")
    program, mobility = os.environ["WAYMARK"], sys.argv[1]
    fixes, count = fixes_of_world(program, int(os.environ.get("DEVICES", 12)))
    print(f"{count:,} fixes\n")
    print("| package | radius | F1 | precision | recall | fixes/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for package, name, python, radii in (
            ("waymark", "waymark", sys.executable, (0,)),
            ("trackintel", "trackintel", sys.executable, RADII),
            ("skmob", "scikit-mobility", mobility, RADII),
            ("movingpandas", "movingpandas", sys.executable, FEW_RADII)):
        best = max(measured(program, python, package, fixes, radius) for radius in radii)
        f1, precision, recall, seconds, radius = best
        print(f"| {name} {version(python, name)} | {f'{radius} m' if radius else '–'} | {f1:.3f} | "
              f"{precision:.3f} | {recall:.3f} | {count / seconds:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
