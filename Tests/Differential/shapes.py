"""GeoJSON against shapely, and where exactness matters against integers."""
import json

from shapely.geometry import LinearRing, Point, Polygon

GRID = 6
# Degrees: overlaps of holes that are narrower may count as rounding.
NARROW = 1e-6


def crosses_or_covers(a, b, c, d):
    """Whether two edges with integer ends meet in more than an end that touches the other."""
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one, two, three, four = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if one == two == three == four == 0:
        axis = 0 if a[0] != b[0] else 1
        low = max(min(a[axis], b[axis]), min(c[axis], d[axis]))
        high = min(max(a[axis], b[axis]), max(c[axis], d[axis]))
        return low < high
    return one * two < 0 and three * four < 0


def exact_verdict(ring):
    """Whether a ring of integers is one, as the reader has it: it may touch itself in a point."""
    points = [p for n, p in enumerate(ring) if p != ring[n - 1]]
    if len(set(points)) < 3:
        return False
    edges = list(zip(points, points[1:] + points[:1]))
    return not any(
        crosses_or_covers(*edges[i], *edges[j])
        for i in range(len(edges)) for j in range(i))


def exact_contains(ring, place):
    """Whether a place is in a ring of integers or on its edge, by the even-odd rule."""
    inside = False
    for a, b in zip(ring, ring[1:] + ring[:1]):
        turn = (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0])
        if turn == 0 and min(a[0], b[0]) <= place[0] <= max(a[0], b[0]) and (
                min(a[1], b[1]) <= place[1] <= max(a[1], b[1])):
            return True
        if (a[1] > place[1]) != (b[1] > place[1]) and (turn > 0) == (b[1] > a[1]):
            inside = not inside
    return inside


def polygon(rings, kind="Polygon"):
    coordinates = [[list(p) for p in ring + ring[:1]] for ring in rings]
    if kind == "MultiPolygon":
        coordinates = [coordinates]
    return json.dumps({"type": kind, "coordinates": coordinates})


def ask(worker, text, places):
    lines = "\n".join(f"{y!r} {x!r}" for x, y in places)
    return worker.ask("geojson", text.encode() + b"\0" + lines.encode())


def on_a_grid(check, random, worker):
    """Rings of few integers, which touch and cover themselves as often as not."""
    count = random.randrange(3, 9)
    ring = [(random.randrange(GRID), random.randrange(GRID)) for _ in range(count)]
    places = [(x / 2, y / 2) for x in range(-1, 2 * GRID) for y in range(-1, 2 * GRID)]
    text = polygon([ring])
    answer = ask(worker, text, places)
    if answer is None:
        return check.fail("the reader trapped", text)
    isRight = exact_verdict(ring)
    if isRight != ("inside" in answer):
        return check.fail(f"a ring is {'one' if isRight else 'none'}, but: {answer}", text)
    if not isRight:
        return check.compared(1)
    doubled = [(2 * x, 2 * y) for x, y in ring]
    for place, found in zip(places, answer["inside"][0]):
        if found != exact_contains(doubled, (2 * place[0], 2 * place[1])):
            return check.fail(f"{place} is inside: {found == 1}", text)
    # Where shapely takes the ring too, it says the same of it: points of an edge are in.
    shape = Polygon(ring)
    if shape.is_valid:
        for place, found in zip(places, answer["inside"][0]):
            if found != shape.covers(Point(place)):
                return check.fail(f"{place} is inside by shapely: {found != 1}", text)
    else:
        check.accept("a ring that touches itself in a point: RFC 7946 does not forbid it, OGC does")
    check.compared(len(places) + 1)


def star(random, x, y, size, count):
    import math
    angles = sorted(random.uniform(0, 2 * math.pi) for _ in range(count))
    return [(x + size * random.uniform(0.3, 1) * math.cos(a),
             y + size * random.uniform(0.3, 1) * math.sin(a)) for a in angles]


def misplaced(shapes):
    """The areas of holes outside of the outer ring, and of two holes."""
    outer, *holes = shapes
    areas = [hole.difference(outer) for hole in holes]
    areas += [a.intersection(b) for n, a in enumerate(holes) for b in holes[:n]]
    return [area for area in areas if area.area > 0]


def against_shapely(check, random, worker):
    """Polygons of any numbers, with holes; whether they are some, and what is in them."""
    x, y = random.uniform(-150, 150), random.uniform(-60, 60)
    holes = random.randrange(0, 3)
    size = 10 ** random.uniform(-2 if holes else -5, 1)
    if random.random() < 0.5:
        outer = star(random, x, y, size, random.randrange(3, 40))
    else:
        outer = [(x + random.uniform(-size, size), y + random.uniform(-size, size))
                 for _ in range(random.randrange(3, 12))]
    rings = [outer] + [
        star(random, x + random.uniform(-size, size) / 4, y + random.uniform(-size, size) / 4,
             size / random.choice([4, 8, 16]), random.randrange(3, 12))
        for _ in range(holes)]
    if holes == 2 and random.random() < 0.2:
        rings[2] = rings[1][2:] + rings[1][:2]
    places = [(x + random.uniform(-size, size), y + random.uniform(-size, size)) for _ in range(60)]
    places += outer[:5]
    text = polygon(rings, random.choice(["Polygon", "MultiPolygon"]))
    answer = ask(worker, text, places)
    if answer is None:
        return check.fail("the reader trapped", text)
    isRight = all(LinearRing(ring).is_simple for ring in rings)
    shapes = [Polygon(ring) for ring in rings]
    if isRight and (areas := misplaced(shapes)):
        if all(area.buffer(-NARROW).is_empty for area in areas):
            return check.accept("holes that are misplaced by less than a metre")
        isRight = False
    if isRight != ("inside" in answer):
        return check.fail(f"shapely: valid is {isRight}, ours: {str(answer)[:200]}", text)
    if not isRight:
        return check.compared(1)
    for place, found in zip(places, answer["inside"][0]):
        point = Point(place)
        # Within the rounding of either, only the exact test above can tell.
        if min(shape.exterior.distance(point) for shape in shapes) < 1e-12:
            if place in outer and not found:
                return check.fail(f"the corner {place} is not inside", text)
            continue
        wanted = sum(shape.contains(point) for shape in shapes) % 2
        if found != wanted:
            return check.fail(f"{place} is inside: {found == 1}, by shapely {wanted == 1}", text)
    check.compared(len(places) + 1)
