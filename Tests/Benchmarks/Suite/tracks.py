#!/usr/bin/env python3
"""One simulated drive in every format; the same bytes in every run.

    tracks.py gpx|gpx-long|nmea|gpsd|csv|ndjson|records POINTS FILE
"""

import pathlib
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


FORMATS = {
    "gpx": lambda points: gpx(points, 10),
    "gpx-long": lambda points: gpx(points, 25),
    "nmea": lambda points: (text.decode() for _, text in stream.epochs(points, 1, stream.START)),
    "gpsd": lambda points: (text.decode() for text in stream.reports(points, 1)),
    "csv": csv,
    "ndjson": ndjson,
    "records": records,
}


def write(name, points, path):
    """Writes a track of this many points in a format of this list."""
    with open(path, "w", buffering=1 << 20, newline="") as file:
        file.writelines(FORMATS[name](points))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in FORMATS:
        sys.exit(__doc__)
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
