"""IGC, TCX and KML against gpsbabel."""
import datetime

from gpx import babel, nanoseconds


def moments(random, count, longest):
    """Instants that go up, each by some seconds."""
    moment = datetime.datetime(2001, 1, 1) + datetime.timedelta(
        seconds=random.randrange(1_200_000_000))
    for _ in range(count):
        yield moment
        moment += datetime.timedelta(seconds=random.randrange(1, longest))


def angle(value, digits, letters):
    """Degrees, minutes and thousandths of them, and the hemisphere."""
    whole, part = divmod(round(abs(value) * 60_000), 60_000)
    return f"{whole:0{digits}}{part:05}{letters[value < 0]}"


def flight(random):
    """A flight, perhaps over midnight, with extensions and other records."""
    times = list(moments(random, random.randrange(2, 20), random.choice([10, 30_000])))
    day = times[0].strftime("%d%m%y")
    header = [random.choice([f"HFDTE{day}", f"HFDTEDATE:{day},01"]), "HFPLTPILOTINCHARGE: A B",
              "HFGIDGLIDERID:D-1234", "HFALGALTGPS:GEO"]
    random.shuffle(header)
    extended = random.random() < 0.5
    lines = ["AXXXABC FLIGHT:1", *header] + (["I013638FXA"] if extended else [])
    for moment in times:
        lines.append(
            moment.strftime("B%H%M%S") + angle(random.uniform(-89, 89), 2, "NS")
            + angle(random.uniform(-179, 179), 3, "EW") + "A" + altitude(random) + altitude(random)
            + ("015" if extended else ""))
        if random.random() < 0.2:
            lines.append(random.choice(["LXXXtext", "F120000040610", "E120000PEV"]))
    return random.choice(["\r\n", "\n"]).join([*lines, "G1234", ""]).encode()


def altitude(random):
    height = random.randrange(-400, 12_000)
    return f"{height:05}" if height >= 0 else f"-{-height:04}"


def decimals(random, limit):
    """Not 0: gpsbabel drops a point of TCX on the equator or the meridian of Greenwich."""
    text = f"{random.uniform(-limit, limit):.{random.randrange(1, 10)}f}"
    return text if float(text) else decimals(random, limit)


def workout(random):
    """Activities with laps, tracks, and points without a position."""
    text = ('<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/'
            'TrainingCenterDatabase/v2"><Activities><Activity Sport="Biking"><Id>2020-01-01T00:00:00Z'
            "</Id>")
    for _ in range(random.randrange(1, 3)):
        text += '<Lap StartTime="2020-01-01T00:00:00Z"><Track>\n'
        for moment in moments(random, random.randrange(1, 12), 10):
            text += f"<Trackpoint><Time>{moment.isoformat()}{random.choice(['', '.250'])}Z</Time>"
            text += (f"<Position><LatitudeDegrees>{decimals(random, 90)}</LatitudeDegrees>"
                     f"<LongitudeDegrees>{decimals(random, 180)}</LongitudeDegrees></Position>")
            if random.random() < 0.7:
                text += f"<AltitudeMeters>{random.uniform(-400, 9000):.3f}</AltitudeMeters>"
            if random.random() < 0.3:
                text += "<HeartRateBpm><Value>99</Value></HeartRateBpm>"
            text += "</Trackpoint>\n"
        text += "</Track></Lap>"
    return (text + "</Activity></Activities></TrainingCenterDatabase>\n").encode()


def earth_track(random):
    """Folders with tracks of Google Earth."""
    text = ('<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" '
            'xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>d</name>')
    for _ in range(random.randrange(1, 3)):
        text += "<Folder><Placemark><name>p</name><gx:Track>\n"
        times = list(moments(random, random.randrange(1, 12), 10))
        text += "".join(f"<when>{moment.isoformat()}Z</when>\n" for moment in times)
        for _ in times:
            height = f" {random.uniform(-400, 9000):.3f}" if random.random() < 0.7 else ""
            text += f"<gx:coord>{decimals(random, 180)} {decimals(random, 90)}{height}</gx:coord>\n"
        text += "</gx:Track></Placemark></Folder>"
    return (text + "</Document></kml>\n").encode()


def against_gpsbabel(name, form, make):
    """The comparison of one format, with gpsbabel's name of it."""
    def compare(check, random, worker):
        text = make(random)
        answer, theirs = worker.ask(f"trace-{name}", text), babel(text, form)
        if answer is None or theirs is None:
            return check.fail("one of both gave no answer", text)
        ours = answer["points"]
        if name == "igc" and len(theirs) == 2 * len(ours):
            # A track by pressure, then the same by satellites.
            theirs = theirs[len(ours):]
        if len(ours) != len(theirs) or answer["issues"]:
            return check.fail(f"{len(ours)} points, {len(theirs)} by gpsbabel", text)
        for mine, other in zip(ours, theirs):
            elevation, time = other[2].get("ele"), other[2].get("time")
            if (abs(mine[1] - other[0]) > 6e-10 or abs(mine[2] - other[1]) > 6e-10
                    or nanoseconds(time) != mine[0] or (elevation is None) != (mine[3] is None)
                    or (elevation is not None and abs(float(elevation) - mine[3]) > 6e-4)):
                return check.fail(f"{mine} is {other} by gpsbabel", text)
        return check.compared(len(ours))
    return compare


CHECKS = {
    "igc-gpsbabel": against_gpsbabel("igc", "igc", flight),
    "tcx-gpsbabel": against_gpsbabel("tcx", "gtrnctr", workout),
    "kml-gpsbabel": against_gpsbabel("kml", "kml", earth_track),
}
