"""Tables of every kind in, tables of the same kind out."""

import datetime
import decimal

import duckdb
import geopandas
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import waymark

DEPOT = {"depot": (52.5, 13.4, 100)}
FENCES_ALONE = {"visits": False, "significant-changes": False}


@pytest.fixture(scope="module")
def frame():
    """A device that passes through the depot, with a fix each five seconds."""
    metres = np.arange(-1500, 1500, 50)
    return pandas.DataFrame({
        "time": pandas.Timestamp("2026-05-04T08:00Z") + pandas.to_timedelta(
            5 * np.arange(len(metres)), unit="s"),
        "latitude": 52.5,
        "longitude": 13.4 + metres / 67_700,
        "accuracy": 5.0,
        "device": "van",
    })


@pytest.fixture(scope="module")
def expected(frame):
    log = waymark.events(frame, fences=DEPOT, output="log")
    assert log.count(b'"fence":"depot"') == 3
    return log


def relation(frame):
    # DuckDB finds the frame by the name of the variable.
    return duckdb.sql("SELECT * FROM frame")


@pytest.mark.parametrize("make", [
    lambda frame: polars.from_pandas(frame),
    lambda frame: pa.Table.from_pandas(frame),
    lambda frame: pa.RecordBatch.from_pandas(frame),
    relation,
    lambda frame: {name: frame[name].to_numpy() for name in frame},
    lambda frame: {name: frame[name].tolist() for name in frame},
    lambda frame: frame.set_index("time"),
    lambda frame: frame.set_index("device"),
    lambda frame: frame.set_index(["device", "time"]),
    lambda frame: frame.astype({"device": "category"}),
    lambda frame: geopandas.GeoDataFrame(
        frame.drop(columns=["latitude", "longitude"]),
        geometry=geopandas.points_from_xy(frame.longitude, frame.latitude), crs=4326),
    lambda frame: frame.rename(columns={"latitude": "lat", "longitude": "lng", "accuracy": "acc"}),
    lambda frame: frame.assign(time=frame.time.dt.as_unit("s").astype("int64")),
    lambda frame: frame.assign(time=frame.time.dt.as_unit("ms").astype("int64")),
    lambda frame: frame.assign(time=frame.time.dt.as_unit("s").astype("int64") + 0.0),
    lambda frame: frame.assign(time=frame.time.dt.tz_localize(None)),
    lambda frame: frame.assign(time=frame.time.dt.tz_convert("Asia/Tokyo")),
    lambda frame: frame.assign(time=frame.time.map(lambda time: time.isoformat())),
    lambda frame: frame.assign(latitude=frame.latitude.map(str)),
], ids=[
    "polars", "arrow", "batch", "duckdb", "numpy", "lists", "index", "index of devices", "two indexes", "category", "geopandas",
    "names", "seconds", "milliseconds", "decimals", "zoneless", "zone", "text", "numbers as text",
])
def test_every_kind_of_table_gives_the_same_events(make, frame, expected):
    assert waymark.events(make(frame), fences=DEPOT, output="log") == expected


def test_an_index_without_a_name_is_the_time_if_no_column_is(frame, expected):
    bare = frame.set_index("time").rename_axis(index=None)
    assert waymark.events(bare, fences=DEPOT, output="log") == expected
    received = frame.set_index(frame["time"] + pandas.Timedelta("1 h")).rename_axis(index=None)
    assert waymark.events(received, fences=DEPOT, output="log") == expected


def test_text_of_polars_is_read(frame, expected):
    table = polars.from_pandas(frame.assign(time=frame.time.map(lambda time: time.isoformat())))
    for kind in (polars.String, polars.Categorical):
        changed = table.with_columns(
            polars.col("device").cast(kind), polars.col("latitude").cast(polars.String).cast(kind))
        assert waymark.events(changed, fences=DEPOT, output="log") == expected


def test_an_index_of_devices_tells_them_apart(frame):
    two = pandas.concat([frame, frame.assign(device="bus")])
    log = waymark.events(two, fences=DEPOT, output="log")
    assert log.count(b'"device":"bus"') == log.count(b'"device":"van"') > 0
    assert waymark.events(two.set_index("device"), fences=DEPOT, output="log") == log


