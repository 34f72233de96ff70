"""The samples of the documents."""

import doctest
import pathlib
import re
import subprocess

import nbformat
import notebook
import pytest

import waymark


ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs" / "Python.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def test_the_samples_of_python_give_what_the_page_shows(monkeypatch):
    monkeypatch.chdir(ROOT)
    samples = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(samples, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 20
    lines = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=lines.append)
    assert runner.failures == 0, "".join(lines)


@pytest.mark.parametrize("documented", [
    waymark, waymark.Engine, waymark.fences, waymark.Fences, waymark.Fences.to_geodataframe,
])
def test_the_samples_of_the_docstrings_run(documented, stories, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "day.gpx").write_bytes((stories / "commute" / "track.gpx").read_bytes())
    (tmp_path / "depots.geojson").write_text(
        '{"type": "Feature", "id": "depot", "properties": {"radius": 100},'
        ' "geometry": {"type": "Point", "coordinates": [13.3777, 52.5163]}}')
    track = waymark.read("day.gpx")
    names = {"waymark": waymark, "Engine": waymark.Engine, "tables": [track], "days": [track]}
    samples = doctest.DocTestParser().get_examples(documented.__doc__)
    assert samples
    for sample in samples:
        if sample.want:
            assert f"{eval(sample.source, names)!r}\n" == sample.want
        else:
            exec(sample.source, names)


def test_the_sample_of_c_is_compiled_and_runs(tmp_path):
    source, program = tmp_path / "sample.c", tmp_path / "sample"
    (text,) = blocks("c")
    source.write_text(text)
    library = ROOT / ".build" / "library"
    subprocess.run(
        ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{library}", source, f"-L{library}",
         "-lwaymark", f"-Wl,-rpath,{library}", "-o", program], check=True)
    log = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert re.findall('"type":"(.*?)"', log) == ["state", "enter", "exit"]


def test_the_notebook_gives_what_it_shows():
    shown, found = nbformat.read(notebook.PAGE, as_version=4), notebook.run()
    assert notebook.texts(found) == notebook.texts(shown)
    assert len(notebook.texts(found)) > 5
    pictures = [output for output in notebook.outputs(found) if "image/png" in output.get("data", {})]
    assert len(pictures) == 1
