import faulthandler
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import pandas
import pytest

from fleet import CONFIG, session

import waymark

# A test that hangs ends the run, also on a busy machine.
LIMIT = 1_800


def pytest_configure(config):
    # The story has fixes that are not used, on purpose; PySpark warns of every pandas from 3.0 on.
    config.addinivalue_line("filterwarnings", "ignore::waymark.WaymarkWarning")
    config.addinivalue_line("filterwarnings", "ignore:PySpark does not yet:FutureWarning")


@pytest.fixture(autouse=True)
def limit():
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    cluster = session(tmp_path_factory.mktemp("work"))
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def fixes():
    """A day of twelve phones, with the row of each fix of a phone as its sequence."""
    day = waymark.read(CONFIG.with_name("track.gpx"))
    day = day[["time", "latitude", "longitude", "accuracy", "speed", "course"]]
    days = [
        day.assign(
            device=f"phone {number:02}", time=day["time"] + pandas.Timedelta(7 * number, "s"),
            sequence=np.arange(len(day)))
        for number in range(12)]
    table = pandas.concat(days).sort_values(["time", "device"], ignore_index=True)
    return table.assign(time=table["time"].astype("datetime64[us, UTC]"))


@pytest.fixture(scope="session")
def expected(fixes):
    """The lines of one process."""
    lines = waymark.events(fixes, config=CONFIG, output="log").decode().splitlines()
    assert len(lines) > 200
    return sorted(lines)


@pytest.fixture(scope="session")
def frame(spark, fixes, tmp_path_factory):
    path = tmp_path_factory.mktemp("fixes") / "fixes.parquet"
    fixes.to_parquet(path, index=False)
    return spark.read.parquet(str(path))


@pytest.fixture(scope="session")
def compiled():
    """The fences of the story, compiled by the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fences.wmf"
        subprocess.run(
            [os.environ["WAYMARK"], "compile", CONFIG, "-o", path], check=True,
            capture_output=True, timeout=300)
        yield path
