"""Reads files of positions in JSON with ijson and adds up what they say, as read-bench does.

    ijson_read.py records|timeline|expo FILE
"""

import datetime
import sys

import ijson


def records(file):
    for record in ijson.items(file, "locations.item", use_float=True):
        yield (record["latitudeE7"] / 1e7 + record["longitudeE7"] / 1e7, record.get("altitude", 0),
               seconds_of(record["timestamp"]))


def timeline(file):
    for segment in ijson.items(file, "semanticSegments.item", use_float=True):
        for point in segment["timelinePath"]:
            latitude, longitude = point["point"].split(",")
            yield (float(latitude.rstrip("°")) + float(longitude.rstrip("°")), 0,
                   seconds_of(point["time"]))


def expo(file):
    for record in ijson.items(file, "item", use_float=True):
        place = record["coords"]
        yield (place["latitude"] + place["longitude"], place.get("altitude", 0),
               record["timestamp"] // 1_000)


def seconds_of(time):
    return int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp())


READERS = {"records": records, "timeline": timeline, "expo": expo}
count, degrees, metres, seconds = 0, 0.0, 0.0, 0
with open(sys.argv[2], "rb") as file:
    for place, height, time in READERS[sys.argv[1]](file):
        count += 1
        degrees += place
        metres += height
        seconds += time
print(f"{count} points, sums {degrees:.0f} {metres:.0f} {seconds}")
