#!/usr/bin/env python3
"""One simulated drive in every format; the same bytes in every run.

    tracks.py FORMAT POINTS FILE
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Live"))
import stream  # noqa: E402

GPX_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gpx creator="Garmin Connect" version="1.1" xmlns="http://www.topografix.com/GPX/1/1"\n'
    '  xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">\n'
    "  <trk>\n    <name>Drive</name>\n    <trkseg>\n")
GPX_TAIL = "    </trkseg>\n  </trk>\n</gpx>\n"


def gpx(points, decimals):
    yield GPX_HEAD
    for place, (time, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        yield (
            f'      <trkpt lat="{latitude:.{decimals}f}" lon="{longitude:.{decimals}f}">\n'
            f"        <ele>{34.5 + place % 97 / 10:.1f}</ele>\n"
            f"        <time>{stream.stamp(time)}</time>\n"
            "        <extensions>\n          <ns3:TrackPointExtension>\n"
            f"            <ns3:atemp>{18 + place // 900 % 9}</ns3:atemp>\n"
            f"            <ns3:hr>{118 + place // 7 % 41}</ns3:hr>\n"
            f"            <ns3:cad>{74 + place // 5 % 19}</ns3:cad>\n"
            "          </ns3:TrackPointExtension>\n        </extensions>\n      </trkpt>\n")
    yield GPX_TAIL


def csv(points):
    yield "time,latitude,longitude,accuracy,speed,course\n"
    for time, latitude, longitude, course in stream.drive(points, 1):
        yield f"{stream.stamp(time)},{latitude:.7f},{longitude:.7f},5,{stream.SPEED},{course}\n"


def ndjson(points):
    for time, latitude, longitude, course in stream.drive(points, 1):
        yield (f'{{"type":"fix","device":"van","time":"{stream.stamp(time)}",'
               f'"latitude":{latitude:.7f},"longitude":{longitude:.7f},"accuracy":5,'
               f'"speed":{stream.SPEED},"course":{course}}}\n')


def records(points):
    """Google's Records.json, as Takeout writes it."""
    yield '{\n  "locations": [{\n'
    for place, (time, latitude, longitude, course) in enumerate(stream.drive(points, 1)):
        if place > 0:
            yield "  }, {\n"
        yield (f'    "latitudeE7": {round(latitude * 1e7)},\n'
               f'    "longitudeE7": {round(longitude * 1e7)},\n    "accuracy": 5,\n'
               f'    "velocity": {round(stream.SPEED)},\n    "heading": {round(course)},\n'
               f'    "altitude": {34 + place % 97},\n    "verticalAccuracy": 3,\n')
        if place % 4 == 0:
            yield ('    "activity": [{\n      "activity": [{\n        "type": "IN_VEHICLE",\n'
                   '        "confidence": 90\n      }, {\n        "type": "STILL",\n'
                   '        "confidence": 10\n      }],\n'
                   f'      "timestamp": "{stream.stamp(time)}"\n    }}],\n')
        yield ('    "source": "GPS",\n    "deviceTag": 1184882232,\n'
               f'    "timestamp": "{stream.stamp(time)}"\n')
    yield "  }]\n}\n"


