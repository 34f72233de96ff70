"""Reads a FIT file with fitdecode or fitparse and adds up what its records say, as read-bench does."""

import calendar
import sys

UNIT = 180 / 2**31


def by_fitdecode(path):
    import fitdecode
    with fitdecode.FitReader(path) as reader:
        for frame in reader:
            if isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record":
                yield frame.get_value


def by_fitparse(path):
    import fitparse
    for message in fitparse.FitFile(path).get_messages("record"):
        yield message.get_value


count, degrees, metres, seconds = 0, 0.0, 0.0, 0
for value in {"fitdecode": by_fitdecode, "fitparse": by_fitparse}[sys.argv[1]](sys.argv[2]):
    count += 1
    degrees += value("position_lat") * UNIT + value("position_long") * UNIT
    metres += value("enhanced_altitude")
    seconds += calendar.timegm(value("timestamp").utctimetuple())
print(f"{count} points, sums {degrees:.0f} {metres:.0f} {seconds}")
