#!/usr/bin/env python3
"""Checks which lines of the engine its tests run, and how much of the public modules is comments.

coverage.py PRODUCTS

PRODUCTS is the folder of a build that was tested with coverage (`make coverage`). Prints the share of
the lines of each module that were run, then every line of the modules in WHOLE that was not, then
comment lines a code line, and exits 1 if a floor is missed.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEST_BUNDLE = "waymarkPackageTests.xctest"
# Every line of these is run by the tests; one that no test can reach is deleted or rewritten.
WHOLE = ["Geodesy", "Tracking"]
# Modules whose symbols programs use, and comment lines a code line that each has at least.
COMMENTED = [
    "WaymarkKit", "WaymarkSettings", "WaymarkFoundation", "WaymarkCoreLocation", "CoreLocation",
    "Geodesy", "Estimation", "Fences", "Tracking", "Geocoding",
]
LEAST_COMMENTS = 0.35


def counts(products):
    """By module and file how often each line was run."""
    # Debian's llvm-cov does not read what Swift's compiler writes.
    tool = pathlib.Path(shutil.which("swift")).resolve().parent / "llvm-cov"
    command = [tool, "export", "-format=lcov", "-instr-profile", products / "codecov/default.profdata",
               products / TEST_BUNDLE]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("coverage: the counts cannot be read; run `make coverage`\n" + done.stderr)
    found, lines = {}, {}
    for entry in done.stdout.splitlines():
        key, _, value = entry.partition(":")
        if key == "SF":
            path = pathlib.Path(value)
            lines = {}
            if path.is_relative_to(ROOT / "Sources"):
                name = path.relative_to(ROOT / "Sources")
                found.setdefault(name.parts[0], {})[name] = lines
        elif key == "DA":
            line, count = value.split(",")[:2]
            lines[int(line)] = int(count)
    return found


def check_lines(products):
    """Prints the shares, and returns the lines that should have been run."""
    missed = []
    for module, files in sorted(counts(products).items()):
        lines = sum(len(file) for file in files.values())
        run = sum(count > 0 for file in files.values() for count in file.values())
        print(f"{module:18} {run:5} of {lines:5} lines run, {100 * run / lines:6.2f} %")
        if module in WHOLE:
            missed += [(name, line) for name, file in sorted(files.items())
                       for line, count in sorted(file.items()) if not count]
    for name, line in missed:
        text = (ROOT / "Sources" / name).read_text().splitlines()[line - 1]
        print(f"Sources/{name}:{line}: no test runs this line: {text.strip()}")
    return len(missed)


def check_comments():
    """Prints comment lines a code line, and returns how many modules have too few.

    A line of a comment, or of code, holds a word: blank lines and lone brackets are neither.
    """
    few = 0
    for module in COMMENTED:
        comments = code = 0
        for path in (ROOT / "Sources" / module).rglob("*.swift"):
            for line in path.read_text().splitlines():
                if not re.search(r"\w", line):
                    continue
                if line.lstrip().startswith("//"):
                    comments += 1
                else:
                    code += 1
        share = comments / code
        print(f"{module:18} {comments:5} comment lines to {code:5} of code, {share:.2f}")
        if share < LEAST_COMMENTS:
            few += 1
            print(f"Sources/{module}: {share:.3f} comment lines a code line, expected at least "
                  f"{LEAST_COMMENTS}")
    return few


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    faults = check_lines(pathlib.Path(sys.argv[1])) + check_comments()
    if faults:
        sys.exit(f"coverage: {faults} below their floor, see above")
    print("coverage: every line of " + " and ".join(WHOLE) + " is run, comments are above their floors")


if __name__ == "__main__":
    main()
