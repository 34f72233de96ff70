"""Stops found a second of processor time, beside other Python packages: `make python-figures`.

The fixes are a day of one phone, as often as there are devices. Each package gets the table that it
works on, so only its own search is timed; slow ones get fewer devices.
"""

import datetime
import importlib.metadata
import pathlib
import resource
import warnings

import geopandas
import movingpandas
import pandas
import trackintel

import waymark

STORY = pathlib.Path(__file__).resolve().parents[3] / "traces" / "commute" / "track.gpx"
MINUTES, METRES = 5, 50


def table(devices):
    day = waymark.read(STORY)[["time", "latitude", "longitude", "accuracy"]]
    return pandas.concat(
        [day.assign(device=f"phone {number}") for number in range(devices)], ignore_index=True)


def points(devices):
    fixes = table(devices)
    places = geopandas.points_from_xy(fixes["longitude"], fixes["latitude"])
    return geopandas.GeoDataFrame(fixes, geometry=places, crs=4326)


def of_waymark(devices):
    fixes = table(devices)
    return lambda: len(waymark.visits(fixes)), len(fixes)


def of_movingpandas(devices):
    fixes = points(devices)

    def search():
        tracks = movingpandas.TrajectoryCollection(fixes, "device", t="time")
        return len(movingpandas.TrajectoryStopDetector(tracks).get_stop_points(
            max_diameter=2 * METRES, min_duration=datetime.timedelta(minutes=MINUTES)))

    return search, len(fixes)


def of_trackintel(devices):
    names = {"device": "user_id", "time": "tracked_at"}
    fixes = points(devices).rename(columns=names)[["user_id", "tracked_at", "geometry"]]
    fixes = trackintel.Positionfixes(fixes)

    def search():
        return len(fixes.generate_staypoints(
            method="sliding", dist_threshold=METRES, time_threshold=MINUTES)[1])

    return search, len(fixes)


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    warnings.simplefilter("ignore")
    print("| package | stops a day | fixes/s |\n| --- | --- | --- |")
    for prepare, devices in ((of_waymark, 100), (of_trackintel, 100), (of_movingpandas, 4)):
        name = prepare.__name__[3:]
        # The first call loads what is loaded once.
        prepare(1)[0]()
        search, count = prepare(devices)
        begin = processor_time()
        stops = search()
        speed = count / (processor_time() - begin)
        version = importlib.metadata.version(name)
        print(f"| {name} {version} | {stops / devices:g} | {speed:,.0f} |")


if __name__ == "__main__":
    main()
