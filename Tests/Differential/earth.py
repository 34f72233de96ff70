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

    def contains(self, latitude, longitude):
        """None where GeographicLib's own rounding decides."""
        distance = WGS84.Inverse(*self.center, latitude, longitude)["s12"]
        return None if abs(distance - self.radius) < 1e-7 else distance < self.radius


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

    def contains(self, latitude, longitude):
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
        return None if nearest < 1e-11 else inside


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
