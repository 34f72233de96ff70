#!/usr/bin/env python3
"""The cost of watching: CPU per fix, latency, and memory over a day; see Docs/Performance.md.

    live.py PROGRAM PROGRAM-WITHOUT-LIBGPS [--write] [--only cost,pace,latency,day]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import clients  # noqa: E402
import cost  # noqa: E402
import day  # noqa: E402
import document  # noqa: E402
import latency  # noqa: E402
from document import put, table  # noqa: E402
from stream import reports  # noqa: E402

COUNT, PACED, PACE, RATE = 200_000, 5_000, 1_000, 10
# libgps's own gps_read, used from Swift, on Debian 12 (gpsd 3.22).
TARGET = 21.0


def machine():
    """Date and machine."""
    daemon = subprocess.run(["gpsd", "-V"], capture_output=True, text=True,
                            env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"}).stdout
    return document.machine("gpsd " + re.search(r"gpsd: (\S+)", daemon)[1])


def costs(everyone):
    medians = cost.measure(everyone, reports(COUNT, RATE))
    micros = {name: seconds / COUNT * 1e6 for name, seconds in medians.items()}
    peer = next(value for name, value in micros.items() if name.startswith("C client"))
    return table(
        [f"{COUNT:,} fixes, at full speed", "CPU a fix", "times the C client",
         f"target {TARGET:.0f} µs"],
        [[name, f"{value:.1f} µs", f"{value / peer:.2f}",
          ("met" if value < TARGET else "missed") if "`watch`" in name else ""]
         for name, value in micros.items()])


def paced(everyone):
    started = cost.measure(everyone, [])
    medians = cost.measure(everyone, reports(PACED, RATE), PACE)
    return table(
        [f"{PACED:,} fixes, {PACE:,} a second: each wakes the program", "CPU a fix", "start-up"],
        [[name, f"{(medians[name] - started[name]) / PACED * 1e6:.1f} µs",
          f"{started[name] * 1000:.0f} ms"]
         for name in medians])


def latencies(program):
    rows = []
    for rate, count in (1, 30), (10, 300), (100, 3000):
        own = latency.measure(latency.watching, program, rate, count)
        bare = latency.measure(latency.listening, program, rate, count)
        rows.append([f"{rate} Hz", f"{own[2]} of {own[3]}", f"{own[0]:.2f} ms",
                     f"{own[1]:.2f} ms", f"{bare[0]:.2f} ms", f"{bare[1]:.2f} ms"])
    return table(["NMEA to gpsd to a line of `watch`", "reported", "median", "99th percentile",
                  "gpsd alone, median", "99th percentile"], rows)


def days(program, folder):
    wall, events, feed, watch = day.measure(program, folder)
    return table(
        [f"{day.FIXES:,} fixes: 24 hours at {day.RATE} Hz", "memory after a tenth", "peak"],
        [["`waymark feed --speed max`", f"{feed[0] / 1024:.1f} MiB", f"{feed[1] / 1024:.1f} MiB"],
         ["`waymark watch --state`, 10 fences", f"{watch[0] / 1024:.1f} MiB",
          f"{watch[1] / 1024:.1f} MiB"]]
    ) + f"\n\nIt took {wall:.1f} s; {events:,} events; both count {day.FIXES:,} fixes."


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("plain", type=pathlib.Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--only", default="cost,pace,latency,day")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        others = clients.peers(folder, HERE.parent / "Peers")
        libgps = clients.watches("libgps", chosen.program, folder)
        swift = clients.watches("Swift reader", chosen.plain, folder)
        tables = {
            "live-machine": machine,
            "live-cost": lambda: costs(libgps + swift + others),
            "live-pace": lambda: paced([libgps[0], libgps[1], swift[0], swift[1]] + others),
            "live-latency": lambda: latencies(chosen.program),
            "live-day": lambda: days(chosen.program, folder),
        }
        for name, make in tables.items():
            if name != "live-machine" and name.removeprefix("live-") not in chosen.only.split(","):
                continue
            text = make()
            print(text, end="\n\n", flush=True)
            if chosen.write:
                put(name, text)


main()
