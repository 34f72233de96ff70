"""Fence tests of simulated days with `waymark test`, on one thread and on two."""

import json
import statistics

from document import table
from runs import BIN, WORK, by_turns, run
from targets import Target

WAYMARK = BIN / "waymark"
DEVICES = 20
TESTS = 10_000


def measure(is_quick):
    """The table and the target; a tenth of the tests in a quick run."""
    tests, rounds = (TESTS // 10, 1) if is_quick else (TESTS, 3)
    world = WORK / "tested-days"
    if not world.exists():
        run([WAYMARK, "simulate", "--out", world, "--devices", DEVICES, "--days", 1,
             "--interval", 30])
    fixes, files = write(world, tests)
    runs = by_turns({threads: lambda threads=threads: run(
        [WAYMARK, "test", *files, "--threads", threads]) for threads in (1, 2)}, rounds)
    for costs in runs.values():
        assert all(f"{tests} tests, all passed" in cost.messages for cost in costs)
    text = table([f"{tests:,} tests, each of a day of {fixes:,.0f} fixes in GPX", "CPU a test",
                  "wall time", "peak memory"],
                 [row(threads, tests, costs) for threads, costs in runs.items()])
    wall = statistics.median(cost.wall for cost in runs[2])
    return {"bench-testing": text}, [
        Target(f"{tests:,} fence tests of a day, 2 threads", 60, wall, " s", is_most=True)]


def row(threads, tests, costs):
    cpu, wall = (statistics.median(getattr(cost, what) for cost in costs)
                 for what in ("cpu", "wall"))
    memory = max(cost.memory for cost in costs) * 1024 / 1e6
    return [f"`waymark test --threads {threads}`", f"{cpu / tests * 1e3:.1f} ms", f"{wall:.1f} s",
            f"{memory:,.0f} MB"]


def write(world, tests):
    """A file of tests for each device, which expects what `replay` prints; and the mean number of
    fixes."""
    names = sorted(path.stem for path in (world / "fixes").iterdir())
    files, fixes = [], 0
    for name in names:
        track, config = world / f"fixes/{name}.gpx", world / f"config/{name}.yaml"
        log = run([WAYMARK, "replay", track, "--config", config, "--format", "jsonl",
                   "--include", "enter", "--include", "exit"]).output.splitlines()
        events = [json.loads(line) for line in log]
        assert events, f"{name} crosses no fence"
        fixes += track.read_text().count("<trkpt")
        expected = "".join(
            f"      - {{{event['type']}: {event['fence']}, at: {event['time']}, within: 10 s}}\n"
            for event in events)
        file = world / f"{name}-test.yaml"
        file.write_text(f"config: config/{name}.yaml\ntests:\n" + "".join(
            f"  - name: day {number}\n    track: fixes/{name}.gpx\n    only: [enter, exit]\n"
            f"    expect:\n{expected}" for number in range(tests // DEVICES)))
        files.append(file)
    return fixes / DEVICES, files