def test_a_missing_device_is_refused_in_objects_of_any_kind(frame):
    for missing in (None, np.nan, pandas.NA):
        mixed = frame.assign(device=pandas.Series([7, missing] + ["van"] * (len(frame) - 2)))
        with pytest.raises(waymark.WaymarkError, match="row 1, column 'device'.*fill it in"):
            waymark.events(mixed, fences=DEPOT)


@pytest.mark.parametrize("ids", [
    pandas.Series([7.0, 8.0, 7.0]), [7, 8.0, "7"], pandas.array([7, 8, 7], "Int64"),
    [b"7", b"8", b"7"], [decimal.Decimal("7"), decimal.Decimal("8.0"), decimal.Decimal("7")],
    np.array([7, 8, 7], ">i4"), pandas.Categorical([7.0, 8.0, 7.0]),
], ids=["floats", "mixed", "nullable", "bytes", "decimals", "big-endian", "categories"])
def test_a_device_has_one_name_in_every_type(ids):
    times = pandas.date_range("2026-05-04T08:00Z", periods=3, freq="5s")
    frame = pandas.DataFrame({"time": times, "lat": 52.5, "lon": 13.4, "device": ids})
    engine = waymark.Engine()
    for table in (frame, {name: list(frame[name]) for name in frame}):
        engine.feed(table)
    if isinstance(ids, np.ndarray):
        engine.feed({**{name: list(frame[name]) for name in frame}, "device": ids})
    assert engine.devices == ["7", "8"]


@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("us"), pa.string(), pa.int64()])
@pytest.mark.parametrize("clock", [
    datetime.time(10), "10:00:00", "10:00", "100000", "100000.0", "10:00:00 AM", "12:00+02:00",
    100_000, 100_000.0, datetime.timedelta(hours=10),
])
def test_a_time_of_day_belongs_to_its_day(kind, clock, frame):
    day = datetime.date(2026, 5, 4)
    days = [20_260_504 if kind == pa.int64() else str(day) if kind == pa.string() else day]
    engine = waymark.Engine()
    engine.feed({"date": pa.array(days).cast(kind), "time": [clock], "lat": [1.0], "lon": [2.0]})
    engine.feed({"time": ["2026-05-04T10:00:00Z"], "lat": [1.0], "lon": [2.0]})
    assert engine.counts["dropped"] == {"duplicate": {"count": 1, "row": 1}}


def test_hours_of_numpy_are_times_of_a_day():
    engine = waymark.Engine()
    for unit, hours in ("h", 10), ("m", 600), ("s", 36_000):
        clock = np.array([hours], f"timedelta64[{unit}]")
        engine.feed({"date": ["2026-05-04"], "time": clock, "lat": [1.0], "lon": [2.0]})
    assert engine.counts["dropped"] == {"duplicate": {"count": 2, "row": 1}}


def test_a_day_beside_a_whole_time_is_not_needed(frame, expected):
    for time in (frame.time, frame.time.map(str), frame.time.dt.as_unit("s").astype("int64")):
        both = frame.assign(date="some day", time=time)
        assert waymark.events(both, fences=DEPOT, output="log") == expected


def test_columns_that_are_not_used_may_be_anything(frame, expected):
    wide = polars.from_pandas(frame).with_columns(
        polars.lit(1).cast(polars.Int128).alias("count"), polars.struct("device").alias("x"))
    assert waymark.events(wide, fences=DEPOT, output="log") == expected
    twice = frame.assign(a=1, b=2).rename(columns={"b": "a"})
    assert waymark.events(twice, fences=DEPOT, output="log") == expected


