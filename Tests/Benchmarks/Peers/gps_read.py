"""Reads a gpsd with python3-gps, and prints a line for every fix."""

import sys

import gps

session = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE | gps.WATCH_JSON)
fixes = 0
while session.read() == 0:
    # The last report stays when a line tells of something else.
    if session.data.get("class") != "TPV" or session.fix.mode < 2:
        continue
    fixes += 1
    fix = session.fix
    print(fix.time, fix.latitude, fix.longitude, session.data.get("eph"), fix.speed)
print(fixes, "fixes", file=sys.stderr)
