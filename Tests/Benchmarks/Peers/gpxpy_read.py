"""Reads a GPX file with gpxpy and adds up what its points say, as read-bench does."""

import calendar
import sys

import gpxpy

with open(sys.argv[1]) as file:
    document = gpxpy.parse(file)
points = [point for track in document.tracks for segment in track.segments
          for point in segment.points]
degrees = sum(point.latitude + point.longitude for point in points)
metres = sum(point.elevation for point in points)
seconds = sum(calendar.timegm(point.time.utctimetuple()) for point in points)
print(f"{len(points)} points, sums {degrees:.0f} {metres:.0f} {seconds}")
