"""Reads Google's Records.json with ijson and adds up what its records say, as read-bench does."""

import datetime
import sys

import ijson

count, degrees, metres, seconds = 0, 0.0, 0.0, 0
with open(sys.argv[1], "rb") as file:
    for record in ijson.items(file, "locations.item", use_float=True):
        count += 1
        degrees += record["latitudeE7"] / 1e7 + record["longitudeE7"] / 1e7
        metres += record.get("altitude", 0)
        time = datetime.datetime.fromisoformat(record["timestamp"].replace("Z", "+00:00"))
        seconds += int(time.timestamp())
print(f"{count} points, sums {degrees:.0f} {metres:.0f} {seconds}")