@pytest.mark.parametrize("change", [
    lambda table: {**table, "latitude": table["latitude"].astype(">f8")},
    lambda table: {**table, "latitude": [f" {each} " for each in table["latitude"]]},
    lambda table: {**table, "time": [
        str(time) + ("Z" if row % 2 else "") for row, time in enumerate(table["time"])]},
    lambda table: pa.table(table).set_column(
        0, "device", pc.run_end_encode(pa.array(["van"] * len(table["time"])))),
], ids=["big-endian", "blanks", "zones", "runs"])
def test_unusual_values_are_read(change, frame, expected):
    table = {name: frame[name].to_numpy() for name in ("device", *frame.columns[:-1])}
    table["time"] = frame.time.dt.tz_localize(None).to_numpy().astype("datetime64[s]")
    assert waymark.events(change(table), fences=DEPOT, output="log") == expected


def test_minutes_of_numpy_are_times():
    minutes = np.array(["2026-05-04T08:00", "2026-05-04T08:01"], "datetime64[m]")
    engine = waymark.Engine()
    engine.feed({"time": minutes, "lat": [52.5] * 2, "lon": [13.4] * 2})
    engine.feed({"time": minutes.astype("datetime64[s]"), "lat": [52.5] * 2, "lon": [13.4] * 2})
    assert engine.counts["dropped"] == {"duplicate": {"count": 2, "row": 2}}


def test_categories_without_a_row_are_no_devices(frame, expected):
    wide = frame.assign(device=pandas.Categorical(frame.device, categories=["", "bus", "van"]))
    assert waymark.events(wide, fences=DEPOT, output="log") == expected


def test_a_speed_without_a_unit_beside_an_mmsi_is_not_used(frame, expected):
    ships = frame.rename(columns={"device": "mmsi"}).assign(speed=125.0)
    with pytest.warns(waymark.WaymarkWarning, match="column 'speed' is not used.*speed_kn"):
        assert waymark.events(ships, fences=DEPOT, output="log") == expected
    knots = ships.assign(speed=20.0).rename(columns={"speed": "speed_kn"})
    metric = ships.assign(speed=20.0 * 1852 / 3600)
    assert waymark.events(knots, fences=DEPOT, output="log") == waymark.events(
        metric, fences=DEPOT, columns={"speed": "speed"}, output="log")


def test_numbers_below_zero_are_unknown(frame):
    unknown = frame.assign(speed=-1.0, course=-1.0, hdop=-1.0)
    unknown.loc[::2, "accuracy"] = -1.0
    known = frame.copy()
    known.loc[::2, "accuracy"] = np.nan
    engine = waymark.Engine()
    engine.feed(unknown)
    assert engine.counts["cleaned"] == 0
    assert waymark.events(unknown, fences=DEPOT, output="log") == waymark.events(
        known, fences=DEPOT, output="log")


def test_units_are_those_of_the_names(frame):
    metric = frame.assign(speed=10.0)
    other = frame.assign(**{"speed (km/h)": 36.0}).rename(columns={"accuracy": "accuracy (m)"})
    assert waymark.events(metric, fences=DEPOT, output="log") == waymark.events(
        other, fences=DEPOT, output="log")


def test_columns_are_named(frame, expected):
    odd = frame.rename(columns={"time": "when it was", "latitude": "north"})
    columns = {"time": "when it was", "latitude": "north"}
    assert waymark.events(odd, fences=DEPOT, columns=columns, output="log") == expected


def test_a_table_projected_to_metres_is_converted(frame, expected):
    points = geopandas.points_from_xy(frame.longitude, frame.latitude)
    projected = geopandas.GeoDataFrame(
        frame.drop(columns=["latitude", "longitude"]), geometry=points, crs=4326).to_crs(32633)
    events = waymark.events(projected, fences=DEPOT, config=FENCES_ALONE)
    assert isinstance(events, geopandas.GeoDataFrame) and events.crs.to_epsg() == 4326
    assert list(events["type"]) == ["state", "enter", "exit"]


@pytest.mark.parametrize("output, kind", [
    (None, pandas.DataFrame), ("pandas", pandas.DataFrame), ("polars", polars.DataFrame),
    ("geopandas", geopandas.GeoDataFrame), ("arrow", pa.Table), ("log", bytes),
])
def test_results_are_of_the_kind_that_is_asked_for(output, kind, frame):
    assert type(waymark.events(frame, fences=DEPOT, output=output)) is kind


