"""Geodesics and fences against GeographicLib."""
import math

from geographiclib.geodesic import Geodesic

WGS84 = Geodesic.WGS84


def place(random):
    """Anywhere; often at a pole, the equator, the antimeridian, or a round number."""
    latitude = random.choice([
        lambda: random.uniform(-90, 90), lambda: random.choice([-90, 0, 90]),
        lambda: math.copysign(90 - 10 ** random.uniform(-12, 0), random.uniform(-1, 1)),
        lambda: float(random.randrange(-90, 91)),
    ])()
    longitude = random.choice([
        lambda: random.uniform(-180, 180), lambda: random.choice([-180, 0, 90, 180]),
        lambda: math.copysign(180 - 10 ** random.uniform(-12, 0), random.uniform(-1, 1)),
    ])()
    return latitude, longitude


def other(random, latitude, longitude):
    """Near it, far from it, or nearly opposite."""
    what = random.randrange(4)
    if what == 0:
        return place(random)
    if what == 1:
        end = WGS84.Direct(latitude, longitude, random.uniform(0, 360), 10 ** random.uniform(-6, 7))
        return end["lat2"], end["lon2"]
    if what == 2:
        return (-latitude + random.uniform(-0.6, 0.6)) if abs(latitude) < 89 else -latitude, (
            (longitude + 180 + random.uniform(-0.6, 0.6) + 180) % 360 - 180)
    return latitude, longitude


def lines(rows):
    return "\n".join(" ".join(repr(float(value)) for value in row) for row in rows)


def geodesics(check, random, worker):
    rows = []
    for _ in range(200):
        start = place(random)
        rows.append(start + other(random, *start))
    answers = worker.ask("inverse", lines(rows))
    if answers is None:
        return check.fail("it trapped", lines(rows))
    for row, (distance, bearing) in zip(rows, answers):
        right = WGS84.Inverse(*row)
        if abs(distance - right["s12"]) > 1e-7:
            return check.fail(f"{distance} m, not {right['s12']} m", lines([row]))
        # Where places are together or opposite, or at a pole, a bearing says little.
        isClear = 1 < right["s12"] < 19_900_000 and abs(row[0]) < 89.999 and abs(row[2]) < 89.999
        if isClear and bearing != "nan":
            turn = (bearing - right["azi1"] + 180) % 360 - 180
            if abs(turn) > 1e-5 * max(1, 1 / right["s12"]) + 1e-6:
                return check.fail(f"{bearing}°, not {right['azi1'] % 360}°", lines([row]))
    rows = []
    for _ in range(100):
        start = place(random)
        if abs(start[0]) < 89.9:
            rows.append(start + (random.uniform(0, 360), 10 ** random.uniform(-3, 7.2)))
    answers = worker.ask("direct", lines(rows))
    for row, (latitude, longitude) in zip(rows, answers):
        right = WGS84.Direct(*row)
        gap = WGS84.Inverse(latitude, longitude, right["lat2"], right["lon2"])["s12"]
        if gap > 1e-6:
            return check.fail(f"{gap} m from where GeographicLib comes to", lines([row]))
    check.compared(200 + len(rows))


def wrapped(longitude):
    return (longitude + 180) % 360 - 180


class Circle:
    def __init__(self, random):
        self.center, self.radius = place(random), 10 ** random.uniform(0, 6)
        self.line = f"c {self.center[0]!r} {self.center[1]!r} {self.radius!r}"

    def near(self, random):
        distance = abs(self.radius + random.choice([0, 1, -1]) * 10 ** random.uniform(-6, 4))
        end = WGS84.Direct(*self.center, random.uniform(0, 360), distance)
        return end["lat2"], end["lon2"]

    def around(self, random):
        """Somewhere within three radii."""
        end = WGS84.Direct(
            *self.center, random.uniform(0, 360), self.radius * random.uniform(0, 3))
        return end["lat2"], end["lon2"]

    def contains(self, latitude, longitude, doubt=1e-7):
        """None within so many metres of the edge, where rounding decides."""
        distance = WGS84.Inverse(*self.center, latitude, longitude)["s12"]
        return None if abs(distance - self.radius) < doubt else distance < self.radius


