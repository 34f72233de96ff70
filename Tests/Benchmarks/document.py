"""Tables of measurements, put into Docs/Performance.md or another document."""

import datetime
import os
import pathlib
import re
import subprocess

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "Docs/Performance.md"


def machine(*more):
    """Date, machine, system, and `more`."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text())
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    words = [
        f"Measured on {datetime.date.today()}",
        f"{os.cpu_count()} cores of {cpu[1] if cpu else 'an unknown processor'}",
        system[1] if system else "an unknown system",
        "Swift " + re.search(r"Swift version (\S+)", swift)[1],
        *more,
        f"load {os.getloadavg()[0]:.1f} at the start",
    ]
    return ", ".join(words) + "."


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def put(name, text, document=DOCUMENT):
    """Puts a table between its marks in a document."""
    before = document.read_text()
    begin, end = f"<!-- table {name} -->\n", "<!-- end -->"
    head, mark, rest = before.partition(begin)
    assert mark, f"{document.name} has no table {name}"
    document.write_text(head + mark + "\n" + text + "\n\n" + end + rest.partition(end)[2])
