#!/usr/bin/env python3
"""Makes geodsolve.txt, the geodesics that the tests compare ours with.

    python3 make-geodsolve.py > geodsolve.txt

Needs GeodSolve of GeographicLib (Debian: apt-get install geographiclib-tools). Each row holds
    kind latitude1 longitude1 latitude2 longitude2 bearing1 bearing2 distance
in degrees and metres. The numbers given to GeodSolve have 9 decimals (short ones 13), so that
they read the same everywhere.
"""
import math
import random
import subprocess

random.seed(20130113)
rows = []


def add(kind, lat1, lon1, lat2, lon2, digits=9):
    def wrap(lon):
        return lon - 360 if lon > 180 else lon + 360 if lon < -180 else lon
    cells = [f"{x:.{digits}f}" for x in (lat1, wrap(lon1), lat2, wrap(lon2))]
    rows.append((kind, cells))


def latitude():
    return math.degrees(math.asin(random.uniform(-1, 1)))


def longitude():
    return random.uniform(-180, 180)


for _ in range(170):
    add("random", latitude(), longitude(), latitude(), longitude())
for _ in range(130):
    metres = 10 ** random.uniform(-3, 4)
    turn = random.uniform(0, 2 * math.pi)
    lat, lon = random.uniform(-89, 89), longitude()
    north = metres * math.cos(turn) / 111e3
    east = metres * math.sin(turn) / 111e3 / math.cos(math.radians(lat))
    add("short", lat, lon, max(-90, min(90, lat + north)), lon + east, 13)
for scale in (2.0, 1.0, 0.5, 0.1, 1e-3, 1e-6):
    for _ in range(16):
        lat, lon = latitude(), longitude()
        add("antipodal", lat, lon, max(-90, min(90, -lat + scale * random.uniform(-1, 1))),
            lon + 180 + scale * random.uniform(-1, 1))
for _ in range(8):
    lat, lon = latitude(), float(random.randint(-180, 180))
    add("antipodal", lat, lon, -lat, lon + 180)
for step in (1e-6, 0.5, 30, 90, 150, 179, 179.39, 179.397, 179.4, 179.5, 179.9, 180):
    for lon in (0, -170.5, 90.25):
        add("equatorial", 0, lon, 0, lon + step)
for _ in range(20):
    lon = longitude()
    add("meridional", latitude(), lon, latitude(), lon)
for _ in range(20):
    lon = float(random.randint(-180, 180))
    add("meridional", latitude(), lon, latitude(), lon + 180)
for pole in (-90, 90):
    for _ in range(12):
        add("pole", pole, longitude(), latitude(), longitude())
        add("pole", latitude(), longitude(), pole, longitude())
    add("pole", pole, 0, -pole, 0)
    add("pole", pole, 10, -pole, -50)
    for _ in range(8):
        add("nearpole", pole - math.copysign(10 ** random.uniform(-6, 0), pole), longitude(),
            pole - math.copysign(10 ** random.uniform(-6, 0), pole), longitude())
for _ in range(40):
    lat = random.uniform(-80, 80)
    add("antimeridian", lat, 180 - random.uniform(0, 2), lat + random.uniform(-2, 2),
        -180 + random.uniform(0, 2))
for _ in range(10):
    add("antimeridian", latitude(), 180, latitude(), -180)
for _ in range(12):
    lat, lon = latitude(), longitude()
    add("coincident", lat, lon, lat, lon)
for lat, lon in ((0, 0), (90, 0), (-90, 0), (0, 180), (45, -180)):
    add("coincident", lat, lon, lat, lon)
for _ in range(8):
    lat = random.uniform(-89, 89)
    add("parallel", lat, longitude(), lat, longitude())
    add("mirrored", lat, longitude(), -lat, longitude())

answers = subprocess.run(
    ["GeodSolve", "-i", "-p", "10"], input="\n".join(" ".join(cells) for _, cells in rows),
    capture_output=True, text=True, check=True).stdout.splitlines()
print("# kind latitude1 longitude1 latitude2 longitude2 bearing1 bearing2 distance")
print("# by " + subprocess.run(["GeodSolve", "--version"], capture_output=True,
                               text=True).stdout.split(": ")[-1].strip())
for (kind, cells), answer in zip(rows, answers, strict=True):
    print(kind, *cells, *answer.split())
