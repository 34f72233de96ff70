#!/usr/bin/env python3
"""The cost of a large report: writing, size, opening, panning; see Docs/Maps.md.

    page.py PROGRAM [--write] [--points 1000000]
"""

import argparse
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import document  # noqa: E402
from document import table  # noqa: E402

BROWSER = "/usr/bin/chromium-headless-shell"
DOCUMENT = HERE.parents[2] / "Docs/Maps.md"
START = 1_767_225_600
# Milliseconds; far more than anything takes.
LIMIT = 10 * 60_000
# A fix each second, for so many seconds at each place; the third is a walk at noon.
HOME, OFFICE, LUNCH = (0, 0), (9_000, 5_000), (9_400, 5_500)
DAY = [(HOME, 28_000, 12), (OFFICE, 14_000, 1.4), (LUNCH, 2_400, 1.4), (OFFICE, 16_000, 12)]
FENCES = """fences:
  - {id: home, center: [50, 8], radius: 150 m}
  - {id: office, center: [50.045, 8.1257], radius: 150 m}
  - {id: way, center: [50.022, 8.06], radius: 800 m}
"""


def places():
    """Metres east and north, second by second: the days of somebody who goes to work."""
    while True:
        for number, (place, stay, speed) in enumerate(DAY):
            yield from [place] * stay
            following = DAY[(number + 1) % len(DAY)][0]
            steps = int(math.dist(place, following) / speed)
            for step in range(steps):
                share = step / steps
                # Bends, as streets have.
                bend = 150 * math.sin(share * 20) * math.sin(share * math.pi)
                yield (place[0] + share * (following[0] - place[0]) + bend,
                       place[1] + share * (following[1] - place[1]) - bend)


def write_track(path, points):
    """A receiver's errors: a slow one of 4 m, and 0.7 m from fix to fix."""
    chance = random.Random(21)
    east = north = 0.0
    with open(path, "w") as file:
        file.write("device,time,latitude,longitude,accuracy\n")
        for second, (x, y) in zip(range(points), places()):
            east = 0.99 * east + chance.gauss(0, 0.56)
            north = 0.99 * north + chance.gauss(0, 0.56)
            latitude = 50 + (y + north + chance.gauss(0, 0.7)) / 111_230
            longitude = 8 + (x + east + chance.gauss(0, 0.7)) / 71_600
            accuracy = 4 + abs(east) + abs(north)
            file.write(f"van,{START + second},{latitude:.7f},{longitude:.7f},{accuracy:.1f}\n")


FRAMES = """() => {
  window.frames_ = [];
  const tick = (now) => {
    window.frames_.push(now);
    window.ticking = requestAnimationFrame(tick);
  };
  window.ticking = requestAnimationFrame(tick);
}"""


def drag(page):
    """Drags the map about with the mouse; the times between frames, milliseconds."""
    box = page.locator("#map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    for step in range(180):
        angle = step / 15
        page.mouse.move(x + 300 * math.sin(angle), y + 200 * math.sin(2 * angle))
        page.evaluate("new Promise(requestAnimationFrame)")
    times = page.evaluate("(cancelAnimationFrame(window.ticking), window.frames_)")
    page.mouse.up()
    return [b - a for a, b in zip(times, times[1:])]


def browse(path):
    """Seconds to open the page, and the frames of each zoom."""
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(LIMIT)
        begin = time.perf_counter()
        page.goto(f"file://{path}")
        page.wait_for_function("() => window.waymark")
        page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        opened = time.perf_counter() - begin
        frames = {}
        for zoom in (None, 11, 13, 15, 17, 19):
            if zoom:
                page.evaluate("z => waymark.map.setView([50.0449, 8.125], z, {animate: false})", zoom)
            frames[zoom or page.evaluate("waymark.map.getZoom()")] = drag(page)
        browser.close()
    return opened, frames


def met(value, most):
    return "met" if value <= most else "missed"


def measure(program, points):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_track(folder / "track.csv", points)
        (folder / "waymark.yaml").write_text(FENCES)
        begin = time.perf_counter()
        subprocess.run(
            [program, "report", folder / "track.csv", "--config", folder / "waymark.yaml", "-o",
             folder / "page.html"], check=True, capture_output=True)
        written = time.perf_counter() - begin
        size = (folder / "page.html").stat().st_size / 1e6
        opened, frames = browse(folder / "page.html")
    rows = [["writing the page", "under 15 s", f"{written:.1f} s", met(written, 15)],
            ["its size", "under 20 MB", f"{size:.1f} MB", met(size, 20)],
            ["opening it", "under 3 s", f"{opened:.1f} s", met(opened, 3)]]
    for zoom, times in frames.items():
        rate, longest = 1000 * len(times) / sum(times), max(times)
        rows.append([f"dragging the map at zoom {zoom}", "30 frames/s",
                     f"{rate:.0f} frames/s, the longest took {longest:.0f} ms", met(-rate, -30)])
    return table([f"{points:,} fixes", "target", "measured", ""], rows)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--points", type=int, default=1_000_000)
    chosen = options.parse_args()
    text = document.machine() + "\n\n" + measure(chosen.program.resolve(), chosen.points)
    print(text)
    if chosen.write:
        document.put("report", text, DOCUMENT)


main()
