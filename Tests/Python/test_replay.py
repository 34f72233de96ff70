"""The same fixes give the same bytes as in the program."""

import json
import warnings

import pandas
import polars
import pytest

import waymark

from conftest import STORIES

TRACKS = sorted(
    path for path in STORIES.glob("*/track.*")
    if path.suffix in (".gpx", ".csv", ".nmea", ".ndjson", ".gz", ".jsonl", ".json"))


def config_of(track):
    config = track.with_name("waymark.yaml")
    return config if config.exists() else None


@pytest.mark.parametrize("track", TRACKS, ids=lambda track: track.parent.name)
def test_a_story_gives_the_bytes_of_replay(track, replay):
    config = config_of(track)
    arguments = [] if config is None else ["--config", config]
    expected = replay(track, *arguments, *kinds())
    devices = {json.loads(line)["device"] for line in expected.splitlines()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", waymark.WaymarkWarning)
        fixes = waymark.read(track, output="arrow")
        if len(devices) == 1:
            # The config may name the device of a track.
            fixes = fixes.drop_columns(["device"])
        log = waymark.events(fixes, config=config, device=min(devices), output="log")
    if len(devices) == 1:
        assert log == expected
    else:
        # The program puts the events of several devices at one instant in order.
        assert sorted(log.splitlines()) == sorted(expected.splitlines())


def kinds():
    for kind in ("enter", "exit", "dwell", "state", "visit", "significant-change"):
        yield from ("--include", kind)


def test_a_table_in_disorder_gives_the_bytes_of_replay(replay, tmp_path):
    minutes = ("00:00", "10:00", "05:00", "05:10", "05:20")
    rows = [f"2026-05-04T10:{each}Z,52.5,13.4\n" for each in minutes]
    path = tmp_path / "back.csv"
    path.write_text("time,lat,lon\n" + "".join(rows))
    expected = replay(path, "--fence", "h=52.5,13.4,100", "--device", "a")
    fences = {"h": (52.5, 13.4, 100)}
    table = pandas.read_csv(path)
    assert waymark.events(table, device="a", fences=fences, output="log") == expected
    engine = waymark.Engine(fences=fences)
    assert engine.feed(table, device="a", output="log") == expected
    # A table that comes a second time changes nothing.
    assert engine.feed(table, device="a", output="log") == b""


CLOCKS = [f"10:{second // 60:02d}:{second % 60:02d}" for second in range(0, 600, 15)]
NORTH = [f"{abs(-52.5 + (row - 20) / 2_000):.6f}" for row in range(40)]

# The header of a table, and the cells of a row of a time of the 4th of May and a latitude.
MARKED = {
    "hemispheres": ("time,lat,N/S,lon,E/W", "2026-05-04T{clock}Z,{north},S,13.4,w"),
    "words": (
        "time,lat,NS Indicator,lon,EW Indicator", "2026-05-04T{clock}Z,{north},South,13.4,West"),
    "days": ("date,time,lat,lon", "2026-05-04,{clock},-{north},-13.4"),
    "numbers": ("date,time,lat,lon", "20260504,{digits},-{north},-13.4"),
    "precisions": ("time,lat,lon,hdop", "2026-05-04T{clock}Z,-{north},-13.4,0.8"),
    "accuracies": ("time,lat,lon,hdop,accuracy", "2026-05-04T{clock}Z,-{north},-13.4,0.8,{some}"),
    "traccar": (
        "fixTime,deviceTime,valid,lat,lon,speed",
        "2026-05-04T{clock}Z,2026-05-04T{clock}Z,{valid},{latitude},-13.4,5"),
    "movebank": (
        "timestamp,visible,location-long,location-lat",
        "2026-05-04T{clock}Z,{valid},-13.4,{latitude}"),
    "log": ("type,fence,time,latitude,longitude", "{kind},,2026-05-04T{clock}Z,{latitude},-13.4"),
}


@pytest.mark.parametrize("name", MARKED)
def test_columns_mean_what_they_mean_in_a_file(name, replay, tmp_path):
    header, cells = MARKED[name]
    lines = []
    for row, (clock, north) in enumerate(zip(CLOCKS, NORTH)):
        is_fix = not 4 <= row < 12
        lines.append(cells.format(
            clock=clock, digits=clock.replace(":", ""), north=north, some="12" if row % 2 else "",
            valid=str(is_fix).lower(), kind="fix" if is_fix else "enter",
            latitude=f"-{north}" if is_fix else "-52.6"))
    path = tmp_path / "walk.csv"
    path.write_text("\n".join([header, *lines]) + "\n")
    expected = replay(path, "--fence", "h=-52.5,-13.4,200", "--device", "a", *kinds())
    assert b'"type":"enter"' in expected and b'"type":"exit"' in expected
    table, fences = pandas.read_csv(path), {"h": (-52.5, -13.4, 200)}
    assert waymark.events(table, device="a", fences=fences, output="log") == expected
    polar = polars.read_csv(path)
    assert waymark.events(polar, device="a", fences=fences, output="log") == expected


def test_every_story_is_played():
    folders = {path.name for path in STORIES.iterdir() if path.is_dir()}
    assert {track.parent.name for track in TRACKS} == folders


def test_the_columns_have_the_values_of_the_log(stories):
    story = stories / "commute"
    fixes = waymark.read(story / "track.gpx")
    table = waymark.events(fixes, config=story / "waymark.yaml", output="arrow").to_pylist()
    lines = waymark.events(fixes, config=story / "waymark.yaml", output="log").splitlines()
    assert len(table) == len(lines) > 10
    for row, line in zip(table, map(json.loads, lines)):
        for key, value in line.items():
            given = row[key]
            if key in ("time", "decided", "arrival", "departure") and value is not None:
                assert abs((given - as_time(value)).total_seconds()) < 0.001
            elif isinstance(value, float):
                assert given == pytest.approx(value, abs=0.051 if key.endswith("y") else 0.06)
            else:
                assert given == value
        for key in set(row) - set(line):
            assert row[key] is None or key in ("arrivalSeen", "retracted")


def as_time(text):
    import pandas

    return pandas.Timestamp(text)


def test_a_device_is_named_as_by_replay(stories, replay):
    track = stories / "out-and-back" / "track.gpx"
    fixes = waymark.read(track)
    devices = {json.loads(line)["device"] for line in replay(track).splitlines()}
    assert set(fixes["device"]) == devices
