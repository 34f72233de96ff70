"""Streams: the events of one process, although the driver is killed while tasks run."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from fleet import CONFIG, parts, tries, wait_for

import waymark
import waymark.spark

STREAM = pathlib.Path(__file__).with_name("stream.py")


@contextlib.contextmanager
def driver(folder, *arguments):
    """A driver with its executors, which are killed at the end."""
    with open(folder / "log", "ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-B", STREAM, folder, *arguments], stdout=log, stderr=log,
            start_new_session=True)
        try:
            yield process
        finally:
            # The group is there as long as one of its processes is.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=600)


def committed(folder, batch):
    return (folder / "checkpoint" / "commits" / str(batch)).exists


def test_a_driver_that_is_killed_twice_changes_nothing(spark, fixes, expected, tmp_path):
    first, *rest = parts(fixes)
    (tmp_path / "input").mkdir()
    first.to_parquet(tmp_path / "schema.parquet", index=False)

    # The first part is a table, whose states the stream begins with.
    morning = waymark.spark.events(
        spark.read.parquet(str(tmp_path / "schema.parquet")), config=CONFIG, keep_states=True)
    morning.where("type = 'device-state'").select("device", "deviceState").write.parquet(
        str(tmp_path / "states"))
    before = waymark.spark.events(
        spark.read.parquet(str(tmp_path / "schema.parquet")), config=CONFIG, output="log")
    lines = [row.line for row in before.collect()]

    def add(number):
        part = tmp_path / "input" / f".part-{number}.parquet"
        rest[number].to_parquet(part, index=False)
        # The order of the files is that of their times.
        os.utime(part, (1_800_000_000 + number, 1_800_000_000 + number))
        part.rename(part.with_name(f"part-{number}.parquet"))

    hold, held = tmp_path / "hold", tmp_path / "held"
    add(0)
    for batch in (1, 3):
        with driver(tmp_path):
            wait_for(committed(tmp_path, batch - 1), f"batch {batch - 1}")
            hold.touch()
            add(batch)
            wait_for(held.exists, f"a task of batch {batch}")
        # It began and did not end, so it is played again.
        assert (tmp_path / "checkpoint" / "offsets" / str(batch)).exists()
        assert not committed(tmp_path, batch)()
        hold.unlink()
        held.unlink()
        add(batch + 1)
    with driver(tmp_path, "finish") as process:
        assert process.wait(timeout=1_200) == 0, (tmp_path / "log").read_text()[-5_000:]

    lines += (tmp_path / "lines").read_text().splitlines()
    assert sorted(lines) == expected
    assert tries(tmp_path) > len(rest) * 4


def test_a_stream_says_what_it_needs(spark, frame, fixes, tmp_path):
    fixes.iloc[:10].to_parquet(tmp_path / "part.parquet", index=False)
    stream = spark.readStream.schema(frame.schema).parquet(str(tmp_path))
    with pytest.raises(waymark.WaymarkError, match="keep_states is for tables"):
        waymark.spark.events(stream, keep_states=True)
    key = "spark.sql.streaming.stateStore.providerClass"
    known = spark.conf.get(key)
    spark.conf.unset(key)
    try:
        with pytest.raises(waymark.WaymarkError, match="expected RocksDB"):
            waymark.spark.events(stream)
    finally:
        spark.conf.set(key, known)
