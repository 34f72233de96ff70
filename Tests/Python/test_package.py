"""The wheel."""

import importlib.metadata
import os
import pathlib
import subprocess
import sys
import zipfile

import waymark

WHEEL = next((pathlib.Path(__file__).parents[2] / ".build/wheel").glob("waymark-*.whl"))


def test_the_version_is_that_of_the_program():
    text = subprocess.run(
        [os.environ["WAYMARK"], "--version"], capture_output=True, check=True, text=True).stdout
    assert text.split()[1] == waymark.__version__ == importlib.metadata.version("waymark")


def test_the_platform_is_what_the_library_needs():
    found = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", WHEEL], capture_output=True, check=True,
        text=True).stdout
    platform = WHEEL.stem.split("-")[-1]
    assert f'"{platform}"' in " ".join(found.split()), found


def test_the_wheel_has_types_licences_and_one_library():
    names = zipfile.ZipFile(WHEEL).namelist()
    assert "waymark/py.typed" in names and "waymark/libwaymark.so" in names
    assert {name.rsplit("/", 1)[1] for name in names if "licenses/" in name} == {
        "LICENSE", "NOTICE"}


def test_the_types_are_right(tmp_path):
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", f"--cache-dir={tmp_path}",
         "--package", "waymark"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_everything_public_is_documented():
    for name in waymark.__all__:
        assert getattr(waymark, name).__doc__, name
