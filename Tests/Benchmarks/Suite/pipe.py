"""A fleet through `waymark pipe`, and proof that every device gets the events of a run alone."""

import filecmp
import statistics

import fleet
from document import table
from runs import WORK, by_turns, run
from targets import Target

FENCES = 100_000
SAMPLE = 100
# Microseconds a fix.
FIX_TARGET = 2


def measure(is_quick):
    """The table and the targets; 62 seconds of 100,000 devices are a gigabyte."""
    devices, seconds, rounds = (10_000, 62, 1) if is_quick else (100_000, 62, 3)
    settings, fixes = fleet.config(FENCES), fleet.lines(devices, seconds)
    outputs = {threads: WORK / f"events-{threads}.jsonl" for threads in (1, 2)}
    runs = by_turns({threads: lambda threads=threads, output=output: fleet.pipe(
        settings, fixes, output, threads) for threads, output in outputs.items()}, rounds)
    trailer = runs[1][0][1]
    assert filecmp.cmp(*outputs.values(), shallow=False), "one thread and two write different bytes"
    assert trailer["used"] == devices * seconds, f"not every fix was used: {trailer}"
    events = prove(settings, fixes, outputs[1], devices)
    rows = [row(threads, fixes, trailer["fixes"], [cost for cost, _ in given])
            for threads, given in runs.items()]
    size = fixes.stat().st_size / 1e9
    text = table([f"{size:.2f} GB of NDJSON, {devices:,} devices, {FENCES:,} fences", "CPU a fix",
                  "wall time", "fixes/s", "MB/s", "peak memory"], rows)
    text += (f"\n\n{sum(trailer['events'].values()):,} events. One thread and two write the same "
             f"bytes. For {SAMPLE} devices, `waymark replay` of the device's lines alone gives the "
             f"same {events:,} lines, byte for byte.")
    ratio = statistics.median(one.wall / two.wall
                              for (one, _), (two, _) in zip(runs[1], runs[2]))
    cost = statistics.median(cost.cpu for cost, _ in runs[1]) / trailer["fixes"] * 1e6
    return {"bench-pipe": text}, [
        Target("`pipe`, 2 threads: times one", 1.7, ratio),
        Target(f"`pipe` of {devices:,} devices in turn", FIX_TARGET, cost, " µs a fix",
               is_most=True)]


def row(threads, fixes, count, costs):
    cpu = statistics.median(cost.cpu for cost in costs)
    wall = statistics.median(cost.wall for cost in costs)
    memory = max(cost.memory for cost in costs) * 1024 / 1e6
    return [f"`waymark pipe --threads {threads}`", f"{cpu / count * 1e6:.2f} µs", f"{wall:.1f} s",
            f"{count / wall:,.0f}", f"{fixes.stat().st_size / wall / 1e6:,.0f}",
            f"{memory:,.0f} MB"]


def prove(settings, fixes, output, devices):
    """Number of events of a sample of devices, the same as in runs alone."""
    chosen = {b"device-%d" % (devices * number // SAMPLE) for number in range(SAMPLE)}
    own, expected = divide(fixes, chosen), divide(output, chosen)
    count = 0
    for device in sorted(chosen):
        file = WORK / "alone.ndjson"
        file.write_bytes(b"".join(own[device]))
        alone = run([fleet.WAYMARK, "replay", file, "--config", settings, "--format", "jsonl"])
        assert alone.output.encode() == b"".join(expected[device]), f"{device} differs alone"
        count += len(expected[device])
    assert count > 0, "the sample has no event"
    return count


def divide(path, chosen):
    """The lines of each of these devices."""
    lines = {device: [] for device in chosen}
    with open(path, "rb") as file:
        for line in file:
            device = line.partition(b'"device":"')[2].partition(b'"')[0]
            if device in lines:
                lines[device].append(line)
    return lines
