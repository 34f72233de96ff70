"""What the tests and their stream share."""

import os
import pathlib
import sys
import time

import numpy as np

CONFIG = pathlib.Path(__file__).resolve().parents[2] / "traces" / "commute" / "waymark.yaml"
PARTITIONS = 4
PARTS = 6


def session(work):
    """Spark with two executors of one core each, which are processes of their own."""
    os.environ.update(
        SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost", SPARK_WORKER_DIR=str(work),
        PYSPARK_PYTHON=sys.executable)
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.sql.session.timeZone": "Australia/Melbourne",
        # Several of them for each partition.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "500",
        "spark.sql.streaming.stateStore.providerClass":
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        "spark.local.dir": str(work),
        # A busy machine is slow, not lost.
        "spark.network.timeout": "600s",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,2048]").appName("waymark")
    for key, value in settings.items():
        builder = builder.config(key, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def parts(fixes):
    """The day in parts of a time each: out of order, and with the end of the part before."""
    chance = np.random.default_rng(7)
    pieces = np.array_split(np.arange(len(fixes)), PARTS)
    for number, piece in enumerate(pieces):
        before = pieces[number - 1][-200:] if number > 1 else []
        yield fixes.iloc[chance.permutation(np.concatenate([before, piece]).astype(int))]


def tapped(events, folder):
    """The same rows, but each try of a task is counted, and waits while there is a file `hold`.

    The one that waits writes the id of its executor to `held`.
    """
    folder = str(folder)

    def tap(batches):
        import os
        import time
        import uuid

        open(os.path.join(folder, f"try-{uuid.uuid4()}"), "x").close()
        first = next(batches, None)
        if os.path.exists(os.path.join(folder, "hold")):
            with open(f"/proc/{os.getppid()}/stat", encoding="utf-8") as stat:
                executor = stat.read().rsplit(")", 1)[1].split()[1]
            part = os.path.join(folder, f"held-{uuid.uuid4()}")
            with open(part, "x", encoding="utf-8") as file:
                file.write(executor)
            os.replace(part, os.path.join(folder, "held"))
            end = time.monotonic() + 600
            while os.path.exists(os.path.join(folder, "hold")) and time.monotonic() < end:
                time.sleep(0.02)
        if first is not None:
            yield first
        yield from batches

    return events.mapInArrow(tap, events.schema)


def tries(folder):
    return len(list(folder.glob("try-*")))


def wait_for(condition, what, limit=600):
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {limit} s"
        time.sleep(0.02)
