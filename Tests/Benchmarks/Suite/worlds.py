"""The engine alone in worlds of many kinds: see Tests/Benchmarks/Engine/Worlds.swift."""

import statistics

from document import table
from runs import BIN, by_turns, run
from targets import Target

# So many fixes are timed of each world, at least.
FIXES = 200_000


class World:
    """A world of engine-bench by its name here, and how many laps of it are counted."""

    def __init__(self, name, kind, size, laps=1):
        self.name, self.kind, self.size, self.laps = name, kind, size, laps

    def play(self, laps):
        return run([BIN / "engine-bench", self.kind, self.size, laps])

    def laps_timed(self):
        """So many that they have ``FIXES``."""
        return 1 + -(-FIXES // self.play(1).report["lap"])

    def seconds(self, laps):
        """CPU a fix, without what is done once."""
        long, short = self.play(laps), self.play(1)
        return (long.cpu - short.cpu) / (long.report["fixes"] - short.report["fixes"])


DRIVE = World("10 fences", "drive", 10, laps=10)
TOWN = [World("a town without fences", "town", 0),
        World("a town, 1,000 fences, a crossing in 23 fixes", "town", 1_000)]
POLYGONS = [World(f"in a polygon of {vertices:,}", "inside", vertices, laps=3)
            for vertices in (10, 1_000, 10_000, 100_000)]
PHONES = World("four phones, a fix every 30 s", "phones", 30)
LEAPS = [World(f"two leaps of 980 km in 120 fixes, {fences:,} fences", "leap", fences, laps=20)
         for fences in (0, 200_000)]
COUNTED = [
    DRIVE, World("1,000 fences", "drive", 1_000, laps=10), *TOWN,
    World("the town, 500 devices in turn, 64 of them not packed", "fleet", 500, laps=2), *POLYGONS,
    World("along an edge of 1,000 vertices", "edge", 1_000, laps=2), *LEAPS, PHONES,
    World("four phones, hard errors", "hard", 30),
    World("four phones, silent at rest", "silent", 1),
    World("four phones, positions of networks", "network", 1),
    World("four phones, stale positions", "stale", 1),
    World("four boats", "boats", 1), World("four collars", "collars", 14),
]
# Timed only: valgrind would take minutes.
TIMED = [World("four phones, a fix every second", "phones", 1),
         World("two leaps of 980 km in 120 fixes, 1,000,000 fences", "leap", 1_000_000)]


def measure(is_quick):
    """The table and the targets."""
    chosen = COUNTED if is_quick else COUNTED + TIMED
    laps = {world: world.laps_timed() for world in chosen}
    given = by_turns({world: lambda world=world: world.seconds(laps[world]) for world in chosen},
                     1 if is_quick else 3)
    costs = {world: statistics.median(seconds) for world, seconds in given.items()}
    rows = [[world.name, f"{cost * 1e9:,.0f} ns", f"{cost / costs[DRIVE]:.2f}"]
            for world, cost in costs.items()]
    polygons = max(costs[world] for world in POLYGONS) / costs[POLYGONS[0]]
    leap = (costs[LEAPS[1]] - costs[LEAPS[0]]) * 60
    return {"bench-worlds": table(
        [f"{FIXES:,} fixes and more of each world", "CPU a fix", "times 10 fences"], rows)}, [
        Target("a polygon of any size: times one of 10 vertices", 1.5, polygons, is_most=True),
        Target("a town with 1,000 fences: times without", 1.3, costs[TOWN[1]] / costs[TOWN[0]],
               is_most=True),
        Target("a phone's day: times the drive", 1.2, costs[PHONES] / costs[DRIVE], is_most=True),
        Target("a leap of 980 km over 200,000 fences", 0.02, leap, " s", is_most=True)]