class Polygon:
    """A star around a place, perhaps over the antimeridian, its edges straight in degrees."""

    def __init__(self, random):
        size = 10 ** random.uniform(-4, 1.5)
        x = random.choice([random.uniform(-180, 180), random.choice([-180, 180])])
        y = random.uniform(-85 + min(size, 80), 85 - min(size, 80))
        count = random.randrange(3, 30)
        self.ring = []
        for number in range(count):
            angle = 2 * math.pi * (number + random.uniform(0, 0.9)) / count
            reach = size * random.uniform(0.4, 1)
            self.ring.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        # As they are written, and put together again from that.
        written = [(wrapped(a), b) for a, b in self.ring]
        self.line = "p " + " ".join(f"{b!r} {a!r}" for a, b in written)
        self.ring = written[:1]
        for a, b in written[1:]:
            self.ring.append((a + 360 * round((self.ring[-1][0] - a) / 360), b))

    def near(self, random):
        number = random.randrange(len(self.ring))
        (a, b), (c, d) = self.ring[number - 1], self.ring[number]
        part, off = random.random(), random.choice([0, 1, -1]) * 10 ** random.uniform(-10, 0)
        return (max(-90, min(90, b + part * (d - b) + off)),
                wrapped(a + part * (c - a) + off * random.uniform(-1, 1)))

    def around(self, random):
        a, b = random.choice(self.ring)
        size = max(abs(c - a) + abs(d - b) for c, d in self.ring)
        return (max(-90, min(90, b + size * random.uniform(-1, 1))),
                wrapped(a + size * random.uniform(-1, 1)))

    def contains(self, latitude, longitude, doubt=None):
        """None within so many metres of an edge, or a micrometre."""
        inside, nearest = False, math.inf
        for shift in (-360, 0, 360):
            x, y = longitude + shift, latitude
            for (a, b), (c, d) in zip(self.ring, self.ring[1:] + self.ring[:1]):
                length = (c - a) ** 2 + (d - b) ** 2
                along = ((x - a) * (c - a) + (y - b) * (d - b)) / length if length else 0
                along = max(0, min(1, along))
                nearest = min(nearest, math.hypot(x - a - along * (c - a), y - b - along * (d - b)))
                if (b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a):
                    inside = not inside
        if doubt is not None:
            nearest *= 111_000 * math.cos(math.radians(min(abs(latitude), 89.9)))
        return None if nearest < (doubt or 1e-11) else inside


def fences(check, random, worker):
    """Sets of fences, in memory and compiled, edited in between, against every fence by itself."""
    shapes = [(Circle if random.random() < 0.6 else Polygon)(random) for _ in range(30)]
    kept = dict(enumerate(shapes))
    requests, wanted = [shape.line for shape in shapes], []
    for _ in range(80):
        if random.random() < 0.08 and len(kept) > 1:
            number = random.choice(list(kept))
            requests.append(f"d {number}")
            del kept[number]
            continue
        spot = (random.choice(list(kept.values())).near(random) if random.random() < 0.8
                else place(random))
        requests.append(f"q {spot[0]!r} {spot[1]!r}")
        wanted.append({number: shape.contains(*spot) for number, shape in kept.items()})
    text = "\n".join(requests)
    answers = worker.ask("fences", text)
    if not isinstance(answers, list) or len(answers) != len(wanted):
        return check.fail(f"no answer, but {str(answers)[:100]}", text)
    count = 0
    for index, (sets, truth) in enumerate(zip(answers, wanted)):
        if len(sets) != 2 or sets[0] != sets[1]:
            return check.fail(f"question {index}: {sets} of the set and of its compiled form", text)
        for number, isInside in truth.items():
            if isInside is not None and isInside != (number in sets[0]):
                return check.fail(f"question {index}: fence {number} holds it: {isInside}", text)
            count += 1
    check.compared(count)


def crossings(check, random, worker):
    """Where ways pass the edge of a fence: between crossings a way is in or out, as it began."""
    shape = (Circle if random.random() < 0.6 else Polygon)(random)
    ways = []
    for _ in range(20):
        ends = [shape.near(random) if random.random() < 0.3 else shape.around(random)
                for _ in range(2)]
        line = WGS84.InverseLine(*ends[0], *ends[1])
        # The ways of devices, and far longer ones.
        if line.s13 < 5e6:
            ways.append((ends, line))
    text = shape.line + "".join(
        f"\nw {a!r} {b!r} {c!r} {d!r}" for ((a, b), (c, d)), _ in ways)
    answers = worker.ask("crossings", text)
    if not isinstance(answers, list):
        return check.fail(f"no answer, but {answers}", text)
    count = 0
    for index, ((ends, line), (isInside, *fractions)) in enumerate(zip(ways, answers)):
        if fractions != sorted(fractions) or not all(0 <= part <= 1 for part in fractions):
            return check.fail(f"way {index}: {fractions}", text)
        # What is promised: a millimetre, and for polygons a centimetre or 1e-7 of the length.
        doubt = 1.1e-3 if isinstance(shape, Circle) else 2 * max(0.01, 1e-7 * line.s13)
        marks = [0] + fractions + [1]
        parts = [random.random() for _ in range(20)]
        parts += [(low + high) / 2 for low, high in zip(marks, marks[1:])]
        for part in parts:
            spot = line.Position(part * line.s13)
            truth = shape.contains(spot["lat2"], spot["lon2"], doubt)
            passed = sum(mark <= part for mark in fractions)
            if truth is not None and truth != (isInside + passed) % 2:
                return check.fail(
                    f"way {index} of {line.s13:.3f} m: at {part} it is inside: {truth}, the "
                    f"crossings are {fractions} and it began inside: {isInside == 1}", text)
            count += 1
        if isinstance(shape, Circle):
            for part in fractions:
                spot = line.Position(part * line.s13)
                if shape.contains(spot["lat2"], spot["lon2"], 1.1e-3) is not None:
                    return check.fail(f"way {index}: {part} is not on the edge", text)
    check.compared(count)
