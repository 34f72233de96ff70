"""A simulated drive, as reports of gpsd and as NMEA sentences; the same seed gives the same bytes."""

import datetime
import math
import random

START = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
METRE = 1 / 111_200  # a metre to the north, in degrees
EAST = METRE / math.cos(math.radians(52))
ROAD = 7_000  # metres from end to end
SPEED = 13.0

# Ten circles along the road, one every 700 m.
FENCES = [
    argument
    for place in range(10)
    for argument in ("--fence", f"f{place}=52.0,{13 + (350 + 700 * place) * EAST:.6f},200")
]


def drive(count, rate, start=START):
    """Yields time, latitude, longitude and course, up and down; noise of 2 m that drifts."""
    noise = random.Random(4)
    north = east = 0.0
    keep = math.exp(-1 / (10 * rate))  # it forgets in ten seconds
    fresh = 2 * math.sqrt(1 - keep * keep)
    for place in range(count):
        way = SPEED * place / rate % (2 * ROAD)
        along, course = (way, 90.0) if way < ROAD else (2 * ROAD - way, 270.0)
        north = keep * north + fresh * noise.gauss(0, 1)
        east = keep * east + fresh * noise.gauss(0, 1)
        time = start + datetime.timedelta(microseconds=round(place * 1_000_000 / rate))
        yield time, 52 + north * METRE, 13 + (along + east) * EAST, course


def stamp(time):
    """ISO 8601 with milliseconds, as gpsd writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


GREETING = (
    b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
)
ANSWER = (
    b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",'
    b'"activated":"2026-03-01T00:00:00.000Z","flags":1,"native":1,"bps":9600,"parity":"N",'
    b'"stopbits":1,"cycle":0.10}]}\r\n'
    b'{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,'
    b'"timing":false,"split24":false,"pps":false}\r\n'
)
SATELLITES = ",".join(
    f'{{"PRN":{number},"el":{20.0 + 5 * number},"az":{25.0 * number},"ss":{30.0 + number},'
    f'"used":{"true" if number < 10 else "false"},"gnssid":0,"svid":{number}}}'
    for number in range(1, 13)
)
SKY = (
    '{"class":"SKY","device":"/dev/ttyACM0","xdop":0.62,"ydop":0.71,"vdop":1.10,"tdop":0.74,'
    f'"hdop":0.94,"gdop":1.63,"pdop":1.45,"nSat":12,"uSat":9,"satellites":[{SATELLITES}]}}\r\n'
).encode()


def reports(count, rate):
    """TPV lines in gpsd's form; a SKY goes before the first of every second."""
    lines = []
    for place, (time, latitude, longitude, course) in enumerate(drive(count, rate)):
        sky = SKY if place % rate == 0 else b""
        lines.append(sky + (
            '{"class":"TPV","device":"/dev/ttyACM0","mode":3,'
            f'"time":"{stamp(time)}","ept":0.005,"lat":{latitude:.9f},"lon":{longitude:.9f},'
            '"altHAE":78.250,"altMSL":34.500,"alt":34.500,"epx":3.125,"epy":4.250,"epv":9.500,'
            f'"track":{course:.4f},"magtrack":{course - 3.5:.4f},"magvar":3.5,"speed":{SPEED:.3f},'
            '"climb":-0.010,"eps":2.310,"epc":9.410,"geoidSep":43.750,"eph":5.210,"sep":11.020}\r\n'
        ).encode())
    return lines


def sentence(body):
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n"


def angle(degrees, digits):
    # In millionths of a minute, so that none is rounded to 60 minutes.
    whole, minutes = divmod(round(degrees * 60_000_000), 60_000_000)
    return f"{whole:0{digits}d}{minutes / 1_000_000:09.6f}"


def epochs(count, rate, start):
    """Pairs of a time, as watch prints it, and its datagram (GGA, GSA, RMC)."""
    for time, latitude, longitude, course in drive(count, rate, start):
        clock = time.strftime("%H%M%S.") + f"{time.microsecond // 10_000:02d}"
        place = f"{angle(latitude, 2)},N,{angle(longitude, 3)},E"
        yield stamp(time), "".join(map(sentence, (
            f"GPGGA,{clock},{place},1,09,0.94,34.5,M,43.8,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.45,0.94,1.10",
            f"GPRMC,{clock},A,{place},{SPEED / 0.514444:.2f},{course:.1f},{time:%d%m%y},,,A",
        ))).encode()
