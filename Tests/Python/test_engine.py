"""Fixes piece by piece, states, and threads."""

import base64
import json
import os
import pickle
import subprocess
import sys
import threading

import pandas
import pyarrow as pa
import pytest

import waymark
import waymark._engine


@pytest.fixture(scope="module")
def story(stories):
    return stories / "commute"


@pytest.fixture(scope="module")
def fixes(story):
    return waymark.read(story / "track.gpx")


@pytest.fixture(scope="module")
def expected(fixes, story):
    return waymark.events(fixes, config=story / "waymark.yaml", output="log")


def test_pieces_give_the_events_of_the_whole(fixes, story, expected):
    engine = waymark.Engine(config=story / "waymark.yaml")
    pieces = [fixes.iloc[start:start + 37] for start in range(0, len(fixes), 37)]
    assert b"".join(engine.feed(piece, output="log") for piece in pieces) == expected
    assert engine.devices == ["jonas"] and engine.counts["fixes"] == len(fixes)


def test_an_arrow_stream_is_played_batch_by_batch(fixes, story, expected):
    sink = pa.BufferOutputStream()
    table = waymark.read(story / "track.gpx", output="arrow")
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table, max_chunksize=100)
    engine = waymark.Engine(config=story / "waymark.yaml")
    batches = list(pa.ipc.open_stream(sink.getvalue()))
    assert len(batches) > 20
    assert b"".join(engine.feed(batch, output="log") for batch in batches) == expected


def test_a_state_continues_wherever_the_table_is_cut(fixes, story, expected):
    config = story / "waymark.yaml"
    for cut in range(1, len(fixes), max(1, len(fixes) // 60)):
        first, second = waymark.Engine(config=config), waymark.Engine(config=config)
        log = first.feed(fixes.iloc[:cut], output="log")
        second.resume("jonas", first.state("jonas"))
        # The last fix comes twice, as from a queue that gives at least once.
        log += second.feed(fixes.iloc[cut - 1:], output="log")
        assert log == expected, cut


def test_a_state_is_small_and_refuses_other_fences(fixes, story):
    engine = waymark.Engine(config=story / "waymark.yaml")
    engine.feed(fixes)
    state = engine.state("jonas")
    assert len(state) < 8_192
    with pytest.raises(waymark.WaymarkError, match="other fences"):
        waymark.Engine().resume("jonas", state)
    newer = state[:7] + bytes([state[7] + 1]) + state[8:]
    with pytest.raises(waymark.WaymarkError, match="has version 2"):
        engine.resume("jonas", newer)
    with pytest.raises(waymark.WaymarkError, match="damaged"):
        engine.resume("jonas", state[:-1])


def test_fences_are_made_once_and_can_be_sent(fixes, story, expected):
    made = waymark.fences(config=story / "waymark.yaml")
    for fences in (made, made, pickle.loads(pickle.dumps(made))):
        assert waymark.events(fixes, fences=fences, output="log") == expected


def test_compiled_fences_give_the_same_events(fixes, story, expected, tmp_path):
    path = tmp_path / "fences.wmf"
    subprocess.run(
        [os.environ["WAYMARK"], "compile", story / "waymark.yaml", "-o", path], check=True,
        capture_output=True, timeout=600)
    settings = {"visits": False}
    assert waymark.events(fixes, fences=path, output="log") == expected
    rest = waymark.events(fixes, fences=str(path), config=settings, output="log").splitlines()
    assert rest == [line for line in expected.splitlines() if b'"type":"visit"' not in line]


def test_a_bar_says_how_many_fixes_were_played(fixes, story, expected, monkeypatch, capsys):
    monkeypatch.setattr(waymark._engine, "_FIXES_AT_A_TIME", 500)
    assert waymark.events(
        fixes, config=story / "waymark.yaml", output="log", progress=True) == expected
    assert "2.07k/2.07k" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert waymark.events(
        fixes, config=story / "waymark.yaml", output="log", progress=True) == expected
    assert not capsys.readouterr().err


def test_a_silent_device_has_its_dwell_reported():
    fence = {"id": "depot", "center": [52.5, 13.4], "radius": 100, "notify": ["dwell"],
             "dwell": "10 min"}
    engine = waymark.Engine(config={"fences": [fence]})
    times = pandas.date_range("2026-05-04T08:00Z", periods=10, freq="5s")
    table = pandas.DataFrame({"time": times, "lat": 52.5, "lon": 13.4, "accuracy": 5.0})
    assert "dwell" not in set(engine.feed(table, device="van")["type"])
    later = engine.advance("van", times[0] + pandas.Timedelta("1 h"))
    assert list(later["type"]) == ["dwell"]


def test_threads_give_the_same_events(fixes, story, expected):
    logs = {}

    def run(number):
        logs[number] = waymark.events(fixes, config=story / "waymark.yaml", output="log")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=600)
    assert [logs[number] == expected for number in range(8)] == [True] * 8


def test_an_engine_is_freed():
    for _ in range(200):
        waymark.Engine(fences={"depot": (52.5, 13.4, 100)})


def test_states_are_those_of_pipe(fixes, story, tmp_path):
    program = os.environ["WAYMARK"]
    track = tmp_path / "fixes.ndjson"
    subprocess.run(
        [program, "convert", story / "track.gpx", "-o", track], check=True, capture_output=True,
        timeout=600)
    lines = track.read_bytes().splitlines(keepends=True)
    config = str(story / "waymark.yaml")

    def pipe(text):
        output = subprocess.run(
            [program, "pipe", "--state", "inband", "--config", config], input=text, check=True,
            capture_output=True, timeout=600).stdout
        return [json.loads(line) for line in output.splitlines()]

    first = pipe(b"".join(lines[:1_000]))
    state = next(line for line in first if line["type"] == "device-state")
    engine = waymark.Engine(config=config)
    engine.resume(state["device"], base64.b64decode(state["state"]))
    rest = fixes.iloc[1_000:].assign(device=state["device"])
    events = [json.loads(line) for line in engine.feed(rest, output="log").splitlines()]
    whole = pipe(b"".join(lines))
    assert [line for line in first + events if line["type"] != "device-state"] == [
        line for line in whole if line["type"] != "device-state"]
