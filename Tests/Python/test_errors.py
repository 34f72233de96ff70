"""An error names what is wrong, with its row and column."""

import datetime
import decimal

import duckdb
import geopandas
import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from shapely.geometry import Point

import waymark

GOOD = {"time": ["2026-05-04T08:00:00Z"] * 3, "lat": [52.5] * 3, "lon": [13.4] * 3}


@pytest.mark.parametrize("change, message", [
    ({"lat": ["52.5", "north", "52.5"]}, "row 1, column 'lat': 'north' is no number"),
    ({"lat": [52.5, {}, 52.5]}, "row 1, column 'lat'"),
    ({"time": ["2026-05-04T08:00:00Z", "noon", None]}, "row 1, column 'time': 'noon' is no time"),
    ({"time": [True, False, True]}, "column 'time' of type bool has no times"),
    ({"device": ["a", None, "b"]}, "row 1, column 'device': None is no device"),
    ({"device": ["a", "b", ""]}, "row 2, column 'device': '' is no device"),
    ({"device": [1.0, 7.5, 2.0]}, "row 1, column 'device': 7.5 is no device, expected text"),
    ({"device": [b"a", b"\xff", b"a"]}, "row 1, column 'device': b'\\xff' is no device"),
    ({"device": pa.array([decimal.Decimal(each) for each in ("7.00", "7.50", "8.00")])},
     "row 1, column 'device': Decimal('7.50') is no device"),
    ({"device": [True, True, False]}, "row 0, column 'device': True is no device"),
    ({"date": ["2026-05-04"] * 3, "time": ["10:00", "10:00+99:99", None]},
     "row 1, column 'time': '10:00+99:99' is no time of a day"),
    ({"lat": ["52.5", " 52.5 ", "x"]}, "row 2, column 'lat': 'x' is no number"),
    ({"time": ["2026-05-04T08:00:00Z", "2026-05-04 08:00", "noon"]}, "row 2, column 'time': 'noon'"),
    ({"time": [datetime.time(10)] * 3}, "has times without a day, expected whole times"),
    ({"date": ["2026-05-04"] * 3, "time": ["10:00", "25:00", None]},
     "row 1, column 'time': '25:00' is no time of a day such as 10:00:00"),
    ({"date": ["2026-05-04"] * 3, "time": ["2026-05-04T08:00:00Z", "noon", None]},
     "row 1, column 'time': 'noon' is no time such as"),
    ({"date": ["2026-05-04", None, None], "time": [93_000, 93_005, None]},
     "row 1, column 'date': None is no day; fill it in"),
    ({"date": ["2026-05-04", "later", None], "time": ["10:00"] * 3},
     "row 1, column 'date': 'later' is no day such as 2026-05-04"),
    ({"N/S": ["N", "X", "S"], "E/W": ["E"] * 3}, "row 1, column 'N/S': 'X' is no hemisphere"),
    ({"lat": [1.0, -2.0, 3.0], "N/S": ["N", "S", "S"], "E/W": ["E"] * 3},
     "row 1, column 'lat': -2.0 has a sign beside the letter in column 'N/S'"),
    ({"latitude": [1.0] * 3, "Latitude": [2.0] * 3}, "two columns are the latitude"),
    ({"lon": None}, "no column has the longitude, expected at least time, latitude and longitude"),
])
def test_a_wrong_value_is_named(change, message):
    columns = {name: values for name, values in {**GOOD, **change}.items() if values is not None}
    with pytest.raises(waymark.WaymarkError) as error:
        waymark.events(pandas.DataFrame(columns))
    assert message in str(error.value)


