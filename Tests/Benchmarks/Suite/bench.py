#!/usr/bin/env python3
"""Our paths beside the peers of Debian and PyPI, in the same run; see Docs/Performance.md.

    bench.py [--quick] [--write] [--only matching,reading,engine,worlds,pipe,testing,growth]
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import document  # noqa: E402
import engine  # noqa: E402
import growth  # noqa: E402
import matching  # noqa: E402
import pipe  # noqa: E402
import reading  # noqa: E402
import testing  # noqa: E402
import worlds  # noqa: E402
from runs import WORK, install  # noqa: E402

PARTS = {part.__name__: part for part in (reading, matching, engine, worlds, pipe, testing, growth)}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", action="store_true")
    options.add_argument("--only", default=",".join(PARTS))
    chosen = options.parse_args()
    WORK.mkdir(exist_ok=True)
    assert install("time"), "measuring memory needs `time`"

    def show(name, text):
        print(text, end="\n\n", flush=True)
        if chosen.write:
            document.put(name, text)

    show("bench-machine", document.machine())
    # What other parts reached in their last whole run stays in the table.
    kept = WORK / "targets.json"
    reached = json.loads(kept.read_text()) if chosen.write and kept.exists() else {}
    for name in chosen.only.split(","):
        tables, targets = PARTS[name].measure(chosen.quick)
        for title, text in tables.items():
            show(title, text)
        reached[name] = [target.row() for target in targets]
        if chosen.write:
            kept.write_text(json.dumps(reached))
    show("bench-targets", document.table(
        ["", "target", "measured", ""],
        [row for name in PARTS for row in reached.get(name, [])]))


main()
