"""Runs the notebook of the documents, and writes what it gives: `make notebook`."""

import pathlib
import re

import nbformat
from nbclient import NotebookClient

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "Day.ipynb"
LIMIT = 600


def run():
    """The notebook with the outputs of a run, in the folder where a reader opens it."""
    notebook = nbformat.read(PAGE, as_version=4)
    NotebookClient(
        notebook, timeout=LIMIT, startup_timeout=LIMIT, kernel_name="python3",
        resources={"metadata": {"path": str(PAGE.parent)}}, record_timing=False).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    for output in outputs(notebook):
        if "text" in output:
            output["text"] = re.sub(r"\S*/ipykernel_\d+/\d+\.py", "notebook", output["text"])
    return notebook


def outputs(notebook):
    return [
        output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def texts(notebook):
    """What the cells print and give as text; pictures depend on the release of matplotlib."""
    return [
        output.get("text") or output["data"].get("text/plain") for output in outputs(notebook)
        if "image/png" not in output.get("data", {})]


if __name__ == "__main__":
    nbformat.write(run(), PAGE)
