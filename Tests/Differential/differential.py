#!/usr/bin/env python3
"""differential.py WORKER [--seconds N | --count N] [--seed S] [--start N] [--only NAME]...

Made-up and mutated inputs are given to the project's own code and to others that read the same, and
what both say is compared. A difference fails the run, with the input in .build/differential and a line
that does it again; those that are meant are counted, each with its reason, which the modules have.
"""
import argparse
import os
import random
import sys
import time

import csv_tables
import documents
import earth
import fit
import geojson
import gpx
import json_formats
import json_grammar
import receivers
import shapes
import timelines
from worker import Worker

CHECKS = {
    "gpx-expat": gpx.against_expat,
    "gpx-gpsbabel": gpx.against_gpsbabel,
    "gpx-gpxpy": gpx.against_gpxpy,
    **documents.CHECKS,
    "fit-readers": fit.against_readers,
    **csv_tables.CHECKS,
    "json-grammar": json_grammar.against_grammar,
    **json_formats.CHECKS,
    **timelines.CHECKS,
    "geojson-ogr2ogr": geojson.against_ogr,
    "geojson-exact": shapes.on_a_grid,
    "geojson-shapely": shapes.against_shapely,
    "nmea-gpsbabel": receivers.against_gpsbabel,
    "gpsd-libgps": receivers.against_libgps,
    "geodesics": earth.geodesics,
    "crossings": earth.crossings,
    "fences": earth.fences,
}
FOLDER = ".build/differential"


class Check:
    """What came of one comparison with another program."""

    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        self.cases = self.values = 0
        self.accepted = {}
        self.failures = []

    def compared(self, count):
        self.values += count

    def accept(self, reason):
        self.accepted[reason] = self.accepted.get(reason, 0) + 1

    def fail(self, message, data):
        os.makedirs(FOLDER, exist_ok=True)
        path = f"{FOLDER}/{self.name}-{self.seed}-{self.cases}"
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        self.failures.append(message)
        print(f"{self.name}: case {self.cases}: {message[:400]}\n  the input is {path}; again: "
              f"differential.py WORKER --only {self.name} --seed {self.seed} "
              f"--start {self.cases} --count 1", flush=True)

    def run(self, compare, worker, start, count, seconds):
        end = time.monotonic() + seconds
        self.cases = start
        while self.cases < start + count and time.monotonic() < end and len(self.failures) < 5:
            # Each case has a seed of its own, so that it can be done again by itself.
            compare(self, random.Random(f"{self.name} {self.seed} {self.cases}"), worker)
            self.cases += 1
        self.cases -= start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("--seconds", type=float, default=10, help="for each comparison")
    parser.add_argument("--count", type=int, default=1 << 62, help="of cases for each comparison")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", action="append", choices=list(CHECKS))
    options = parser.parse_args()
    worker = Worker(options.worker)
    print(f"seed {options.seed}, {options.seconds:g} s each")
    failures = 0
    for name in options.only or CHECKS:
        check = Check(name, options.seed)
        start = time.monotonic()
        check.run(CHECKS[name], worker, options.start, options.count, options.seconds)
        seconds = time.monotonic() - start
        print(f"{name:16} {check.cases:>8} cases {check.values:>9} comparisons "
              f"{len(check.failures)} differences  {seconds:.0f} s", flush=True)
        for reason, count in sorted(check.accepted.items()):
            print(f"{'':16} {count:>8} {reason}")
        failures += len(check.failures)
    sys.exit(1 if failures else 0)


main()
