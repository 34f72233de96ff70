"""Writes base-map.bin: the coasts and borders of the page's map, from Natural Earth.

usage: build-base-map.py world_map.gpkg base-map.bin

The file is a list of rings, each as numbers of variable length (see ColumnWriter.swift): how many
vertices it has, then longitude and latitude of each in 1/500 of a degree, as differences from the vertex
before (the first of a ring from that of the ring before).
"""

import sqlite3
import struct
import sys

STEPS = 500


def rings(geometry):
    """The rings of a geometry of a GeoPackage, as lists of longitude and latitude."""
    envelope = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[geometry[3] >> 1 & 7]
    return parse(geometry, 8 + envelope)[0]


def parse(data, at):
    order = "<" if data[at] else ">"
    kind, count = struct.unpack_from(order + "II", data, at + 1)
    at += 9
    found = []
    for _ in range(count):
        if kind == 6:  # of polygons
            part, at = parse(data, at)
            found += part
        else:
            (points,) = struct.unpack_from(order + "I", data, at)
            values = struct.unpack_from(f"{order}{2 * points}d", data, at + 4)
            found.append(list(zip(values[::2], values[1::2])))
            at += 4 + 16 * points
    return found, at


def rounded(ring):
    """The ring on the grid; neighbours have the same vertices, so no gap opens between them."""
    points = []
    for longitude, latitude in ring:
        point = (round(longitude * STEPS), round(latitude * STEPS))
        if not points or points[-1] != point:
            points.append(point)
    return points


def number(value):
    rest = value * 2 if value >= 0 else -2 * value - 1
    out = bytearray()
    while rest >= 0x80:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return out


def main(source, target):
    data = bytearray()
    last = (0, 0)
    for (geometry,) in sqlite3.connect(source).execute("SELECT geom FROM countries ORDER BY fid"):
        for ring in rings(geometry):
            points = rounded(ring)
            if len(points) < 4:
                continue
            data += number(len(points))
            for index, point in enumerate(points):
                data += number(point[0] - last[0]) + number(point[1] - last[1])
                last = point
    with open(target, "wb") as file:
        file.write(data)


main(*sys.argv[1:])
