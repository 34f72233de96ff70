#!/usr/bin/env python3
"""Writes functions.order: the functions that usual runs of the program call.

    order.py PROGRAM

The linker puts these functions side by side. The kernel maps 64 KiB around each page that a program
touches, so without it four fifths of the code are in memory as soon as some of each part have run:
21 MiB instead of 5. valgrind lists the functions of a replay with a store, of a pipe and of a watch that
delivers to a webhook, a broker and a command. A function that is missing here, because its name has
changed, costs a page; nothing else depends on the file.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ORDER = HERE / "functions.order"
DELIVERY = ROOT / "Tests/Benchmarks/Delivery/delivery.py"
STORY = ROOT / "traces/commute"
# How many seconds a run may take under valgrind.
LIMIT = 900


def valgrind(folder, program):
    return ["valgrind", "--tool=callgrind", "--compress-strings=no", "--demangle=no",
            f"--callgrind-out-file={folder}/%p.calls", program]


def functions(folder, program):
    """The names of all functions of a program that were called, without duplicates of recursion."""
    names = set()
    for path in sorted(folder.glob("*.calls")):
        is_program = False
        for line in path.open(errors="replace"):
            if line.startswith("ob="):
                is_program = line[3:].strip() == str(program)
            elif line.startswith("fn=") and is_program:
                names.add(re.sub(r"'\d+$", "", line[3:].strip()))
    # Those without a name are written as addresses.
    return sorted(name for name in names if not name.startswith(("0x", "(")))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "program"
        # valgrind cannot read the debug information of Swift.
        subprocess.run(["strip", "-g", "-o", program, sys.argv[1]], check=True)
        watched = folder / "waymark"
        command = " ".join(valgrind(folder, str(program)))
        # valgrind's command first: the peers of the watch are not listed.
        watched.write_text(f'#!/bin/sh\n[ "$1" = watch ] || exec {program} "$@"\n'
                           f'exec {command} "$@"\n')
        watched.chmod(0o755)
        replay = ["replay", STORY / "track.gpx", "--config", STORY / "waymark.yaml"]
        pipe = ["pipe", "--config", STORY / "waymark.yaml"]
        fix = b'{"type":"fix","time":"2025-03-10T01:00:00Z","latitude":10,"longitude":20,"accuracy":5}\n'
        runs = [
            (valgrind(folder, program) + replay, b""),
            (valgrind(folder, program) + replay
             + ["--format", "jsonl", "--store", folder / "store.gpkg"], b""),
            (valgrind(folder, program) + pipe, fix),
            ([sys.executable, "-B", DELIVERY, watched, "--only", "memory", "--quick"], b""),
        ]
        for run, data in runs:
            subprocess.run(run, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
                           check=True, timeout=LIMIT)
        found = functions(folder, program)
    if len(found) < 1000:
        sys.exit(f"order.py: only {len(found)} functions were found, expected thousands")
    ORDER.write_text("".join(f"{name}\n" for name in found))
    print(f"{ORDER.relative_to(ROOT)}: {len(found):,} functions")


if __name__ == "__main__":
    main()
