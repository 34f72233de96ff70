"""Fences that are made once: what can be seen of them."""

import pickle
import sys

import geopandas
import numpy as np
import pyproj
import pytest
from shapely.geometry import MultiPolygon, Point, Polygon

import waymark

DEPOT = {"depot": (52.5, 13.4, 100)}


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "waymark.yaml"
    path.write_text(
        "fences:\n"
        "- {id: Müggelsee, polygon: [[52.4, 13.6], [52.4, 13.7], [52.5, 13.65]]}\n"
        "- {id: Fiji, center: [-17.5, 179.9995], radius: 500 m}\n")
    return path


def test_they_have_a_length_and_ids(config):
    fences = waymark.fences(DEPOT, config=config)
    assert len(fences) == 3 and fences.ids == ["Müggelsee", "Fiji", "depot"]
    assert repr(fences) == f"<waymark.Fences: 3 fences from a dict and {config}>"
    sent = pickle.loads(pickle.dumps(fences))
    assert repr(sent) == repr(fences) and sent.ids == fences.ids


@pytest.mark.parametrize("arguments, text", [
    ({}, "0 fences"),
    ({"fences": DEPOT}, "1 fence from a dict"),
    ({"config": {"visits": False}}, "0 fences from a config"),
    ({"fences": geopandas.GeoDataFrame(
        {"id": [1, 2]}, geometry=[Point(13, 52).buffer(1), Point(16, 52).buffer(1)])},
     "2 fences from a GeoDataFrame"),
])
def test_they_say_what_they_are_from(arguments, text):
    assert repr(waymark.fences(**arguments)) == f"<waymark.Fences: {text}>"


def test_without_any_there_are_settings_still():
    fences = waymark.fences()
    assert fences and len(fences) == 0 and fences.ids == []
    frame = fences.to_geodataframe()
    assert len(frame) == 0 and "id" in frame and frame.crs == 4326


def test_a_frame_of_circles_and_polygons(config):
    frame = waymark.fences(DEPOT, config=config).to_geodataframe()
    assert isinstance(frame, geopandas.GeoDataFrame) and frame.crs == 4326
    assert list(frame["id"]) == ["Müggelsee", "Fiji", "depot"]
    lake, island, depot = frame.geometry
    assert lake.wkt == "POLYGON ((13.6 52.4, 13.7 52.4, 13.65 52.5, 13.6 52.4))"
    assert np.isnan(frame.loc[0, "radius"]) and list(frame["radius"][1:]) == [500, 100]
    assert tuple(frame.loc[2, ["latitude", "longitude"]]) == (52.5, 13.4)
    # The polygon goes on over the antimeridian.
    west, _, east, _ = island.bounds
    assert 179.99 < west < 180 < east < 180.01
    geod = pyproj.Geod(ellps="WGS84")
    for shape, center, radius in ((island, (179.9995, -17.5), 500), (depot, (13.4, 52.5), 100)):
        corners = list(shape.exterior.coords)
        assert len(corners) == 65 and shape.exterior.is_ccw
        assert np.allclose([geod.inv(*center, *corner)[2] for corner in corners], radius, atol=1e-6)


def test_a_frame_of_holes_and_parts():
    yard = Point(13.4, 52.5)
    site = MultiPolygon([
        yard.buffer(0.01).difference(yard.buffer(0.003)), Point(13.5, 52.5).buffer(0.01)])
    given = geopandas.GeoDataFrame({"name": ["site"]}, geometry=[site], crs=4326)
    (shape,) = waymark.fences(given).to_geodataframe().geometry
    assert shape.normalize().equals_exact(site.normalize(), 0)


def test_holes_that_overlap_are_refused():
    yard = Point(13.4, 52.5)
    hole = yard.buffer(0.003).exterior.coords
    site = Polygon(yard.buffer(0.01).exterior.coords, [hole, hole])
    given = geopandas.GeoDataFrame({"name": ["site"]}, geometry=[site], crs=4326)
    with pytest.raises(waymark.WaymarkError, match="hole 2 overlaps hole 1"):
        waymark.fences(given)


def test_a_frame_gives_the_same_polygons(config):
    frame = waymark.fences(DEPOT, config=config).to_geodataframe()
    again = waymark.fences(frame[frame["id"] != "Fiji"])
    assert again.ids == ["Müggelsee", "depot"]
    for before, after in zip(frame.geometry[[0, 2]], again.to_geodataframe().geometry):
        assert after.normalize().equals_exact(before.normalize(), 0)
    with pytest.raises(waymark.WaymarkError, match="cut an area that crosses the antimeridian"):
        waymark.fences(frame)


def test_many_circles_at_once(monkeypatch):
    monkeypatch.setattr(waymark._rules, "_CIRCLES_AT_A_TIME", 3)
    circles = {f"stop {number}": (50, 8 + number / 100, 10 + number) for number in range(10)}
    frame = waymark.fences(circles).to_geodataframe()
    for number, shape in enumerate(frame.geometry):
        assert np.allclose(shape.centroid.coords[0], (8 + number / 100, 50), atol=1e-6)


def test_a_frame_needs_geopandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "geopandas", None)
    with pytest.raises(ImportError, match=r"pip install 'waymark\[geopandas\]'"):
        waymark.fences(DEPOT).to_geodataframe()
