"""The programs that are compared."""

import subprocess
import sys

from stream import FENCES

FIXES = ["--include", "fix", "--include", "enter", "--include", "exit"]


class Client:
    def __init__(self, name, folder, command, files=()):
        self.name = name
        self.folder = folder
        self.command = command
        self.files = files

    def clean(self):
        """Removes the state of the previous run."""
        for file in self.files:
            for path in self.folder.glob(file + "*"):
                path.unlink()


def watch(name, program, folder, options, kept):
    """`waymark watch` with ten fences; with or without an event file and a state."""
    files = ["--output", folder / "events", "--state", folder / "state"] if kept else []
    return Client(
        name, folder,
        lambda port: [program, "watch", f"gpsd://127.0.0.1:{port}", "--no-reconnect",
                      "--format", "jsonl", *FENCES, *options, *files],
        ("events", "state"))


def watches(label, program, folder):
    """The variants of watch with one build."""
    return [
        watch(f"`watch`, {label}, every fix and event printed", program, folder, FIXES, False),
        watch(f"`watch`, {label}, every fix and event to a file, `--state`", program, folder,
              FIXES, True),
        watch(f"`watch`, {label}, events only", program, folder, [], False),
        watch(f"`watch`, {label}, events only to a file, `--state`", program, folder, [], True),
    ]


def peers(folder, sources):
    """Plain clients of libgps: they decide nothing, and print a line a fix."""
    binary = folder / "gps_read"
    subprocess.run(["gcc", "-O2", sources / "gps_read.c", "-o", binary, "-lgps"], check=True)
    found = [Client("C client of libgps: `gps_waiting`, `gps_read`, `printf`", folder,
                    lambda port: [binary, str(port)])]
    # Debian's modules are for Debian's Python.
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import gps"], stderr=subprocess.DEVNULL).returncode == 0:
        found.append(Client("Python client: python3-gps, `print`", folder,
                            lambda port: [python, sources / "gps_read.py", str(port)]))
    else:
        print("python3-gps is not installed: its row is left out", file=sys.stderr)
    return found
