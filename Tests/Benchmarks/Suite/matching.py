"""Fixes against circles: FencePresence beside other indexes."""

import array
import json
import statistics

from document import table
from indexes import peers
from runs import BIN, WORK, build, by_turns, is_fresh, median_ratio, run
from targets import Target

DEVICES = 1_000
OURS = "`FencePresence`, exact, with transitions"
# Times the peer that ours must take at most one of, by number of fences.
TARGETS = {("nanoflann", 1_000): 3, ("S2CellIndex", 100_000): 6, ("Boost R-tree", 100_000): 7,
           ("Boost R-tree", 1_000_000): 10}
BUILD_TARGET, BYTES_TARGET = 1.5, 120


def inputs(fence_counts, seconds):
    """The file of fixes and those of fences by their number; existing ones are kept."""
    cities = build("cities", "Matching/cities.cpp")
    fixes = WORK / f"fixes-{DEVICES}-{seconds}"
    files = {count: WORK / f"fences-{count}" for count in fence_counts}
    orders = [(fixes, ["fixes", DEVICES, seconds])]
    orders += [(file, ["fences", count]) for count, file in files.items()]
    for file, order in orders:
        if not is_fresh(file, cities):
            run([cities, *order, file])
    return fixes, files


def check(fences, fixes, sample):
    """The hits of each fix by GeographicLib; every decision of ours must be the same."""
    truth = build("truth", "Matching/truth.cpp", "-lGeographicLib",
                  packages=["libgeographiclib-dev"])
    assert truth, "GeographicLib is needed for the truth"
    hits, told = (WORK / f"{fences.name}-{fixes.name}.{end}" for end in ("hits", "truth"))
    if not is_fresh(told, fences, fixes, truth):
        told.write_text(run([truth, fences, fixes, DEVICES, sample, hits]).output)
    true = json.loads(told.read_text())
    ours = run([BIN / "match-bench", "--check", fences, fixes, DEVICES]).report
    assert true["differing"] == 0, "the truth differs with and without boxes"
    different = {key: (ours[key], true[key]) for key in ours if ours[key] != true[key]}
    assert not different, f"{fences.name}: ours and GeographicLib's differ: {different}"
    each = array.array("H")
    each.frombytes(hits.read_bytes())
    return true, each


class Column:
    """One number of fences: the truth, and the reports of every program by round."""

    def __init__(self, count, fences, fixes, everyone, rounds, pairs):
        self.count = count
        # Without an index a fix costs a microsecond a fence.
        self.true, self.each = check(fences, fixes, min(1_000, pairs // count))
        programs = {OURS: lambda: run([BIN / "match-bench", fences, fixes, DEVICES]).report}
        for peer in everyone:
            if count <= peer.most_fences:
                programs[peer.name] = lambda peer=peer: peer.report(fences, fixes, len(self.each))
        self.reports = by_turns(programs, rounds)

    def nanoseconds(self, name):
        return [report["match"] / report["fixes"] * 1e9 for report in self.reports[name]]

    def build(self, name):
        return statistics.median(report["build"] for report in self.reports[name])

    def wrong(self, name):
        """Wrong hits of a program in 10,000, nil with no hits."""
        report = self.reports[name][0]
        true = sum(self.each[:report["fixes"]])
        return abs(report["hits"] - true) / true * 10_000 if true else None

    def cell(self, name):
        if name not in self.reports:
            return "–"
        return f"{statistics.median(self.nanoseconds(name)):,.0f}"


def measure(is_quick):
    """The tables by name, and the targets."""
    seconds, rounds, pairs = (100, 3, 2_000_000) if is_quick else (1_000, 3, 50_000_000)
    everyone, missing = peers(is_quick)
    fixes, files = inputs((10, 1_000, 100_000, 1_000_000), seconds)
    columns = [Column(count, file, fixes, everyone, rounds, pairs)
               for count, file in files.items()]
    names = [OURS] + [peer.name for peer in everyone]
    last = columns[-1]
    rows = []
    for name in names:
        wrongs = [column.wrong(name) for column in columns if name in column.reports]
        worst = max(wrong for wrong in wrongs if wrong is not None)
        rows.append([name, *(column.cell(name) for column in columns),
                     f"{last.build(name):.2f} s" if name in last.reports else "–",
                     f"{worst:.1f}" if worst else "0"])
    rows += [[name, *["not installed"] * len(columns), "", ""] for name in missing]
    text = table([f"{len(last.each):,} fixes, ns a fix with",
                  *(f"{column.count:,}" for column in columns[:-1]), f"{last.count:,} fences",
                  f"{last.count:,} build time", "wrong hits of 10,000"], rows)
    text += "\n\n" + proof(columns)
    return {"bench-matching": text}, list(targets(columns, last))


def proof(columns):
    hits, changes, pairs = (sum(value) for value in zip(*(
        (column.true["hits"], column.true["entries"] + column.true["exits"],
         column.true["sample"] * column.count) for column in columns)))
    return (f"0 differences: every decision of `FencePresence` is GeographicLib's, {hits:,} hits "
            f"and {changes:,} entries and exits; {pairs:,} pairs were decided without the "
            "shortcut by boxes, with the same result.")


def targets(columns, last):
    for column in columns:
        for (name, count), target in TARGETS.items():
            if count == column.count and name in column.reports:
                ratio = median_ratio(column.nanoseconds(name), column.nanoseconds(OURS))
                yield Target(f"matching, {count:,} fences: times {name}", target, ratio)
    seconds, size = last.build(OURS), last.reports[OURS][0]["bytes"] / last.count
    yield Target(f"building {last.count:,} circles", BUILD_TARGET, seconds, " s", is_most=True)
    yield Target("memory a circle", BYTES_TARGET, size, " bytes", is_most=True)
