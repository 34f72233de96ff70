"""An error names what is wrong, with its row and column."""

import numpy as np
import pandas
import pytest

import waymark

GOOD = {"time": ["2026-05-04T08:00:00Z"] * 3, "lat": [52.5] * 3, "lon": [13.4] * 3}


@pytest.mark.parametrize("change, message", [
    ({"lat": ["52.5", "north", "52.5"]}, "row 1, column 'lat': 'north' is no number"),
    ({"lat": [52.5, {}, 52.5]}, "row 1, column 'lat'"),
    ({"time": ["2026-05-04T08:00:00Z", "noon", None]}, "row 1, column 'time': 'noon' is no time"),
    ({"time": [True, False, True]}, "column 'time' of type bool has no times"),
    ({"device": ["a", None, "b"]}, "row 1, column 'device': None is no device"),
    ({"device": ["a", "b", ""]}, "row 2, column 'device': '' is no device"),
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
    (lambda: waymark.Engine().state("van"), "there is no device 'van'"),
    (lambda: waymark.Engine().resume("van", b"x" * 100), "no state of a device"),
    (lambda: waymark.Engine().advance("van", pandas.Timestamp("2026-05-04")), "has no zone"),
])
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises(waymark.WaymarkError) as error:
        call()
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
