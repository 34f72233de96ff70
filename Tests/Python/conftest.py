import os
import pathlib
import subprocess

import pytest


def pytest_configure(config):
    # The stories have fixes that are not used, on purpose.
    config.addinivalue_line("filterwarnings", "ignore::waymark.WaymarkWarning")


STORIES = pathlib.Path(__file__).resolve().parents[2] / "traces"


@pytest.fixture(scope="session")
def stories():
    return STORIES


@pytest.fixture(scope="session")
def replay():
    """What the program prints: `replay("commute/track.gpx", "--config", …)`."""
    program = os.environ["WAYMARK"]

    def run(*arguments):
        result = subprocess.run(
            [program, "replay", *map(str, arguments), "--format", "jsonl"], capture_output=True,
            check=False, timeout=600)
        assert result.returncode in (0, 65), result.stderr.decode()
        return result.stdout

    return run
