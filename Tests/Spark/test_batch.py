"""Tables: the events of one process, whatever happens to the executors and to the order of rows."""

import json
import os
import pathlib
import signal
import threading

import pandas
import pytest
from fleet import CONFIG, PARTITIONS, tapped, tries, wait_for
from pyspark.sql import functions

import waymark
import waymark.spark


def lines(events):
    return sorted(row.line for row in events.collect())


def test_a_job_gives_the_events_of_one_process(frame, expected, compiled):
    assert lines(waymark.spark.events(frame, config=CONFIG, output="log")) == expected
    assert lines(waymark.spark.events(frame, fences=compiled, output="log")) == expected


def test_a_killed_executor_changes_nothing(frame, expected, compiled, tmp_path):
    events = waymark.spark.events(
        frame, fences=compiled, partitions=PARTITIONS, output="log")
    hold, held, found = tmp_path / "hold", tmp_path / "held", []
    hold.touch()
    job = threading.Thread(
        target=lambda: found.append(lines(tapped(events, tmp_path))), daemon=True)
    job.start()
    wait_for(held.exists, "a filter that runs")
    executor = int(held.read_text())
    command = pathlib.Path(f"/proc/{executor}/cmdline").read_bytes()
    assert b"CoarseGrainedExecutorBackend" in command
    os.kill(executor, signal.SIGKILL)
    hold.unlink()
    job.join(timeout=600)
    assert found == [expected]
    assert tries(tmp_path) > PARTITIONS


def test_disorder_and_repetition_change_nothing(frame, fixes, expected):
    shuffled = frame.union(frame).orderBy(functions.rand(seed=7))
    events = waymark.spark.events(
        shuffled, config=CONFIG, sequence="sequence", counts=True, output="log")
    found = [json.loads(line) for line in lines(events)]
    counts = [row for row in found if row["type"] == "counts"]
    assert sum(row["fixes"] for row in counts) == 2 * len(fixes)
    assert sum(sum(row["dropped"].values()) for row in counts) >= len(fixes)
    assert sorted(line for line in lines(events) if '"type":"counts"' not in line) == expected


def test_a_day_is_cut_in_two_through_states(frame, fixes, expected):
    noon = fixes["time"].iloc[len(fixes) // 2]
    morning = waymark.spark.events(
        frame.where(functions.col("time") < functions.lit(noon)), config=CONFIG, keep_states=True)
    states = morning.where("type = 'device-state'").select("device", "deviceState")
    assert states.count() == 12
    both = [
        waymark.spark.events(part, config=CONFIG, states=states if since else None, output="log")
        for since, part in enumerate((
            frame.where(functions.col("time") < functions.lit(noon)),
            frame.where(functions.col("time") >= functions.lit(noon))))]
    assert sorted(lines(both[0]) + lines(both[1])) == expected
    twice = waymark.spark.events(frame, config=CONFIG, states=states.union(states))
    with pytest.raises(Exception, match="has two states, expected one"):
        twice.collect()


def test_the_columns_are_those_of_one_process(frame, fixes):
    found = waymark.spark.events(frame, config=CONFIG).toArrow()
    one = waymark.events(fixes, config=CONFIG, output="arrow")
    assert found.column_names == one.column_names
    keys = ["device", "type", "time", "id"]
    found, one = (
        table.to_pandas().sort_values(keys, ignore_index=True).astype({"device": str, "type": str})
        for table in (found, one))
    for name in ("device", "type", "fence", "latitude", "confidence", "timeUncertainty", "id"):
        pandas.testing.assert_series_equal(
            found[name], one[name], check_dtype=False, check_exact=True)
    for name in ("time", "decided", "arrival", "departure"):
        difference = (found[name] - one[name].dt.as_unit("ns")).abs()
        assert (difference.dropna() < pandas.Timedelta("1us")).all()
        assert (found[name].isna() == one[name].isna()).all()


def test_columns_are_found_with_their_units(frame, expected):
    renamed = frame.select(
        functions.col("device").alias("vehicle_id"),
        functions.unix_millis("time").alias("timestamp_ms"),
        functions.col("latitude").alias("lat"), functions.col("longitude").alias("east.x"),
        "accuracy", (functions.col("speed") * 3600 / 1000).alias("speed (km/h)"), "course")
    events = waymark.spark.events(
        renamed, config=CONFIG, columns={"longitude": "east.x"}, output="log")
    assert [json.loads(line)["type"] for line in lines(events)] == [
        json.loads(line)["type"] for line in expected]


def test_columns_that_change_a_row_are_read(spark):
    rows = [
        ("van", 20_260_504, 100_000 + 100 * (row // 4) + 15 * (row % 4), 52.49 + row / 2_000, "S",
         13.4, "W", 0.8) for row in range(40)]
    names = ["device", "date", "time", "lat", "N/S", "lon", "E/W", "hdop"]
    fences = {"depot": (-52.5, -13.4, 200)}
    table = pandas.DataFrame(rows, columns=names)
    one = waymark.events(table, fences=fences, output="log").decode().splitlines()
    assert any('"type":"exit"' in line for line in one)
    frame = spark.createDataFrame(rows, names)
    assert lines(waymark.spark.events(frame, fences=fences, output="log")) == sorted(one)
    # Of whole times the day is not needed.
    whole = frame.withColumn("date", functions.lit("later")).withColumn(
        "time", functions.lit(1_777_881_600) + functions.col("time"))
    assert waymark.spark.events(whole, fences=fences, output="log").count() > 0
    local = whole.withColumn("time", functions.timestamp_seconds("time").cast("timestamp_ntz"))
    assert waymark.spark.events(local, fences=fences, output="log").count() > 0


def test_what_cannot_be_used_is_named(frame, tmp_path):
    relative = tmp_path / "relative.yaml"
    relative.write_text("fences: [{include: depots.geojson}]\n")
    for call, message in [
        (lambda: waymark.spark.events(frame.drop("device")), "no column has the device"),
        (lambda: waymark.spark.events(
            frame.withColumn("device", functions.lit(7.5).cast("decimal(4,2)"))),
         "has numbers with a point"),
        (lambda: waymark.spark.events(frame, sequence="row"), "there is no column 'row'"),
        (lambda: waymark.spark.events(frame, sequence="speed"), "it has another use"),
        (lambda: waymark.spark.events(frame, output="lines"), "expected table or log"),
        (lambda: waymark.spark.events(frame, config=relative), "a config is shipped alone"),
        (lambda: waymark.spark.events(frame, fences="/nowhere/a.wmf"), "cannot be shipped"),
        (lambda: waymark.spark.events(
            frame.withColumn("time", functions.col("time").cast("string"))), "is text"),
        (lambda: waymark.spark.events(
            frame.withColumn("device", functions.lit(7.0))), "cast it to bigint"),
    ]:
        with pytest.raises(waymark.WaymarkError) as error:
            call()
        assert message in str(error.value)
