"""NMEA 0183 against gpsbabel, and gpsd's JSON against libgps."""
import datetime

from gpx import babel, nanoseconds


def checksum(body):
    value = 0
    for byte in body.encode():
        value ^= byte
    return f"${body}*{value:02X}\r\n"


def angle(value, digits, decimals):
    whole = int(value)
    minutes = f"{(value - whole) * 60:0{3 + decimals}.{decimals}f}"
    if minutes.startswith("60"):
        whole, minutes = whole + 1, f"{0:0{3 + decimals}.{decimals}f}"
    return f"{whole:0{digits}}{minutes}"


class Track:
    """Epochs of one receiver, a second apart, each with its sentences."""

    def __init__(self, random):
        self.random = random
        self.decimals = random.randrange(3, 7)
        self.talker = random.choice(["GP", "GN", "GL"])
        # Not RMC before GGA: gpsbabel 1.8 then gives a place the time of the epoch behind it.
        self.kinds = random.choice([["RMC"], ["GGA", "RMC"], ["GGA", "RMC", "VTG"]])

    def text(self):
        random = self.random
        # Two digits of a year: gpsbabel takes 97 for 2097, we and gpsd for 1997.
        moment = datetime.datetime(2001, 1, 1) + datetime.timedelta(
            seconds=random.randrange(1_200_000_000))
        latitude, longitude = random.uniform(-89, 89), random.uniform(-179, 179)
        text = ""
        for _ in range(random.randrange(2, 15)):
            text += "".join(self.sentence(kind, moment, latitude, longitude) for kind in self.kinds)
            moment += datetime.timedelta(seconds=1)
            latitude += random.uniform(-1e-3, 1e-3)
            longitude += random.uniform(-1e-3, 1e-3)
        return text.encode()

    def sentence(self, kind, moment, latitude, longitude):
        random = self.random
        north = f"{angle(abs(latitude), 2, self.decimals)},{'N' if latitude >= 0 else 'S'}"
        east = f"{angle(abs(longitude), 3, self.decimals)},{'E' if longitude >= 0 else 'W'}"
        time = moment.strftime("%H%M%S.00")
        if kind == "RMC":
            return checksum(
                f"{self.talker}RMC,{time},A,{north},{east},{random.uniform(0, 60):.1f},"
                f"{random.uniform(0, 359.9):.1f},{moment.strftime('%d%m%y')},,,A")
        if kind == "GGA":
            return checksum(
                f"{self.talker}GGA,{time},{north},{east},1,08,1.0,{random.uniform(-50, 3000):.1f},M,"
                f"{random.uniform(-50, 50):.1f},M,,")
        return checksum(f"{self.talker}VTG,{random.uniform(0, 359.9):.1f},T,,M,1.0,N,1.9,K,A")


def against_gpsbabel(check, random, worker):
    text = Track(random).text()
    answer = worker.ask("trace-gpsd", text)
    theirs = babel(text, "nmea")
    if answer is None or theirs is None:
        return check.fail("one of both gave no answer", text)
    ours = {point[0]: point for point in answer["points"]}
    others = {nanoseconds(point[2]["time"]): point for point in theirs if "time" in point[2]}
    if ours.keys() != others.keys():
        return check.fail(f"times differ: {sorted(ours.keys() ^ others.keys())}", text)
    for time, point in ours.items():
        other = others[time]
        if abs(point[1] - other[0]) > 6e-10 or abs(point[2] - other[1]) > 6e-10:
            return check.fail(f"{point} is {other} by gpsbabel", text)
        elevation = other[2].get("ele")
        if elevation is not None and (
                point[3] is None or abs(point[3] - float(elevation)) > 6e-4):
            return check.fail(f"{point} is {other} by gpsbabel", text)
    check.compared(len(ours))


LINES = 2_000


def against_libgps(check, random, worker):
    answer = worker.ask("gpsd", f"{random.getrandbits(63)} {LINES}")
    if answer is None:
        return check.fail("a reader trapped", "")
    if answer["different"]:
        return check.fail("both readers differ", answer["different"][0])
    check.compared(LINES)