@pytest.mark.parametrize("call, message", [
    (lambda: waymark.events("track.gpx"), "a table of type str is not known"),
    (lambda: waymark.events({**GOOD, "lat": [1]}), "different lengths"),
    (lambda: waymark.events(GOOD, output="excel"), "output is 'excel', expected one of pandas"),
    (lambda: waymark.visits(GOOD, output="log"), "output is 'log'"),
    (lambda: waymark.events(GOOD, columns={"north": "lat"}), "there is no field 'north'"),
    (lambda: waymark.events(GOOD, columns={"time": "when"}), "there is no column 'when' for time"),
    (lambda: waymark.events(GOOD, columns={"time": "a,b"}), "'a,b' has a comma in its name"),
    (lambda: waymark.events(GOOD, config="/nowhere/a.yaml"), "/nowhere/a.yaml"),
    (lambda: waymark.events(GOOD, config={"fence": []}), "did you mean 'fences'?"),
    (lambda: waymark.events(GOOD, fences="/nowhere/a.geojson"), "/nowhere/a.geojson"),
    (lambda: waymark.events(GOOD, fences={"a": (1, 2)}), "expected (latitude, longitude, radius"),
    (lambda: waymark.events(GOOD, fences={"a": (1, 2, -3)}), "the radius cannot be used"),
    (lambda: waymark.events(GOOD, fences="/nowhere/a.wmf"), "no compiled fences"),
    (lambda: waymark.events(GOOD, fences="a.wmf", config="a.yaml"), "beside a config file"),
    (lambda: waymark.events(GOOD, fences=waymark.fences(), config={}), "expected it in waymark"),
    (lambda: waymark.events(GOOD, fences=3), "fences of type int are not known"),
    (lambda: waymark.events(GOOD, device=""), "the name of a device is empty"),
    (lambda: waymark.read("/nowhere/a.gpx"), "/nowhere/a.gpx"),
    (lambda: waymark.events(GOOD, columns={"time": 0}), "expected texts such as 'time': 'ts'"),
    (lambda: waymark.events({**GOOD, "lat": 5}),
     "column 'lat' is 5, expected an array of one dimension or a list"),
    (lambda: waymark.events({**GOOD, "device": np.zeros((3, 2))}), "an array of one dimension"),
    (lambda: waymark.events({**GOOD, "lat": np.array(5)}), "column 'lat' is array(5), expected"),
    (lambda: waymark.events(GOOD, columns="time"), "columns is 'time', expected a dict"),
    (lambda: waymark.events({**GOOD, "\ud800": [1] * 3}), "'\\ud800' is no text of UTF-8"),
    (lambda: waymark.events(GOOD, device="\ud800"), "'\\ud800' is no text of UTF-8"),
    (lambda: waymark.events(GOOD, config=5), "the config cannot be used, expected the path"),
    (lambda: waymark.events(GOOD, config={"memory": object()}), "the config cannot be used"),
    (lambda: waymark.events(polars.Series([1])), "a table of type Series cannot be read"),
    (lambda: waymark.events(polars.DataFrame(GOOD).with_columns(
        polars.lit(1).cast(polars.Int128).alias("device"))), "column 'device' cannot be read"),
    (lambda: waymark.events(polars.LazyFrame(GOOD)), "collect() gives its rows"),
    (lambda: waymark.Engine().feed(GOOD, device=5), "the device is 5, expected a text"),
    (lambda: waymark.Engine().resume("van", "abc"), "the state is of type str, expected the bytes"),
    (lambda: waymark.Engine().advance("van", np.datetime64("2026-05-04T08:00")), "has no zone"),
    (lambda: waymark.Engine().advance("van", 1.5), "the time is 1.5, expected a datetime"),
    (lambda: waymark.Engine().advance("van", 2**70), "is no time of 1678 to 2261"),
    (lambda: waymark.Engine().state("van"), "there is no device 'van'"),
    (lambda: waymark.Engine().resume("van", b"x" * 100), "no state of a device"),
    (lambda: waymark.Engine().advance("van", pandas.Timestamp("2026-05-04")), "has no zone"),
])
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises(waymark.WaymarkError) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize("device, message", [
    (polars.Series([1.0, float("nan"), 2.0]), "row 1, column 'device': nan is no device"),
    (pa.DictionaryArray.from_arrays([0, 1, 0], pa.array(["a", None])),
     "row 1, column 'device': None is no device; fill it in or drop the row"),
    (pa.array([{"id": 1}] * 3), "column 'device' of type struct<id: int64> has no devices"),
], ids=["NaN", "dictionary", "struct"])
def test_a_device_without_a_name_is_named(device, message):
    table = polars.DataFrame if isinstance(device, polars.Series) else pa.table
    with pytest.raises(waymark.WaymarkError) as error:
        waymark.events(table({**GOOD, "device": device}))
    assert message in str(error.value)


