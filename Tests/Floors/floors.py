"""floors.py WAYMARK [--write]: fails when fences or visits are less right than published.

Makes the worlds of Docs/Accuracy.md with `waymark simulate`, replays them, scores them with `waymark
score`, and compares with floors.tsv, less 0.01. The worlds are those of the published figures, so
that a difference is the engine's, not chance.

Does the same with the small worlds of devices.tsv: other devices, and phones without accuracy, speed
and course. A few events are a hundredth there, so they are compared less 0.02. With --write it writes
what it found into devices.tsv.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 0.01
SMALL_TOLERANCE = 0.02
# Those of the published figures.
DEVICES, DAYS = "72", "1"
HERE = pathlib.Path(__file__).parent


def main():
    waymark = os.path.abspath(sys.argv[1])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = published(waymark, pool)
        failed = devices(waymark, pool, sys.argv[2:] == ["--write"]) or failed
    if failed:
        sys.exit("floors: a figure is lower than what Tests/Floors has: the engine is less right than "
                 "published")


def published(waymark, pool):
    """The worlds of the published figures; whether a figure is low."""
    rows = read("floors.tsv")
    names = rows[0][2:]
    print("noise   seed  " + "  ".join(f"{name:>20}" for name in names), flush=True)
    failed = False
    for noise, seed, *floors in rows[1:]:
        found = figures(waymark, pool, ["--noise", noise, "--seed", seed, "--devices", DEVICES,
                                        "--days", DAYS])
        cells, low = compared(found, floors, TOLERANCE)
        failed = failed or low
        print(f"{noise:7} {seed:>4}  {cells}", flush=True)
    return failed


def devices(waymark, pool, write):
    """The small worlds; whether a figure is low."""
    rows = read("devices.tsv")
    print(f"\n{'world':76}  " + "  ".join(f"{name:>20}" for name in rows[0][1:]), flush=True)
    failed, written = False, []
    for world, *floors in rows[1:]:
        found = figures(waymark, pool, world.split())
        cells, low = compared(found, floors, SMALL_TOLERANCE)
        failed = failed or low
        written.append("\t".join([world] + [f"{figure:.3f}" for figure in found]) + "\n")
        print(f"{world:76}  {cells}", flush=True)
    if write:
        path = HERE / "devices.tsv"
        kept = [line for line in path.read_text().splitlines(True)
                if line.startswith("#") or line.startswith("world\t")]
        path.write_text("".join(kept + written))
        return False
    return failed


def read(name):
    return [line.split("\t") for line in (HERE / name).read_text().splitlines()
            if line and not line.startswith("#")]


def compared(found, floors, tolerance):
    """The cells of a row, and whether one of them is low."""
    cells, failed = [], False
    for figure, floor in zip(found, map(float, floors)):
        low = figure < floor - tolerance
        failed = failed or low
        cells.append(f"{figure:.4f} of {floor:.3f} {'LOW' if low else 'ok ':3}")
    return "  ".join(f"{cell:>20}" for cell in cells), failed


def figures(waymark, pool, options):
    """Precision and recall of fences, F1 of visits, and how many crossings are within one and two of
    their claimed sigmas, in one world."""
    with tempfile.TemporaryDirectory() as folder:
        world = pathlib.Path(folder, "world")
        run([waymark, "simulate", "--out", world, *options, "--format", "csv"])
        configs = sorted((world / "config").glob("*.yaml"))
        many = int(options[options.index("--devices") + 1])
        assert len(configs) == many, f"{len(configs)} configs in a world of {many}"
        logs = pool.map(lambda config: replay(waymark, world, config), configs)
        events = pathlib.Path(folder, "events.jsonl")
        events.write_bytes(b"".join(logs))
        scores = json.loads(run([waymark, "score", "--truth", world, "--events", events,
                                 "--format", "json"]))
        fences, visits = scores["fences"]["all"], scores["visits"]["all"]
        found = (fences["P"], fences["R"], visits["F1"], fences["within_1_sigma"],
                 fences["within_2_sigma"])
        # A figure of no events is null.
        return [figure or 0 for figure in found]


def replay(waymark, world, config):
    track = world / "fixes" / (config.stem + ".csv")
    return run([waymark, "replay", track, "--config", config, "--format", "jsonl", "--include",
                "enter", "--include", "exit", "--include", "visit"], allowed=(0, 65))


def run(command, allowed=(0,)):
    result = subprocess.run(command, capture_output=True)
    if result.returncode not in allowed:
        sys.exit(f"floors: {' '.join(map(str, command))}: {result.stderr.decode()}")
    return result.stdout


if __name__ == "__main__":
    main()
