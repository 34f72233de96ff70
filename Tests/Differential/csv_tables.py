"""Tables against Python's csv module (RFC 4180) and against gpsbabel."""
import csv
import io

from documents import against_gpsbabel
from jsontext import instant, moments, stamp

# Names of our roles, each with what a value in it is of the unit of a fix.
NAMES = {
    "latitude": ["latitude", "Lat", "y"], "longitude": ["lng", "LONG", "x"],
    "altitude": ["ele", "Altitude (m)", "z"], "speed": ["speed", "Speed m/s", "velocity"],
    "course": ["bearing", "Heading (deg)"], "accuracy": ["accuracy", "acc [m]"],
    "device": ["device", "Vehicle-ID"],
}
ABSENT = ["", "", "NaN", "null", "-"]


def values(random):
    """The values of a fix by their roles, as text."""
    return {
        "latitude": f"{random.uniform(-90, 90):.{random.randrange(1, 12)}f}",
        "longitude": repr(random.uniform(-180, 180)),
        "altitude": random.choice([*ABSENT, f"{random.uniform(-400, 9000):.2f}"]),
        "speed": random.choice([*ABSENT, repr(random.uniform(0, 60))]),
        "course": random.choice([*ABSENT, str(random.randrange(360))]),
        "accuracy": random.choice([*ABSENT, f"{random.uniform(1, 99):e}"]),
        "device": random.choice(["", "bus 7", "a,b;c", "say \"hi\"", "\u00e4\u20ac", "two\nlines"]),
        "note": random.choice(["", "a\"b", "1,5", "x\r\ny", "it's"]),
    }


def table(random):
    """A table of RFC 4180 in one of its dialects, its rows, and the columns of roles."""
    roles = list(NAMES)
    header = [random.choice(names) for names in NAMES.values()] + ["time", "note"]
    order = list(range(len(header)))
    random.shuffle(order)
    separator = random.choice(",;\t")
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=random.choice(["\n", "\r\n"]),
                        quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer.writerow([header[place] for place in order])
    for time in moments(random, random.randrange(1, 15)):
        made = values(random)
        if separator != ",":
            # Where the comma separates nothing it may stand for the point.
            made = {role: text.replace(".", random.choice(".,")) if role in roles[:-1] else text
                    for role, text in made.items()}
        cells = [made[role] for role in roles] + [stamp(random, time), made["note"]]
        writer.writerow([cells[place] for place in order])
    return text.getvalue().encode(), separator, [order.index(place) for place in range(len(header))]


def against_python(check, random, worker):
    data, separator, places = table(random)
    answer = worker.ask("trace-csv", data)
    if answer is None:
        return check.fail("the reader trapped", data)
    rows = list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=separator))[1:]
    theirs = []
    for cells in rows:
        latitude, longitude, altitude, speed, course, accuracy, device, time, _ = (
            cells[place] for place in places)
        numbers = [None if text in ABSENT else float(text.replace(",", "."))
                   for text in [latitude, longitude, altitude, speed, course, accuracy]]
        theirs.append([instant(time), *numbers, device or None])
    if answer["points"] != theirs or answer["issues"]:
        return check.fail(f"{answer['issues']} {answer['points']} is {theirs} by csv", data)
    return check.compared(len(theirs))


def unicsv(random):
    """A table that gpsbabel reads as well."""
    lines = [random.choice(["time,latitude,longitude,altitude", "time,lat,lon,ele"])]
    for time in moments(random, random.randrange(1, 15)):
        height = f"{random.uniform(-400, 9000):.3f}" if random.random() < 0.7 else ""
        lines.append(f"{stamp(random, time)},{random.uniform(-89, 89):.7f},"
                     f"{random.uniform(-179, 179):.7f},{height}")
    return "\n".join([*lines, ""]).encode()


CHECKS = {
    "csv-python": against_python,
    "csv-gpsbabel": against_gpsbabel("csv", "unicsv", unicsv),
}
