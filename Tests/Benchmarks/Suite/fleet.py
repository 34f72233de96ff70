"""A fleet in the cities of the matching benchmark: fences, compiled, and fixes as lines."""

from runs import BIN, WORK, build, is_fresh, run

WAYMARK = BIN / "waymark"


# With up to this many fences a device reports the initial state of each, unless that is off.
FEW = 1_000


def config(fences, *more):
    """A config with this many compiled fences, and more lines."""
    cities = build("cities", "Matching/cities.cpp")
    compiled = WORK / f"fences-{fences}.wmf"
    if not is_fresh(compiled, cities, WAYMARK):
        text = WORK / f"fences-{fences}.csv"
        run([cities, "fences-csv", fences, text])
        run([WAYMARK, "compile", without_first_sight(text) if fences <= FEW else text,
             "-o", compiled])
        text.unlink()
    file = WORK / f"fences-{fences}-{len(more)}.yaml"
    file.write_text("\n".join(["fences:", f"  - include: {compiled.name}", *more, ""]))
    return file


def without_first_sight(table):
    """A config with the fences of a table, which report enters and exits."""
    rows = (line.split(",") for line in table.read_text().splitlines()[1:])
    config = table.with_suffix(".source.yaml")
    config.write_text("fences:\n" + "".join(
        f"  - {{id: {name}, center: [{latitude}, {longitude}], radius: {radius}, initial: none}}\n"
        for name, latitude, longitude, radius in rows))
    return config


def lines(devices, seconds):
    """A file of fixes, a line each, second by second."""
    cities = build("cities", "Matching/cities.cpp")
    file = WORK / f"fixes-{devices}-{seconds}.ndjson"
    if not is_fresh(file, cities):
        run([cities, "fixes-ndjson", devices, seconds, file])
    return file


def pipe(settings, fixes, output, threads=1):
    """One run of `waymark pipe`, and the counts of its trailer."""
    cost = run([WAYMARK, "pipe", "--config", settings, "--threads", threads], stdin=fixes,
               stdout=output)
    return cost, cost.report
