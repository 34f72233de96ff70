"""Fixes a second of processor time on Spark, for Docs/Fleet.md: `make spark-figures`.

The fixes are a day of one phone, as often as there are devices. Processor time is that of all JVMs
with their Python workers, of a second run in the same session, which finds them started. A stream
gets one fix of each device in a micro-batch, which is the dearest for a device.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time

import pandas

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "Spark"))

from fleet import CONFIG, session  # noqa: E402

import waymark.spark  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def fleet(devices, rows=None):
    day = waymark.read(CONFIG.with_name("track.gpx"))[["time", "latitude", "longitude", "accuracy"]]
    day = day.iloc[:rows].assign(time=day["time"].astype("datetime64[us, UTC]"))
    return pandas.concat(
        [day.assign(device=f"phone {number}") for number in range(devices)], ignore_index=True)


def processor_time():
    """Seconds of the processes below this one, and of those that they waited for."""
    parents, seconds = {}, {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        process = int(entry.parent.name)
        parents[process] = int(fields[1])
        seconds[process] = sum(map(int, fields[11:15])) / TICK
    total = 0.0
    for process, spent in seconds.items():
        above = parents[process]
        while above in parents and above != os.getpid():
            above = parents[above]
        total += spent if above == os.getpid() else 0
    return total


def measured(call):
    begin, wall = processor_time(), time.monotonic()
    result = call()
    return processor_time() - begin, time.monotonic() - wall, result


def table(spark, folder, devices):
    path = folder / "fixes.parquet"
    fixes = fleet(devices)
    fixes.to_parquet(path, index=False, row_group_size=1 << 18)
    events = waymark.spark.events(spark.read.parquet(str(path)), config=CONFIG)
    events.count()
    spent, wall, count = measured(events.count)
    print(f"table: {len(fixes):,} fixes of {devices:,} devices, {count:,} events: "
          f"{spent / len(fixes) * 1e6:.2f} µs a fix, {len(fixes) / wall:,.0f} fixes/s")
    spent, _, _ = measured(spark.read.parquet(str(path)).repartition("device").sortWithinPartitions(
        "device", "time").mapInArrow(lambda batches: batches, "time timestamp, latitude double, "
                                     "longitude double, accuracy double, device string").count)
    print(f"the same without the engine: {spent / len(fixes) * 1e6:.2f} µs a fix")


def stream(spark, folder, devices, batches):
    for number in range(batches):
        fixes = fleet(devices, number + 1)
        fixes.groupby("device").tail(1).to_parquet(folder / f"part-{number}.parquet", index=False)
    fixes = spark.read.parquet(str(folder / "part-0.parquet"))
    source = spark.readStream.schema(fixes.schema).option("maxFilesPerTrigger", 1).parquet(
        str(folder / "part-*.parquet"))
    query = waymark.spark.events(source, config=CONFIG).writeStream.format("noop").option(
        "checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True).start()
    spent, wall, _ = measured(lambda: query.awaitTermination(1_800))
    count = devices * batches
    print(f"stream: {count:,} calls for a device, {batches} micro-batches: "
          f"{spent / count * 1e3:.2f} ms a call, {count / wall:,.0f} calls/s")


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        spark = session(folder)
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        (folder / "table").mkdir()
        (folder / "stream").mkdir()
        table(spark, folder / "table", 1_000)
        stream(spark, folder / "stream", 1_000, 10)
        spark.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