def test_results_are_of_the_kind_of_the_table(frame):
    assert isinstance(waymark.events(polars.from_pandas(frame)), polars.DataFrame)
    assert isinstance(waymark.events(pa.Table.from_pandas(frame)), pa.Table)
    assert isinstance(waymark.events(relation(frame)), pa.Table)
    assert isinstance(waymark.events({name: frame[name] for name in frame}), pa.Table)

    class Own(pandas.DataFrame):
        pass

    assert isinstance(waymark.events(Own(frame)), pandas.DataFrame)


def test_types_of_the_columns(frame):
    events = waymark.events(frame, fences=DEPOT)
    enter = events[events["type"] == "enter"].iloc[0]
    assert enter["time"].tzinfo is not None and enter["fence"] == "depot"
    assert enter["interpolated"] is True or enter["interpolated"] == np.True_
    assert events["interpolated"].dtype == "boolean" and events["revision"].dtype == "Int64"
    assert abs(enter["latitude"] - 52.5) < 0.001


def test_fences_of_every_kind(frame, expected, tmp_path):
    circle = geopandas.GeoDataFrame(
        {"id": ["depot"], "radius": [100]}, geometry=geopandas.points_from_xy([13.4], [52.5]),
        crs=4326)
    path = tmp_path / "fences.geojson"
    path.write_text(
        '{"type":"Feature","id":"depot","properties":{"radius":100},'
        '"geometry":{"type":"Point","coordinates":[13.4,52.5]}}')
    config = tmp_path / "waymark.yaml"
    config.write_text("fences: [{include: fences.geojson}]")
    entry = {"id": "depot", "center": [52.5, np.float64(13.4)], "radius": np.int64(100)}
    for arguments in (
        {"fences": circle}, {"fences": path}, {"fences": str(path)}, {"config": config},
        {"config": {"fences": [entry]}},
    ):
        assert waymark.events(frame, output="log", **arguments) == expected


def test_a_polygon_with_a_hole(frame):
    from shapely.geometry import Point

    site = Point(13.4, 52.5).buffer(0.01).difference(Point(13.4, 52.5).buffer(0.003))
    fences = geopandas.GeoDataFrame({"name": ["site"]}, geometry=[site], crs=4326)
    events = waymark.events(frame, fences=fences, config=FENCES_ALONE)
    assert list(events["type"]) == ["state", "enter", "exit", "enter", "exit"]
    assert set(events["fence"]) == {"site"}


def test_no_rows(frame):
    assert len(waymark.events(frame.iloc[:0], fences=DEPOT)) == 0
    assert len(waymark.visits(frame.iloc[:0])) == 0


def test_rows_in_any_order(frame, expected):
    shuffled = frame.sample(frac=1, random_state=7)
    assert waymark.events(shuffled, fences=DEPOT, sort=True, output="log") == expected
    with pytest.warns(waymark.WaymarkWarning, match="outOfOrder .*sort=True"):
        waymark.events(shuffled, fences=DEPOT)


def test_visits_are_rows(stories):
    fixes = waymark.read(stories / "visits" / "track.csv")
    visits = waymark.visits(fixes)
    assert len(visits) >= 3 and visits["id"].is_unique
    assert (visits["departure"].dropna() > visits["arrival"][visits["departure"].notna()]).all()
    stricter = waymark.visits(fixes, config={"visits": {"minimum-stay": "20 h"}})
    assert len(stricter) < len(visits)
    places = waymark.visits(fixes, output="geopandas")
    assert places.geometry.x.between(-180, 180).all()


def test_times_are_exact():
    start = datetime.datetime(2026, 5, 4, 8, tzinfo=datetime.timezone.utc)
    rows = {
        "time": [start + datetime.timedelta(seconds=5 * row) for row in range(40)],
        "lat": [52.5] * 40, "lon": [13.4 + (row - 20) / 1000 for row in range(40)],
    }
    events = waymark.events(rows, fences=DEPOT).to_pylist()
    assert events[0]["type"] == "state" and events[0]["time"] == start