def tcx(points):
    yield ('<?xml version="1.0" encoding="UTF-8"?>\n<TrainingCenterDatabase '
           'xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">\n  <Activities>\n'
           f'    <Activity Sport="Biking">\n      <Id>{stream.stamp(stream.START)}</Id>\n'
           f'      <Lap StartTime="{stream.stamp(stream.START)}">\n        <Track>\n')
    for place, (time, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        yield (f"          <Trackpoint>\n            <Time>{stream.stamp(time)}</Time>\n"
               "            <Position>\n"
               f"              <LatitudeDegrees>{latitude:.10f}</LatitudeDegrees>\n"
               f"              <LongitudeDegrees>{longitude:.10f}</LongitudeDegrees>\n"
               "            </Position>\n"
               f"            <AltitudeMeters>{34.5 + place % 97 / 10:.1f}</AltitudeMeters>\n"
               f"            <HeartRateBpm>\n              <Value>{118 + place // 7 % 41}</Value>\n"
               "            </HeartRateBpm>\n          </Trackpoint>\n")
    yield ("        </Track>\n      </Lap>\n    </Activity>\n  </Activities>\n"
           "</TrainingCenterDatabase>\n")


def kml(points):
    """A track of Google Earth: all times, then all positions."""
    yield ('<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" '
           'xmlns:gx="http://www.google.com/kml/ext/2.2">\n<Document>\n<Placemark>\n<gx:Track>\n')
    for time, *_ in stream.drive(points, 1):
        yield f"<when>{stream.stamp(time)}</when>\n"
    for place, (_, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        yield (f"<gx:coord>{longitude:.10f} {latitude:.10f} "
               f"{34.5 + place % 97 / 10:.1f}</gx:coord>\n")
    yield "</gx:Track>\n</Placemark>\n</Document>\n</kml>\n"


def igc(points):
    """A flight without pressure altitudes, of which gpsbabel would make a second track."""
    yield f"AXXXABC\r\nHFDTE{stream.START.strftime('%d%m%y')}\r\nHFALGALTGPS:GEO\r\n"
    for place, (time, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        north, east = (divmod(round(abs(value) * 60_000), 60_000) for value in (latitude, longitude))
        yield (f"B{time.strftime('%H%M%S')}{north[0]:02}{north[1]:05}{'NS'[latitude < 0]}"
               f"{east[0]:03}{east[1]:05}{'EW'[longitude < 0]}A00000{34 + place % 97:05}\r\n")


def geojson(points):
    """A Point a fix, with its properties."""
    yield '{"type": "FeatureCollection", "features": [\n'
    for place, (time, latitude, longitude, course) in enumerate(stream.drive(points, 1)):
        yield ((",\n" if place else "")
               + '{"type": "Feature", "geometry": {"type": "Point", "coordinates": '
               f'[{longitude:.10f}, {latitude:.10f}, {34.5 + place % 97 / 10:.1f}]}}, "properties": '
               f'{{"time": "{stream.stamp(time)}", "accuracy": 5, "speed": {stream.SPEED}, '
               f'"bearing": {course}}}}}')
    yield "\n]}\n"


def timeline(points):
    """Paths of Google's `Timeline.json`, as Android exports it."""
    yield '{\n  "semanticSegments": [\n'
    for place, (time, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        if place % 100 == 0:
            yield "      ]\n    },\n" if place else ""
            yield (f'    {{\n      "startTime": "{stream.stamp(time)}",\n'
                   f'      "endTime": "{stream.stamp(time)}",\n      "timelinePath": [\n')
        yield ("," if place % 100 else "") + (
            f'        {{\n          "point": "{latitude:.7f}°, {longitude:.7f}°",\n'
            f'          "time": "{stream.stamp(time)}"\n        }}\n')
    yield "      ]\n    }\n  ]\n}\n"


def expo(points):
    """What a phone's app in React Native keeps: an array of records with times in milliseconds."""
    yield "[\n"
    for place, (time, latitude, longitude, course) in enumerate(stream.drive(points, 1)):
        yield ((",\n" if place else "")
               + f'{{"mocked":false,"timestamp":{round(time.timestamp() * 1_000)},"coords":'
               f'{{"altitude":{34.5 + place % 97 / 10:.1f},"heading":{course},'
               f'"altitudeAccuracy":3,"latitude":{latitude:.10f},"speed":{stream.SPEED},'
               f'"longitude":{longitude:.10f},"accuracy":5}}}}')
    yield "\n]\n"


def vbox(points):
    """A drive of Racelogic's data loggers: minutes, longitudes to the west."""
    yield (f"File created on {stream.START.strftime('%d/%m/%Y at %H:%M:%S')}\r\n\r\n[header]\r\n"
           "satellites\r\ntime\r\nlatitude\r\nlongitude\r\nvelocity kmh\r\nheading\r\nheight\r\n"
           "\r\n[column names]\r\nsats time lat long velocity heading height\r\n\r\n[data]\r\n")
    for place, (time, latitude, longitude, course) in enumerate(stream.drive(points, 1)):
        yield (f"009 {time.strftime('%H%M%S')}.{time.microsecond // 10_000:02} "
               f"{latitude * 60:+012.5f} {-longitude * 60:+012.5f} {stream.SPEED * 3.6:07.3f} "
               f"{course:06.2f} {34.5 + place % 97 / 10:+09.2f}\r\n")


# The fields of a record of a bicycle computer: number, size and base type, in the order of RECORD.
FIELDS = ((253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (5, 4, 0x86), (73, 4, 0x86), (78, 4, 0x86),
          (3, 1, 2), (4, 1, 2), (13, 1, 1))
RECORD = struct.Struct("<BIiiIIIBBb")
CRC = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ 0xA001 if byte & 1 else byte >> 1
    CRC.append(byte)


def fit(points):
    """Records alone, a second apart, after the type of the file."""
    yield from summed(fit_pieces(points, 6 + 3 + 2 + 6 + 3 * len(FIELDS) + RECORD.size * points))


def fit_pieces(points, size):
    yield struct.pack("<BBHI4s", 12, 0x20, 2132, size, b".FIT")
    yield struct.pack("<BBBHB", 0x40, 0, 0, 0, 1) + bytes((0, 1, 0)) + bytes((0, 4))
    yield struct.pack("<BBBHB", 0x41, 0, 0, 20, len(FIELDS)) + b"".join(map(bytes, FIELDS))
    unit = 2**31 / 180
    for place, (time, latitude, longitude, _) in enumerate(stream.drive(points, 1)):
        yield RECORD.pack(
            1, int(time.timestamp()) - 631_065_600, round(latitude * unit), round(longitude * unit),
            place * 1_300, round(stream.SPEED * 1_000), 5 * (534 + place % 97), 118 + place // 7 % 41,
            74 + place // 5 % 19, 18 + place // 900 % 9)


def summed(pieces):
    """The pieces and the checksum of them all."""
    value = 0
    for piece in pieces:
        for byte in piece:
            value = value >> 8 ^ CRC[value & 0xFF ^ byte]
        yield piece
    yield struct.pack("<H", value)


FORMATS = {
    "gpx": lambda points: gpx(points, 10),
    "gpx-long": lambda points: gpx(points, 25),
    "nmea": lambda points: (text.decode() for _, text in stream.epochs(points, 1, stream.START)),
    "gpsd": lambda points: (text.decode() for text in stream.reports(points, 1)),
    "csv": csv,
    "ndjson": ndjson,
    "records": records,
    "tcx": tcx,
    "kml": kml,
    "igc": igc,
    "geojson": geojson,
    "timeline": timeline,
    "expo": expo,
    "vbox": vbox,
    "fit": fit,
}


def write(name, points, path):
    """Writes a track of this many points in a format of this list."""
    with open(path, "wb", buffering=1 << 20) as file:
        file.writelines(piece.encode() if isinstance(piece, str) else piece
                        for piece in FORMATS[name](points))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in FORMATS:
        sys.exit(__doc__)
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
