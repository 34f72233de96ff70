"""GeoJSON with times against ogr2ogr, of GDAL."""
import csv
import io
import json
import os
import re
import subprocess
import tempfile

import jsontext
from jsontext import instant, moments, number, optional, stamp

# What the properties mean is not for ogr2ogr to say.
PROPERTIES = {"coordTimes": "time", "times": "time", "time": "time", "timestamp": "time",
              "accuracy": "accuracy", "speed": "speed", "bearing": "course", "heading": "course"}


class Collection:
    """Features, all of them with heights or none: ogr2ogr makes a missing one 0."""

    def __init__(self, random):
        self.random, self.hasHeights = random, random.random() < 0.5
        self.timesName = random.choice(["coordTimes", "times"])

    def made(self):
        random = self.random
        features = [random.choice([self.point, self.line, self.lines, self.area])()
                    for _ in range(random.randrange(1, 80))]
        return {"type": "FeatureCollection", "features": features}

    def position(self):
        random = self.random
        height = [number(random, random.uniform(-400, 9000), 0)] if self.hasHeights else []
        return [number(random, random.uniform(-180, 180), 0),
                number(random, random.uniform(-90, 90), 0), *height]

    def feature(self, kind, coordinates, properties):
        return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates},
                "properties": {"name": "n"} | properties}

    def point(self):
        random = self.random
        time = stamp(random, next(moments(random, 1)))
        return self.feature("Point", self.position(), {"time": time} | optional(
            random, {"accuracy": random.randrange(100), "speed": random.uniform(0, 60),
                     "bearing": random.randrange(360)}))

    def path(self):
        """Positions, times and speeds of a line."""
        random = self.random
        count = random.randrange(2, 9)
        return ([self.position() for _ in range(count)],
                [stamp(random, time) for time in moments(random, count)],
                [random.choice([None, random.uniform(0, 60)]) for _ in range(count)])

    def line(self):
        positions, times, speeds = self.path()
        return self.feature("LineString", positions, {self.timesName: times} | optional(
            self.random, {"speed": speeds}))

    def lines(self):
        paths = [self.path() for _ in range(self.random.randrange(1, 4))]
        return self.feature("MultiLineString", [path[0] for path in paths],
                            {self.timesName: [path[1] for path in paths]})

    def area(self):
        return self.feature("Polygon", [[[0, 0], [1, 0], [1, 1], [0, 0]]], {"time": "2024-01-01"})


def ogr_rows(data):
    """Fixes of what ogr2ogr makes of a file: geometries as WKT, lists as JSON."""
    with tempfile.NamedTemporaryFile(suffix=".geojson") as file:
        file.write(data)
        file.flush()
        result = subprocess.run(
            ["ogr2ogr", "-f", "CSV", "/vsistdout/", file.name, "-lco", "GEOMETRY=AS_WKT",
             # Times stay texts, and numbers that are texts too.
             "-oo", "DATE_AS_STRING=YES"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            env={**os.environ, "OGR_WKT_PRECISION": "17"})
    if result.returncode != 0:
        return None
    rows = []
    for feature in csv.DictReader(io.StringIO(result.stdout.decode())):
        shape = feature.pop("WKT")
        if not shape.startswith("POLYGON"):
            positions = [[float(part) for part in text.split()]
                         for text in re.findall(r"[-0-9][-+.0-9e ]*", shape)]
            rows += fixes(shape, positions, feature)
    return rows


def fixes(shape, positions, properties):
    values = {}
    for name, text in properties.items():
        if name in PROPERTIES and text:
            isList = text.startswith("[")
            # A line has no values but lists.
            if isList or shape.startswith("POINT"):
                values[PROPERTIES[name]] = flat(json.loads(text)) if isList else [text]
    for index, position in enumerate(positions):
        def value(role, index=index):
            found = values.get(role, [None] * len(positions))[index]
            return found if found is None or role == "time" else float(found)
        height = position[2] if len(position) > 2 else None
        yield [instant(value("time").replace("/", "-")), position[1], position[0], height,
               value("speed"), value("course"), value("accuracy")]


def flat(values):
    return [item for value in values for item in (flat(value) if isinstance(value, list) else [value])]


def against_ogr(check, random, worker):
    collection = Collection(random).made()
    data = jsontext.write(random, collection)
    answer, theirs = worker.ask("trace-geoJSON", data), ogr_rows(data)
    if answer is None or theirs is None:
        return check.fail("one of both gave no answer", data)
    ours = [point[:-1] for point in answer["points"]]
    # ogr2ogr writes 15 digits.
    if answer["issues"] != issues(collection) or len(ours) != len(theirs) or not all(map(is_same, ours, theirs)):
        return check.fail(f"{answer['issues']} {ours} is {theirs} by ogr2ogr", data)
    return check.compared(len(ours))


def issues(collection):
    if all(feature["geometry"]["type"] == "Polygon" for feature in collection["features"]):
        return [["record", 1, 1, "there is no track, only areas; a config reads them as fences"]]
    return []


def is_same(mine, other):
    return mine[0] == other[0] and all(
        (one is None) == (two is None) and (one is None or abs(one - two) < 1e-9)
        for one, two in zip(mine[1:], other[1:]))
