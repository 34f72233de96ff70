"""The stops of at least five minutes that a package finds: stops.py PACKAGE FIXES METRES LOG.

It runs in the environment of the package, prints the processor time of the search alone, and writes
the stops as an event log, so that `waymark score` is the judge of all. Each package gets the table that
it works on.
"""

import datetime
import json
import resource
import sys
import warnings

import pandas

MINUTES = 5
FIELDS = ["device", "arrival", "departure", "latitude", "longitude"]


def of_waymark(fixes, metres):
    import waymark

    settings = {"visits": {"minimum-stay": f"{MINUTES} min"}}
    return lambda: waymark.visits(fixes, config=settings)[FIELDS]


def points(fixes):
    import geopandas

    places = geopandas.points_from_xy(fixes["longitude"], fixes["latitude"])
    return geopandas.GeoDataFrame(fixes, geometry=places, crs=4326)


def of_movingpandas(fixes, metres):
    import movingpandas

    places = points(fixes)

    def search():
        tracks = movingpandas.TrajectoryCollection(places, "device", t="time")
        stops = movingpandas.TrajectoryStopDetector(tracks).get_stop_points(
            max_diameter=2 * metres, min_duration=datetime.timedelta(minutes=MINUTES))
        return pandas.DataFrame({
            "device": stops["traj_id"], "arrival": stops["start_time"],
            "departure": stops["end_time"], "latitude": stops.geometry.y,
            "longitude": stops.geometry.x})

    return search


def of_trackintel(fixes, metres):
    import trackintel

    names = {"device": "user_id", "time": "tracked_at"}
    places = points(fixes).rename(columns=names)[["user_id", "tracked_at", "geometry"]]
    places = trackintel.Positionfixes(places)

    def search():
        stops = places.generate_staypoints(
            method="sliding", dist_threshold=metres, time_threshold=MINUTES, gap_threshold=24 * 60,
            include_last=True)[1]
        return pandas.DataFrame({
            "device": stops["user_id"], "arrival": stops["started_at"],
            "departure": stops["finished_at"], "latitude": stops.geometry.y,
            "longitude": stops.geometry.x})

    return search


def of_scikit_mobility(fixes, metres):
    import skmob
    from skmob.preprocessing import detection

    plain = fixes.assign(time=fixes["time"].dt.tz_localize(None))
    places = skmob.TrajDataFrame(
        plain[["device", "time", "latitude", "longitude"]], latitude="latitude",
        longitude="longitude", datetime="time", user_id="device")

    def search():
        stops = detection.stay_locations(
            places, minutes_for_a_stop=MINUTES, spatial_radius_km=metres / 1_000)
        return pandas.DataFrame({
            "device": stops["uid"], "arrival": stops["datetime"],
            "departure": stops["leaving_datetime"], "latitude": stops["lat"],
            "longitude": stops["lng"]})

    return search


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def line(number, stop, end):
    def text(time):
        return pandas.Timestamp(time).strftime("%Y-%m-%dT%H:%M:%S.000Z")

    departure = end if pandas.isna(stop.departure) else stop.departure
    return json.dumps({
        "type": "visit", "id": f"{number:016x}", "device": str(stop.device),
        "time": text(departure), "decided": text(departure), "latitude": stop.latitude,
        "longitude": stop.longitude, "accuracy": 10.0, "confidence": 1.0,
        "arrival": text(stop.arrival), "departure": text(departure), "arrivalSeen": True,
        "revision": 0})


def main():
    warnings.simplefilter("ignore")
    package, path, metres, log = sys.argv[1:]
    fixes = pandas.read_parquet(path)
    prepare = globals()["of_" + package.replace("-", "_")]
    # The first call loads what is loaded once.
    first = fixes[fixes["device"] == fixes["device"].iloc[0]]
    prepare(first.iloc[:200].copy(), float(metres))()
    search = prepare(fixes, float(metres))
    begin = processor_time()
    stops = search()
    print(processor_time() - begin)
    ends = fixes.groupby("device")["time"].max()
    with open(log, "w", encoding="utf-8") as file:
        for number, stop in enumerate(stops.itertuples()):
            print(line(number, stop, ends[stop.device]), file=file)


if __name__ == "__main__":
    main()