@pytest.mark.parametrize("time, message", [
    ("'infinity'::timestamp", "9223372036854775807 us since 1970' is no time of 1678 to 2261"),
    ("'3000-01-01'::timestamp", "'3000-01-01 00:00:00' is no time of 1678 to 2261; drop the row"),
])
def test_a_time_that_is_too_far_away_is_named(time, message):
    table = duckdb.sql(
        f"SELECT unnest(['2026-05-04'::timestamp, {time}]) AS time, 52.5 AS lat, 13.4 AS lon")
    with pytest.raises(waymark.WaymarkError) as error:
        waymark.events(table)
    assert str(error.value).startswith("row 1, column 'time': ") and message in str(error.value)


def test_a_number_that_is_no_time_is_counted():
    engine = waymark.Engine()
    engine.feed({**GOOD, "time": np.array([2**63, 1_777_881_600, 2**64 - 1], np.uint64)})
    assert engine.counts["dropped"] == {"timeless": {"count": 2, "row": 0}}


def test_rows_that_are_no_fixes_are_counted():
    table = {
        "timestamp": [1_777_881_600, 1_777_881_605, 1_777_881_610], "visible": [True, False, True],
        "location-lat": [52.5] * 3, "location-long": [13.4] * 3}
    with pytest.warns(waymark.WaymarkWarning) as caught:
        waymark.events(table)
    assert "1 invalid (first: row 1); row 1 is no fix, as column 'visible' says" in str(
        caught[0].message)


def test_a_missing_point_is_named():
    for point, message in (
        (None, "None is no point; fill it in"), (Point(1, 2).buffer(1), "found a Polygon, expected"),
    ):
        frame = geopandas.GeoDataFrame(
            {"time": GOOD["time"]}, geometry=[Point(1, 2), point, Point(1, 2)], crs=4326)
        with pytest.raises(waymark.WaymarkError) as error:
            waymark.events(frame)
        assert "row 1, column 'geometry': " in str(error.value) and message in str(error.value)


def test_a_wrong_fence_is_named(tmp_path):
    path = tmp_path / "places.geojson"
    path.write_text(
        '{"type":"Feature","id":"a","properties":{"radius":5},\n'
        '"geometry":{"type":"Point","coordinates":[13.4,152.5]}}')
    points = geopandas.GeoDataFrame(
        {"id": ["a", "b"], "radius": [5, -5]}, geometry=[Point(1, 2)] * 2, crs=4326)
    for fences, message in (
        (path, f"{path}:2:"),
        (points, "fence 'b': the radius cannot be used"),
        ({"a": (1, 2, 3), "b": (113.4, 52.5, 100)}, "fence 'b': the latitude 113.4 is out of range"),
        ({"a": (113.4, 52.5, 100)}, "a circle is (latitude, longitude, radius in metres)"),
        ({"a": (1, float("nan"), 3)}, "fence 'a' is (1, nan, 3), expected (latitude, longitude"),
        ({"": (1, 2, 3)}, "the id of a fence is empty"),
    ):
        with pytest.raises(waymark.WaymarkError) as error:
            waymark.fences(fences)
        assert message in str(error.value)


def test_fixes_that_are_not_used_are_counted():
    table = {
        "time": np.array([0, 1, 1, 2, 3]) * 10**9 + 1_777_881_600 * 10**9,
        "lat": [52.5, 52.5, 52.5, 91.0, np.nan], "lon": [13.4] * 5,
    }
    with pytest.warns(waymark.WaymarkWarning) as caught:
        waymark.events(table)
    assert "3 of 5 fixes were not used: 2 invalid (first: row 3), 1 duplicate (first: row 2)" in str(
        caught[0].message)


def test_what_is_wrong_in_a_file_is_a_warning(tmp_path):
    path = tmp_path / "walk.csv"
    path.write_text("time,latitude,longitude\n2026-05-04T08:00:00Z,north,13.4\n"
                    "2026-05-04T08:00:05Z,52.5,13.4\n")
    with pytest.warns(waymark.WaymarkWarning, match="walk.csv:2:22: "):
        assert len(waymark.read(path)) == 1


def test_sections_for_other_commands_are_passed_over():
    others = {"store": "a.gpkg", "deliver": [], "geocoder": {"provider": "gazetteer"}, "tiles": 3}
    waymark.events(GOOD, config=others, output="log")
