"""Reads Google's files with ijson and adds up what they say, as read-bench does.

    ijson_read.py records|timeline FILE
"""

import datetime
import sys

import ijson


def records(file):
    for record in ijson.items(file, "locations.item", use_float=True):
        yield (record["latitudeE7"] / 1e7 + record["longitudeE7"] / 1e7, record.get("altitude", 0),
               record["timestamp"])


def timeline(file):
    for segment in ijson.items(file, "semanticSegments.item", use_float=True):
        for point in segment["timelinePath"]:
            latitude, longitude = point["point"].split(",")
            yield float(latitude.rstrip("°")) + float(longitude.rstrip("°")), 0, point["time"]


count, degrees, metres, seconds = 0, 0.0, 0.0, 0
with open(sys.argv[2], "rb") as file:
    for place, height, time in {"records": records, "timeline": timeline}[sys.argv[1]](file):
        count += 1
        degrees += place
        metres += height
        seconds += int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp())
print(f"{count} points, sums {degrees:.0f} {metres:.0f} {seconds}")
