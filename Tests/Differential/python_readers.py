"""What fitdecode, fitparse and gpxpy read: a process that answers as our worker does."""
import calendar
import io
import json
import logging
import sys

import fitdecode
import fitparse
import gpxpy

logging.disable()


def row(get):
    """Time, latitude, longitude, altitude, speed; None without a position."""
    def best(enhanced, plain):
        value = get(enhanced)
        return get(plain) if value is None else value
    latitude, longitude, time = get("position_lat"), get("position_long"), get("timestamp")
    if latitude is None or longitude is None:
        return None
    return [calendar.timegm(time.utctimetuple()), latitude, longitude,
            best("enhanced_altitude", "altitude"), best("enhanced_speed", "speed")]


def by_fitdecode(data):
    with fitdecode.FitReader(io.BytesIO(data)) as reader:
        return [row(lambda name, frame=frame: frame.get_value(name, fallback=None))
                for frame in reader
                if isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record"]


def by_fitparse(data):
    return [row(message.get_value)
            for message in fitparse.FitFile(io.BytesIO(data)).get_messages("record")]


def by_gpxpy(data):
    """Microseconds since 1970, latitude, longitude, altitude."""
    return [[point.time and round(point.time.timestamp() * 1e6), point.latitude, point.longitude,
             point.elevation]
            for track in gpxpy.parse(data.decode()).tracks
            for segment in track.segments for point in segment.points]


def main():
    readers = {"fitdecode": by_fitdecode, "fitparse": by_fitparse, "gpxpy": by_gpxpy}
    while header := sys.stdin.buffer.readline():
        name, count = header.decode().split()
        rows = readers[name](sys.stdin.buffer.read(int(count)))
        print(json.dumps([row for row in rows if row]), flush=True)


main()
