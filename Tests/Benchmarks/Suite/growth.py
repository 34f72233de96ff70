"""How cost grows with the number of fences and of devices."""

import statistics

import fleet
import matching
from chart import Chart, picture
from document import DOCUMENT, table
from runs import BIN, run

# Devices and seconds by which the fences are asked.
ASKED = 1_000, 100
# Fences for every number of devices, and how many fixes a device has at least.
FENCES, LEAST_SECONDS = 1_000, 10


def measure(is_quick):
    """The tables; the pictures are drawn by a whole run."""
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
            ["devices", "`waymark pipe`, ns a fix", "bytes a device"],
            [[f"{count:,}", *("–" if value is None else f"{value:,.0f}" for value in row)]
             for count, row in zip(devices, by_devices)]),
    }
    if not is_quick:
        draw(fences, by_fences, devices, by_devices)
    return tables, []


def fence_row(count):
    """Nanoseconds a fix of matching and of a pipe, and bytes a fence."""
    fixes, files = matching.inputs([count], ASKED[1])
    reports = [run([BIN / "match-bench", files[count], fixes, ASKED[0]]).report for _ in range(3)]
    presence = statistics.median(report["match"] / report["fixes"] for report in reports)
    if count > 1_000_000:
        files[count].unlink()
    return presence * 1e9, pipe_cost(count, *ASKED)[0], reports[0]["bytes"] / count


def device_row(count, fixes):
    """Nanoseconds a fix, and bytes a device where that can be told from what the program needs."""
    cost, memory = pipe_cost(FENCES, count, max(LEAST_SECONDS, fixes // count))
    alone = pipe_cost(FENCES, 1, LEAST_SECONDS)[1]
    return cost, (memory - alone) / count if count >= 10_000 else None


def pipe_cost(fences, devices, seconds):
    """Nanoseconds of the processor a fix, and bytes of memory, of `waymark pipe`; what a run of no
    fixes takes is taken off the time."""
    settings, fixes = fleet.config(fences), fleet.lines(devices, min(seconds, 86_400))
    cost, trailer = fleet.pipe(settings, fixes, "/dev/null")
    begun, _ = fleet.pipe(settings, "/dev/null", "/dev/null")
    if fixes.stat().st_size > 1e9:
        fixes.unlink()
    return (cost.cpu - begun.cpu) / trailer["fixes"] * 1e9, cost.memory * 1024


def draw(fences, by_fences, devices, by_devices):
    """Writes the pictures into Docs."""
    presence, pipe, bytes_a_fence = zip(*by_fences)
    folder = DOCUMENT.parent
    (folder / "Performance-Fences.svg").write_text(picture(
        [Chart("ns a fix", "fences", {
            "FencePresence": list(zip(fences, presence)), "waymark pipe": list(zip(fences, pipe))}),
         Chart("bytes a fence", "fences", {"circles": list(zip(fences, bytes_a_fence))})],
        "Time a fix and memory a fence against the number of fences"))
    costs, sizes = zip(*by_devices)
    (folder / "Performance-Devices.svg").write_text(picture(
        [Chart("ns a fix", "devices", {"waymark pipe": list(zip(devices, costs))}),
         Chart("bytes a device", "devices", {"waymark pipe": [
             (count, size) for count, size in zip(devices, sizes) if size]})],
        "Time a fix and memory a device against the number of devices"))
