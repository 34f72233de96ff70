#!/usr/bin/env python3
"""Compares the built module CoreLocation with the list of Core Location's symbols, symbols.tsv.

symbols.py [--build DIRECTORY] [--write DOCUMENT]

Prints "N of 433" and every row that is missing or spelled differently, and exits 1 if there is one.
A row of the list is the type it belongs to, a mark (L works, P partly, N unavailable on Linux) and
the declaration as Swift code on Apple's systems sees it. --write regenerates the tables of the
document with the summaries of the declarations' doc comments.
"""
import argparse
import collections
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
GLOBAL = "(global)"
STATUS = {"L": "works", "P": "partly", "N": "unavailable here"}
KINDS = {"class", "struct", "enum", "protocol", "actor"}
# Parts of a declaration that make no difference to client code.
IGNORED = re.compile(
    r"(@preconcurrency|@Sendable|@objc|@discardableResult|nonisolated(\(nonsending\))?|final|override|optional"
    r"|weak|required|convenience|sending|open|public) ")
DEFAULT = re.compile(r" = (nil|\.\w+)(?=[,)])")

Row = collections.namedtuple("Row", "section mark declaration")
Symbol = collections.namedtuple("Symbol", "path kind declaration phrase")


def listed():
    lines = (HERE / "symbols.tsv").read_text().splitlines()[1:]
    return [Row(*line.split("\t")) for line in lines]


def extracted(build):
    """The public symbols of the module, from the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "swift", "symbolgraph-extract", "-module-name", "CoreLocation",
            "-target", platform.machine() + "-unknown-linux-gnu",
            "-I", build / "Modules", "-output-dir", folder,
            "-minimum-access-level", "public", "-skip-synthesized-members"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit("symbols: the module cannot be read; run `swift build --target CoreLocation`"
                     " first\n" + done.stderr)
        # Extensions of other modules' types are in separate files, and have no rows.
        graph = json.loads((pathlib.Path(folder) / "CoreLocation.symbols.json").read_text())
    return [symbol(entry) for entry in graph["symbols"]]


def symbol(entry):
    text = "".join(part["spelling"] for part in entry["declarationFragments"])
    comment = entry.get("docComment", {}).get("lines", [])
    words = []
    for line in comment:
        if not line["text"].strip():
            break
        words.append(line["text"].strip())
    kind = entry["kind"]["identifier"].split(".")[-1]
    if re.match(r"(\S+ )*actor ", text):
        kind = "actor"
    return Symbol(tuple(entry["pathComponents"]), kind, text, " ".join(words))


def aliases(symbols):
    """Types with a second name inside another type, such as an iterator's element."""
    found = {}
    for entry in symbols:
        target = re.match(r"typealias \w+ = ([\w.]+)$", entry.declaration)
        if target and len(entry.path) > 1:
            found[".".join(entry.path)] = target.group(1)
    return found


def plain(declaration, names):
    """The declaration without the parts that make no difference to client code."""
    text = declaration.replace("`", "")
    while True:
        shorter = DEFAULT.sub("", IGNORED.sub("", text))
        if shorter == text:
            break
        text = shorter
    text = re.sub(r"^class (func|var)", r"static \1", text).replace(" : Any]", ": Any]")
    text = re.sub(r"^(static )?let (.*)$", r"\1var \2 { get }", text)
    text = text.replace(" { get set }", "")
    # The deepest chain of aliases has three.
    for _ in range(3):
        text = re.sub(r"[A-Z]\w*(\.[A-Z]\w*)+", lambda m: names.get(m.group(), m.group()), text)
    return text


def base(declaration):
    """The name of a member, without its arguments."""
    words = re.sub(r"[(:?=].*", "", plain(declaration, {})).split()
    return words[-1]


def verdicts(rows, symbols):
    """The symbol of each row, and what is wrong with it, if anything."""
    names = aliases(symbols)
    types = {".".join(s.path): s for s in symbols if s.kind in KINDS}
    members = collections.defaultdict(list)
    for entry in symbols:
        members[".".join(entry.path[:-1]) or GLOBAL].append(entry)
    for row in rows:
        words = row.declaration.split()
        if row.section != GLOBAL and words[0] in KINDS and words[1:] == [row.section]:
            entry = types.get(row.section)
            wrong = None if entry and entry.kind == words[0] else \
                f"is {entry.kind}" if entry else "missing"
            yield row, entry, wrong
            continue
        yield (row, *member(row, members[row.section], names))


def member(row, candidates, names):
    wanted = plain(row.declaration, names)
    for entry in candidates:
        if plain(entry.declaration, names) == wanted:
            return entry, None
    alike = [e for e in candidates if e.path[-1].split("(")[0] == base(row.declaration)]
    if not alike:
        return None, "missing"
    return None, "is " + " | ".join(e.declaration for e in alike)


def tables(results):
    """A table for each type, in the order of the list."""
    out = []
    section = None
    for row, entry, wrong in results:
        if row.section != section:
            section = row.section
            title = "Constants, names and functions" if section == GLOBAL else f"`{section}`"
            out += ["", f"## {title}", "", "| symbol | status | |", "| --- | --- | --- |"]
        status = "missing" if wrong else STATUS[row.mark]
        declaration = row.declaration.replace("|", "\\|")
        code = f"`` {declaration} ``" if "`" in declaration else f"`{declaration}`"
        phrase = re.sub(r"``(.*?)``", r"`\1`", entry.phrase if entry else "").replace("|", "\\|")
        out.append(f"| {code} | {status} | {phrase} |")
    return "\n".join(out).strip() + "\n"


def write(path, results):
    """Writes the tables after the document's introduction, which ends at its first table."""
    count = collections.Counter(row.mark for row, _, wrong in results if not wrong)
    head = (HERE / "introduction.md").read_text()
    for mark, number in (("L", count["L"]), ("P", count["P"]), ("N", count["N"])):
        head = head.replace("{%s}" % mark, str(number))
    path.write_text(head.replace("{all}", str(len(results))) + "\n" + tables(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build/debug")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    results = list(verdicts(listed(), extracted(options.build)))
    wrong = [result for result in results if result[2]]
    for row, _, what in wrong:
        print(f"{row.section}: {row.declaration}\n    {what}")
    print(f"{len(results) - len(wrong)} of {len(results)}")
    if options.write:
        write(options.write, results)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
