"""The engine alone, and from a file to the event log."""

import filecmp
import statistics

import fleet
import reading
from document import table
from runs import BIN, WORK, by_turns, run
from targets import Target

FIX_TARGET, POINTS_TARGET = 500, 1_000_000
# Times the speed of one thread: of many files, and of one.
MANY_TARGET, ONE_TARGET = 1.9, 1.6
FENCES = 1_000
FILES = 8


def measure(is_quick):
    """The tables and the targets."""
    rounds = 3 if is_quick else 5
    fixes, points = (100_000, 100_000) if is_quick else (1_000_000, 1_000_000)
    paths = engine_paths(fixes)
    seconds = {name: statistics.median(values)
               for name, values in by_turns(paths, rounds).items()}
    rows = [[name, f"{value * 1e9:,.0f} ns"] for name, value in seconds.items()]
    replays, targets = end_to_end(points, rounds)
    engine, writing = (seconds[name] * 1e9 for name in (ENGINE.format(FENCES), WRITING))
    targets = [
        Target(f"the engine, {FENCES:,} fences", FIX_TARGET, engine, " ns a fix", is_most=True),
        Target("writing an event: times deciding a fix", 1, writing / engine, is_most=True),
        *targets]
    return {"bench-engine": table([f"{fixes:,} fixes or events", "CPU each"], rows),
            "bench-replay": replays}, targets


ENGINE = "engine with visits and changes, {:,} fences, a crossing in 100 fixes"
WRITING = "writing an event as a line of JSON, to memory"


def engine_paths(fixes):
    """Seconds a fix or an event, by name; one-time work is subtracted."""
    rounds = fixes // 1_000

    def engine(fences):
        long, short = (run([BIN / "engine-bench", "drive", fences, count]).cpu
                       for count in (rounds, 1))
        return (long - short) / (rounds - 1) / 1_000

    def writing():
        report = run([BIN / "read-bench", "--events", fixes]).report
        return report["seconds"] / report["events"]

    paths = {ENGINE.format(fences): lambda fences=fences: engine(fences) for fences in (10, FENCES)}
    return paths | {WRITING: writing}


def fences(folder):
    """A config with ten circles along the road of the drive, and the others beside it."""
    lines = ["id,latitude,longitude,radius"]
    for argument in reading.tracks.stream.FENCES[1::2]:
        name, _, place = argument.partition("=")
        lines.append(f"{name},{place}")
    for number in range(FENCES - 10):
        lines.append(f"beside-{number},{52.01 + number // 33 * 0.002:.3f},"
                     f"{13 + number % 33 * 0.003:.3f},100")
    (folder / "road.csv").write_text("\n".join(lines) + "\n")
    run([fleet.WAYMARK, "compile", folder / "road.csv", "-o", folder / "road.wmf"])
    config = folder / "road.yaml"
    config.write_text("fences:\n  - include: road.wmf\n")
    return config


def end_to_end(points, rounds):
    """The table of replays and the targets."""
    config = fences(WORK)
    track, parts = reading.make("gpx", points), many(points)

    def replay(files, output, *options):
        command = [fleet.WAYMARK, "replay", *files, "--config", config, "--format", "jsonl"]
        return lambda: run([*command, *options], stdout=output)

    outputs = {(name, threads): WORK / f"replay-{number}-{threads}.jsonl"
               for number, name in enumerate((ALONE, MANY)) for threads in (1, 2)}
    replays = {name.format(threads): replay([track] if name == ALONE else parts, output,
                                            "--threads", threads)
               for (name, threads), output in outputs.items()}
    costs = by_turns(replays, rounds)
    with open(outputs[ALONE, 1], "rb") as file:
        count = sum(1 for _ in file)
    rows = []
    for name, given in costs.items():
        cpu, wall = (statistics.median(getattr(cost, what) for cost in given)
                     for what in ("cpu", "wall"))
        memory = max(cost.memory for cost in given) * 1024 / 1e6
        rows.append([name, f"{cpu:.2f} s", f"{points / cpu:,.0f}", f"{wall:.2f} s",
                     f"{points / wall:,.0f}", f"{memory:.1f} MB"])
    text = table([f"{points:,} points of GPX, {FENCES:,} fences, {count:,} events", "CPU",
                  "points/s", "wall time", "points/s", "peak memory"], rows)
    quickest = statistics.median(points / cost.cpu for cost in costs[ALONE.format(1)])
    targets = [Target("GPX file to event log", POINTS_TARGET, quickest, " points/s")]
    for name, what, least in ((MANY, "many files", MANY_TARGET), (ALONE, "one file", ONE_TARGET)):
        assert filecmp.cmp(outputs[name, 1], outputs[name, 2], shallow=False), \
            "one thread and two write different bytes"
        ratio = statistics.median(
            one.wall / two.wall for one, two in zip(*(costs[name.format(n)] for n in (1, 2))))
        targets.append(Target(f"`replay` of {what}, 2 threads: times one", least, ratio))
    return text, targets


ALONE = "`waymark replay --threads {}`, a GPX file"
MANY = f"`waymark replay --threads {{}}`, {FILES} GPX files"


def many(points):
    """The same number of points in several files."""
    first = reading.make("gpx", points // FILES)
    files = [first]
    for number in range(1, FILES):
        file = first.with_name(f"{number}-{first.name}")
        if not file.exists():
            file.symlink_to(first.name)
        files.append(file)
    return files
