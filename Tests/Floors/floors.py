"""floors.py WAYMARK: fails when fences or visits are less right than published.

Makes the worlds of Docs/Accuracy.md with `waymark simulate`, replays them, scores them with `waymark
score`, and compares with floors.tsv, less 0.01. The worlds are those of the published figures, so
that a difference is the engine's, not chance.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 0.01
# Those of the published figures.
DEVICES, DAYS = "72", "1"
HERE = pathlib.Path(__file__).parent


def main():
    waymark = os.path.abspath(sys.argv[1])
    rows = [line.split("\t") for line in (HERE / "floors.tsv").read_text().splitlines()
            if line and not line.startswith("#")]
    names = rows[0][2:]
    print("noise   seed  " + "  ".join(f"{name:>20}" for name in names), flush=True)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for noise, seed, *floors in rows[1:]:
            cells = []
            for figure, published in zip(figures(waymark, pool, noise, seed), map(float, floors)):
                low = figure < published - TOLERANCE
                failed = failed or low
                cells.append(f"{figure:.4f} of {published:.3f} {'LOW' if low else 'ok ':3}")
            print(f"{noise:7} {seed:>4}  " + "  ".join(f"{cell:>20}" for cell in cells), flush=True)
    if failed:
        sys.exit("floors: a figure is more than 0.01 below what Tests/Floors/floors.tsv has: "
                 "the engine is less right than published")


def figures(waymark, pool, noise, seed):
    """Precision and recall of fences, and F1 of visits, on one world."""
    with tempfile.TemporaryDirectory() as folder:
        world = pathlib.Path(folder, "world")
        run([waymark, "simulate", "--out", world, "--noise", noise, "--seed", seed, "--devices",
             DEVICES, "--days", DAYS, "--format", "csv"])
        configs = sorted((world / "config").glob("*.yaml"))
        assert len(configs) == int(DEVICES), f"{len(configs)} configs in a world of {DEVICES}"
        logs = pool.map(lambda config: replay(waymark, world, config), configs)
        events = pathlib.Path(folder, "events.jsonl")
        events.write_bytes(b"".join(logs))
        scores = json.loads(run([waymark, "score", "--truth", world, "--events", events,
                                 "--format", "json"]))
        fences, visits = scores["fences"]["all"], scores["visits"]["all"]
        return fences["P"], fences["R"], visits["F1"]


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
