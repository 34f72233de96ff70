#!/usr/bin/env python3
"""Compares the public symbols of the libraries with those that a release keeps, api.tsv.

stability.py [--build DIRECTORY] [--write]

The list is that of the newest folder of Tests/Releases. A row is a module, what the symbol is, its
path and its declaration; a conformance is a row as well. Prints every symbol that is gone or declared
differently, and every addition that breaks client code (a case of an enum, which clients switch over; a
requirement of a protocol, which clients implement), and exits 1 if there is one. Other additions are
counted. --write keeps the symbols as they are, for a release, or for a break that is meant and that the
changelog names.

`swift package diagnose-api-breaking-changes` would build the release once more, a quarter of an hour;
this reads the modules that the tests use.
"""
import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RELEASES = ROOT / "Tests" / "Releases"
# Products of the package, in the order in which they build on each other.
MODULES = [
    "Geodesy", "Estimation", "Fences", "Tracking", "WaymarkKit", "WaymarkSettings",
    "WaymarkFoundation", "Geocoding", "CoreLocation", "WaymarkCoreLocation",
]
# The C module that the config's reader is compiled with, in the folder of the build.
YAML = "checkouts/Yams/Sources/CYaml/include"
# Additions to one of these break clients that switch over all cases, or implement all requirements.
CLOSED = {"enum.case": "enum", "method": "protocol", "property": "protocol", "init": "protocol",
          "subscript": "protocol", "associatedtype": "protocol", "type.method": "protocol",
          "type.property": "protocol"}


def extracted(build, module):
    """The public symbols and conformances of a module, as rows."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "swift", "symbolgraph-extract", "-module-name", module,
            "-target", platform.machine() + "-unknown-linux-gnu", "-I", build / "Modules",
            "-I", build.parent / YAML, "-output-dir", folder,
            "-minimum-access-level", "public", "-skip-synthesized-members"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"stability: the module {module} cannot be read; run `make symbols`\n"
                     + done.stderr)
        graphs = [json.loads(file.read_text())
                  for file in sorted(pathlib.Path(folder).glob("*.symbols.json"))]
    rows, paths = set(), {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            path = ".".join(symbol["pathComponents"])
            paths[symbol["identifier"]["precise"]] = path
            kind = symbol["kind"]["identifier"].removeprefix("swift.")
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            # An extension of another module's type is no symbol of its own.
            if kind != "extension":
                rows.add((module, kind, path, " ".join(text.split())))
    for graph in graphs:
        for relation in graph["relationships"]:
            source = paths.get(relation["source"])
            if relation["kind"] == "conformsTo" and source:
                target = relation.get("targetFallback") or paths.get(relation["target"])
                if target:
                    rows.add((module, "conformance", source, target.removeprefix("Swift.")))
    return rows


def newest():
    """The folder of the newest release that is kept."""
    folders = [path for path in RELEASES.iterdir() if path.is_dir()]
    return max(folders, key=lambda path: [int(part) for part in path.name.split(".")])


def breaks(kept, found):
    """What client code of the kept symbols may no longer find, one sentence each."""
    now = {}
    for module, kind, path, declaration in found - kept:
        now.setdefault((module, kind, path), []).append(declaration)
    explained = set()
    for row in sorted(kept - found):
        module, kind, path, declaration = row
        others = now.get((module, kind, path), [])
        explained.update((module, kind, path, other) for other in others)
        if kind == "conformance":
            yield f"{module}: {path} no longer conforms to {declaration}"
        elif others:
            yield f"{module}: {path} was `{declaration}`, is `{'`, `'.join(sorted(others))}`"
        else:
            yield f"{module}: {path} is gone: `{declaration}`"
    types = {(module, path): kind for module, kind, path, _ in kept}
    for row in sorted(found - kept - explained):
        module, kind, path, declaration = row
        owner = types.get((module, path.rpartition(".")[0]))
        if owner and CLOSED.get(kind) == owner:
            yield f"{module}: {path} is new in {owner} that clients know in full: `{declaration}`"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build" / "debug")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = set().union(*(extracted(options.build, module) for module in MODULES))
    file = newest() / "api.tsv"
    if options.write:
        order = sorted(found, key=lambda row: (MODULES.index(row[0]), row[2], row[1], row[3]))
        file.write_text("".join("\t".join(row) + "\n" for row in order))
        print(f"stability: {len(found)} symbols and conformances kept in {file.relative_to(ROOT)}")
        return
    kept = {tuple(line.split("\t")) for line in file.read_text().splitlines()}
    faults = list(breaks(kept, found))
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"stability: {len(faults)} breaks since {file.parent.name}; name those that are meant in "
                 "CHANGELOG.md and keep the new symbols: Tests/Symbols/stability.py --write")
    print(f"stability: all {len(kept)} symbols and conformances of {file.parent.name} are there, "
          f"{len(found - kept)} are new")


if __name__ == "__main__":
    main()
