"""A day at ten fixes a second, through `feed` and `watch` at full speed."""

import re
import subprocess
import threading
import time

from stream import FENCES, drive, stamp

FIXES = 864_000
RATE = 10


class Memory(threading.Thread):
    """Samples the memory of a process several times a second."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process = process
        self.samples = []
        self.start()

    def run(self):
        begin = time.monotonic()
        while self.process.poll() is None:
            try:
                with open(f"/proc/{self.process.pid}/status") as status:
                    size = re.search(r"VmRSS:\s+(\d+) kB", status.read())
            except OSError:
                return
            if size:
                self.samples.append((time.monotonic() - begin, int(size[1])))
            time.sleep(0.1)

    def figures(self):
        """KiB after a tenth of the time, and the peak."""
        self.join()
        tenth = self.samples[-1][0] / 10
        first = next(size for moment, size in self.samples if moment >= tenth)
        return first, max(size for _, size in self.samples)


def fixes(text):
    found = re.search(r"(\d+) fixes", text)
    return int(found[1]) if found else 0


def measure(program, folder):
    track = folder / "day.csv"
    with open(track, "w") as file:
        file.write("time,latitude,longitude,accuracy,speed,course\n")
        for moment, latitude, longitude, course in drive(FIXES, RATE):
            file.write(f"{stamp(moment)},{latitude:.7f},{longitude:.7f},4,13,{course}\n")
    feed = subprocess.Popen(
        [program, "feed", track, "--speed", "max", "--listen", "127.0.0.1:0"],
        stderr=subprocess.PIPE, text=True)
    port = re.search(r"gpsd://127.0.0.1:(\d+)", feed.stderr.readline())[1]
    begin = time.monotonic()
    watch = subprocess.Popen(
        [program, "watch", f"gpsd://127.0.0.1:{port}", "--no-reconnect", "--format", "jsonl",
         *FENCES, "--output", folder / "day.events", "--state", folder / "day.state"],
        stderr=subprocess.PIPE, text=True)
    memories = Memory(feed), Memory(watch)
    told = watch.communicate()[1]
    wall = time.monotonic() - begin
    served = feed.communicate()[1]
    with open(folder / "day.events") as events:
        lines = sum(1 for _ in events)
    assert fixes(served) == fixes(told) == FIXES, f"fixes were lost:\n{served}{told}"
    return wall, lines, memories[0].figures(), memories[1].figures()
