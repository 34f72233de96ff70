#!/usr/bin/env python3
"""live-view.py WAYMARK: the live view of `watch` in a terminal emulator (pyte).

The view is drawn many times on terminals of several sizes, with wide characters in the names. Each
drawing must replace the one before it: the screen shows one view, and no drawing has scrolled away. So
it is when the terminal changes its size; Ctrl-C leaves nothing of it, and TERM=dumb gets lines alone.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time

import pyte

DEVICES = ["van", "渡し船のとても長い名前です", "👩‍👩‍👧‍👦🚢 ferry", "e\u0301te\u0301 cafe\u0301", "페리 ｆｅｒｒｙ"]
SIZES = [(10, 12), (24, 12), (41, 12), (80, 24), (40, 4)]
REPORTS = 6
# Seconds for each terminal.
LIMIT = 60.0


class Terminal:
    """A screen, and `watch` that writes on it."""

    def __init__(self, waymark, device, columns, rows, term="xterm"):
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self.stream = pyte.ByteStream(self.screen)
        self.end = time.monotonic() + LIMIT
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(LIMIT)
        address = f"gpsd://127.0.0.1:{self.listener.getsockname()[1]}"
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.process = subprocess.Popen(
            [waymark, "watch", address, "--device", device, "--fence", f"{device} 家=52.5,13.4,100"],
            stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, start_new_session=True,
            env=os.environ | {"TERM": term}, preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.client = None

    def resize(self, columns, rows):
        # A terminal keeps the line of the cursor on its screen; pyte drops lines at the top, and leaves
        # the cursor where it was.
        screen = self.screen
        gone = max(0, screen.cursor.y + 1 - rows)
        if gone:
            x, y = screen.cursor.x, screen.cursor.y
            screen.cursor_position()
            screen.delete_lines(gone)
            screen.cursor.x, screen.cursor.y = x, y - gone
        for row in range(rows, screen.lines):
            screen.buffer.pop(row, None)
        screen.lines = min(screen.lines, rows)
        screen.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def interrupt(self):
        """Ctrl-C, which the terminal echoes; reads what the program still writes."""
        os.write(self.master, b"\x03")
        while self.process.poll() is None or select.select([self.master], [], [], 0)[0]:
            if time.monotonic() > self.end:
                return
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.stream.feed(os.read(self.master, 65536))
                except OSError:
                    return

    def close(self):
        self.process.kill()
        self.process.wait(timeout=LIMIT)
        os.close(self.master)
        self.listener.close()
        if self.client:
            self.client.close()

    def send(self, **report):
        self.client.sendall((json.dumps(report) + "\n").encode())

    def connect(self):
        self.client, _ = self.listener.accept()
        self.client.settimeout(LIMIT)
        self.send(**{"class": "VERSION", "release": "3.25", "rev": "3.25", "proto_major": 3, "proto_minor": 15})
        self.client.recv(4096)
        device = {"class": "DEVICE", "path": "/dev/gps", "activated": "2025-03-10T08:00:00.000Z"}
        self.send(**{"class": "DEVICES", "devices": [device]})

    def report(self, second):
        self.send(**{
            "class": "TPV", "device": "/dev/gps", "mode": 3, "time": f"2025-03-10T08:00:{second:02}.000Z",
            "lat": 52.5 + second / 1000, "lon": 13.4, "eph": 4.0, "speed": 5.0, "altMSL": 34.0})

    def shows(self, text):
        """Whether a line begins with a text before the time is up."""
        while not any(line.startswith(text) for line in self.screen.display):
            left = self.end - time.monotonic()
            if left < 0 or not select.select([self.master], [], [], left)[0]:
                return False
            self.stream.feed(os.read(self.master, 65536))
        return True

    def lines(self):
        """Every line, those that scrolled away first."""
        columns = range(self.screen.columns)
        return ["".join(line[x].data for x in columns) for line in self.screen.history.top] + self.screen.display


def problem(waymark, device, columns, rows):
    """What is wrong on a terminal, with its lines; None when nothing is."""
    terminal = Terminal(waymark, device, columns, rows)
    try:
        terminal.connect()
        for second in range(REPORTS):
            terminal.report(second)
            if not terminal.shows(f"  52.50{second}"):
                return f"position {second} is not shown", terminal.lines()
        lines = terminal.lines()
        positions = sum(re.match(r" *52\.50", line) is not None for line in lines)
        if positions != 1:
            return f"{positions} lines with a position, expected 1", lines
        # The first characters that no message begins with; a message may be cut before any letter.
        names = sum(line.startswith(device[0]) for line in lines)
        if not device[0].isascii() and names > 1:
            return f"{names} lines with the device, expected 1", lines
        return None
    finally:
        terminal.close()


def resized(waymark):
    """What is wrong when the terminal changes its size between drawings."""
    terminal = Terminal(waymark, "渡し船", 80, 24)
    try:
        terminal.connect()
        for second, (columns, rows) in enumerate([(80, 24), (30, 24), (100, 24), (100, 10), (24, 8), (80, 24)]):
            terminal.resize(columns, rows)
            terminal.report(second)
            if not terminal.shows(f"  52.50{second}"):
                return f"position {second} is not shown at {columns} x {rows}", terminal.lines()
        lines = terminal.screen.display
        positions = sum(re.match(r" *52\.50", line) is not None for line in lines)
        return None if positions == 1 else (f"{positions} lines with a position, expected 1", lines)
    finally:
        terminal.close()


def interrupted(waymark):
    """What Ctrl-C leaves on the screen."""
    # Wide enough for the summary.
    terminal = Terminal(waymark, "van", 120, 24)
    try:
        terminal.connect()
        terminal.report(0)
        if not terminal.shows("  52.500"):
            return "the position is not shown", terminal.lines()
        terminal.interrupt()
        lines = [line.rstrip() for line in terminal.lines() if line.strip()]
        scraps = [line for line in lines if not line.startswith("waymark: ")]
        return (f"Ctrl-C leaves {scraps}", lines) if scraps else None
    finally:
        terminal.close()


def dumb(waymark):
    """What is wrong on a terminal that knows no sequences."""
    terminal = Terminal(waymark, "van", 80, 24, term="dumb")
    seen = b""
    try:
        terminal.connect()
        for second in range(REPORTS):
            terminal.report(second)
        while b"waymark: fix: " not in seen:
            left = terminal.end - time.monotonic()
            if left < 0 or not select.select([terminal.master], [], [], left)[0]:
                return "no message about the fix", [seen.decode(errors="replace")]
            seen += os.read(terminal.master, 65536)
        terminal.report(REPORTS)
        terminal.process.send_signal(signal.SIGTERM)
        terminal.process.wait(timeout=LIMIT)
        while select.select([terminal.master], [], [], 0)[0]:
            try:
                seen += os.read(terminal.master, 65536)
            except OSError:
                break
        return ("it draws a view", [seen.decode(errors="replace")]) if b"\x1b" in seen else None
    finally:
        terminal.close()


def main():
    waymark = os.path.abspath(sys.argv[1])
    cases = [(device, size) for device in DEVICES for size in SIZES]
    failures = 0
    for device, (columns, rows) in cases:
        found = problem(waymark, device, columns, rows)
        if found:
            failures += 1
            print(f"{device!r} on {columns} x {rows}: {found[0]}", *found[1], sep="\n", file=sys.stderr)
    for check in (resized, interrupted, dumb):
        found = check(waymark)
        if found:
            failures += 1
            print(f"{check.__name__}: {found[0]}", *found[1], sep="\n", file=sys.stderr)
    cases += ["resized", "interrupted", "dumb"]
    print(f"live view: {len(cases) - failures} of {len(cases)} terminals show it right")
    sys.exit(1 if failures else 0)


main()
