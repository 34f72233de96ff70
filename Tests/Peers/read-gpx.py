"""Prints what gpxpy reads of a GPX file: a line for each track, segment, point and waypoint."""
import sys

import gpxpy

with open(sys.argv[1], encoding="utf-8") as file:
    document = gpxpy.parse(file)
for track in document.tracks:
    print("track", track.name)
    for segment in track.segments:
        print("segment")
        for point in segment.points:
            time = point.time and point.time.strftime("%Y-%m-%dT%H:%M:%S.%f")
            print(point.latitude, point.longitude, point.elevation, time)
for waypoint in document.waypoints:
    time = waypoint.time and waypoint.time.strftime("%Y-%m-%dT%H:%M:%S.%f")
    print("waypoint", waypoint.latitude, waypoint.longitude, waypoint.name, waypoint.type, time)
