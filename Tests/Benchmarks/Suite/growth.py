"""How cost grows with the number of fences and of devices."""

import statistics

import fleet
import matching
from chart import Chart, picture
from document import DOCUMENT, table
from runs import BIN, run
from targets import Target

# Devices and seconds of the matching runs.
ASKED = 1_000, 100
# Fences for every number of devices, and how many fixes a device has at least.
FENCES, LEAST_SECONDS = 100_000, 10
# No fence is near most of the devices, and nothing else is reported.
IDLE = 10, "visits: false", "significant-changes: false"
# So many devices are kept as they are, and those beyond are packed.
KEPT = 5_000
IDLE_TARGET = 400


def measure(is_quick):
    """The tables; only a whole run draws the pictures."""
    fences = [10 ** power for power in range(1, 6 if is_quick else 8)]
    devices = [10 ** power for power in range(0, 5 if is_quick else 7)]
    by_fences = [fence_row(count) for count in fences]
    by_devices = [device_row(count, 20_000 if is_quick else 1_000_000) for count in devices]
    tables = {
        "bench-fences": table(
            ["fences", "`FencePresence`, ns a fix", "`waymark pipe`, ns a fix", "bytes a fence"],
            [[f"{count:,}", *(f"{value:,.0f}" for value in row)]
             for count, row in zip(fences, by_fences)]),
        "bench-devices": table(
            ["devices", "`waymark pipe`, ns a fix", "bytes a device in cities",
             "bytes an idle device, no fence near"],
            [[f"{count:,}", *("–" if value is None else f"{value:,.0f}" for value in row)]
             for count, row in zip(devices, by_devices)]),
    }
    if not is_quick:
        draw(fences, by_fences, devices, by_devices)
    size = by_devices[-1][-1]
    return tables, [Target(f"an idle device of {devices[-1]:,}", IDLE_TARGET, size, " bytes",
                           is_most=True)]


def fence_row(count):
    """Nanoseconds a fix of matching and of a pipe, and bytes a fence."""
    fixes, files = matching.inputs([count], ASKED[1])
    reports = [run([BIN / "match-bench", files[count], fixes, ASKED[0]]).report for _ in range(3)]
    presence = statistics.median(report["match"] / report["fixes"] for report in reports)
    if count > 1_000_000:
        files[count].unlink()
    return presence * 1e9, nanoseconds(fleet.config(count), *ASKED), reports[0]["bytes"] / count


def device_row(count, fixes):
    """Nanoseconds a fix, and bytes a device of two kinds without the program's own."""
    settings = fleet.config(FENCES)
    cost = nanoseconds(settings, count, min(max(LEAST_SECONDS, fixes // count), 86_400))
    if count < 2 * KEPT:
        return cost, None, None
    return cost, memory(settings, count), memory(fleet.config(*IDLE), count)


def nanoseconds(settings, devices, seconds):
    """CPU a fix of `waymark pipe`, without the first two of each device: the first reports the
    initial states."""
    (long, most), (short, least) = (pipe(settings, devices, count) for count in (seconds, 2))
    return (long.cpu - short.cpu) / (most["fixes"] - least["fixes"]) * 1e9


def memory(settings, devices):
    """Bytes that each device beyond the first takes."""
    many, few = (pipe(settings, count, LEAST_SECONDS)[0].memory for count in (devices, KEPT))
    return (many - few) * 1024 / (devices - KEPT)


def pipe(settings, devices, seconds):
    fixes = fleet.lines(devices, seconds)
    given = fleet.pipe(settings, fixes, "/dev/null")
    if fixes.stat().st_size > 1e9:
        fixes.unlink()
    return given


def draw(fences, by_fences, devices, by_devices):
    """Writes the pictures into Docs."""
    presence, pipe, bytes_a_fence = zip(*by_fences)
    folder = DOCUMENT.parent
    (folder / "Performance-Fences.svg").write_text(picture(
        [Chart("ns a fix", "fences", {
            "FencePresence": list(zip(fences, presence)), "waymark pipe": list(zip(fences, pipe))}),
         Chart("bytes a fence", "fences", {"circles": list(zip(fences, bytes_a_fence))})],
        "Time a fix and memory a fence against the number of fences"))
    costs, sizes, idle = zip(*by_devices)
    known = [place for place, size in enumerate(sizes) if size]
    (folder / "Performance-Devices.svg").write_text(picture(
        [Chart("ns a fix", "devices", {"waymark pipe": list(zip(devices, costs))}),
         Chart("bytes a device", "devices", {
             "in cities, with visits": [(devices[place], sizes[place]) for place in known],
             "idle, no fence near": [(devices[place], idle[place]) for place in known]})],
        "Time a fix and memory a device against the number of devices"))
