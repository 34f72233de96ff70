"""The engine for tables and for streams."""

from __future__ import annotations

import datetime
import os
import threading
import warnings
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import _results
from ._errors import WaymarkError, WaymarkWarning
from ._fixes import Fixes, fixes_of
from ._library import EngineHandle, TrackHandle
from ._rules import Config, rules_of


class Engine:
    """The engines of many devices, for fixes that come piece by piece.

    The events do not depend on the pieces: those of ``feed(a)`` and ``feed(b)`` together are those
    of both tables at once. An engine can be used by several threads, one after the other.

    >>> engine = Engine(fences={"depot": (52.5163, 13.3777, 100)})
    >>> for table in tables:
    ...     print(engine.feed(table))
    """

    def __init__(self, *, fences: Any = None, config: Optional[Config] = None) -> None:
        """Makes an engine without devices; the arguments are those of :func:`events`."""
        self._handle = EngineHandle(rules_of(fences, config))
        self._numbers: "dict[str, int]" = {}
        self._lock = threading.Lock()

    def feed(
        self, table: Any, *, device: str = "device",
        columns: Optional[Mapping[str, str]] = None, sort: bool = False,
        output: Optional[str] = None,
    ) -> Any:
        """Plays the fixes of a table and gives their events; see :func:`events`."""
        _results.checked(output, "log")
        fixes = fixes_of(table, columns, device)
        return self._fed(fixes.sorted()[0] if sort else fixes, output or _results.kind_of(table))

    def advance(
        self, device: str, time: Union[datetime.datetime, int], *, output: str = "pandas"
    ) -> Any:
        """Advances the clock of a silent device, and gives the events that have come due.

        ``time`` is a datetime with a zone, or nanoseconds since 1970. No later fix of the device may
        be before it.
        """
        _results.checked(output, "log")
        now = _nanoseconds(time)
        with self._lock:
            self._handle.advance(self._number(device), now)
            return self._take(output)

    def state(self, device: str) -> bytes:
        """The state of a device, from which another engine with the same fences can continue."""
        with self._lock:
            return self._handle.save(self._known(device))

    def resume(self, device: str, state: bytes) -> None:
        """Continues a device from a state; a state that cannot be used is an error."""
        with self._lock:
            self._handle.resume(self._number(device), _bytes(state))

    @property
    def devices(self) -> "list[str]":
        """The names of the devices, in the order in which they came."""
        return list(self._numbers)

    @property
    def counts(self) -> dict:
        """What became of the fixes: how many were used, and how many were dropped for what reason."""
        with self._lock:
            return self._handle.counts()

    def _number(self, device: str) -> int:
        if not isinstance(device, str):
            raise WaymarkError(f"the device is {device!r}, expected a text")
        if device not in self._numbers:
            self._numbers[device] = self._handle.device(device)
        return self._numbers[device]

    def _known(self, device: str) -> int:
        if device not in self._numbers:
            raise WaymarkError(f"there is no device {device!r}")
        return self._numbers[device]

    def _fed(self, fixes: Fixes, kind: str) -> Any:
        with self._lock:
            self._play(fixes)
            return self._take(kind)

    def _play(self, fixes: Fixes, progress: bool = False) -> None:
        numbers = np.array([self._number(name) for name in fixes.names], np.int32)
        # Not for each fix when the numbers are the same.
        if not np.array_equal(numbers, np.arange(len(numbers))):
            fixes.devices = numbers[fixes.devices]
        for part in _with_bar(fixes) if progress else [fixes]:
            self._handle.feed(part)

    def _take(self, kind: str) -> Any:
        if kind == "log":
            return self._handle.log()
        return _results.result(pa.Table.from_batches([self._handle.events()]), kind)


def events(
    table: Any, *, fences: Any = None, config: Optional[Config] = None, device: str = "device",
    columns: Optional[Mapping[str, str]] = None, sort: bool = False, output: Optional[str] = None,
    progress: bool = False,
) -> Any:
    """Plays the fixes of a table, and gives what happened: a row for each event.

    ``table`` is a DataFrame of pandas or Polars, a GeoDataFrame of points, a table of pyarrow, a
    relation of DuckDB, or a dict of numpy arrays. It needs a time, a latitude and a longitude; a
    device, an accuracy (68 %), a speed and a course are used when they are there. The columns are
    recognised by their names and units as those of a CSV file are, also those that change what a row
    means, such as ``N/S`` or ``date``; ``columns`` names others, such as ``{"time": "ts"}``. Without
    a column of devices all fixes are of ``device``. Times are datetimes (without a zone in UTC),
    numbers since 1970, or text.

    ``fences`` is the path of a GeoJSON file or of compiled fences (.wmf), a GeoDataFrame of polygons
    or of points with a column ``radius``, a dict of circles such as ``{"depot": (52.5163, 13.3777,
    100)}``, or what :func:`fences` made of them. ``config`` is the path of a config file of the
    program, or a dict with its keys.

    The rows of each device must be in the order in which they were recorded; ``sort=True`` sorts all
    rows by time. Fixes that are not used are counted in a :class:`WaymarkWarning`.

    The result is a table of the same kind, or of the kind ``output``: pandas, geopandas, polars,
    arrow, or log for the bytes that ``waymark replay --format jsonl`` writes. Its columns are the
    keys of the event log. ``progress=True`` shows a bar if tqdm is installed.
    """
    _results.checked(output, "log")
    return _played(
        table, fences, config, device, columns, sort, output or _results.kind_of(table), progress)


def visits(
    table: Any, *, config: Optional[Config] = None, device: str = "device",
    columns: Optional[Mapping[str, str]] = None, sort: bool = False, output: Optional[str] = None,
    progress: bool = False,
) -> Any:
    """Finds the places where devices stayed: a row for each visit, as it is known at the end.

    The arguments are those of :func:`events`. ``departure`` is missing while a visit lasts at the
    end of the table. The key ``visits`` of the config says what counts as a visit, such as
    ``{"visits": {"minimum-stay": "10 min", "radius": "80 m"}}``.
    """
    _results.checked(output)
    found = _played(table, None, config, device, columns, sort, "arrow", progress)
    found = found.filter(pc.equal(found["type"], "visit"))
    # The last line of a visit replaces those before it.
    last = {identity: row for row, identity in enumerate(found["id"].to_pylist())}
    found = found.take(pa.array(sorted(last.values()), pa.int64()))
    found = found.filter(pc.invert(found["retracted"])).select(_VISIT_COLUMNS)
    return _results.result(found, output or _results.kind_of(table))


def read(path: Union[str, "os.PathLike[str]"], *, output: str = "pandas") -> Any:
    """Reads a recorded track of any format that ``waymark replay`` reads, also with gzip.

    The columns are device, time, latitude, longitude, accuracy, speed, course and altitude, in the
    order of the file and in the units of the event log. What is wrong in the file is reported in a
    :class:`WaymarkWarning`, and everything else is read.
    """
    _results.checked(output)
    track = TrackHandle(os.fspath(path))
    batches = [track.read(_ROWS_AT_A_TIME)]
    while batches[-1].num_rows:
        batches.append(track.read(_ROWS_AT_A_TIME))
    for problem in track.problems:
        warnings.warn(problem, WaymarkWarning, stacklevel=2)
    return _results.result(pa.Table.from_batches(batches).unify_dictionaries(), output)


_ROWS_AT_A_TIME = 1 << 20

_VISIT_COLUMNS = [
    "id", "device", "arrival", "departure", "latitude", "longitude", "accuracy", "confidence",
    "arrivalSeen", "arrivalUncertainty", "departureUncertainty",
]


def _played(
    table: Any, fences: Any, config: Optional[Config], device: str,
    columns: Optional[Mapping[str, str]], sort: bool, kind: str, progress: bool,
) -> Any:
    engine = Engine(fences=fences, config=config)
    fixes, order = fixes_of(table, columns, device), None
    if sort:
        fixes, order = fixes.sorted()
    engine._play(fixes, progress)
    _warn(engine.counts, order, fixes.note)
    return engine._take(kind)


def _with_bar(fixes: Fixes) -> Iterator[Fixes]:
    """The fixes in parts, with a bar that says how many were played."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield fixes
        return
    count = len(fixes.times)
    with tqdm(total=count, unit="fix", unit_scale=True) as bar:
        for start in range(0, count, _FIXES_AT_A_TIME):
            part = fixes.part(start, start + _FIXES_AT_A_TIME)
            yield part
            bar.update(len(part.times))


_FIXES_AT_A_TIME = 1 << 18


def _warn(counts: dict, order: Optional[np.ndarray], note: str) -> None:
    dropped = counts["dropped"]
    if not dropped:
        return
    reasons = []
    for reason, found in dropped.items():
        reasons.append(f"{found['count']} {reason}")
        # A fix that waited for its confirmation has no row.
        if "row" in found:
            row = found["row"] if order is None else int(order[found["row"]])
            reasons[-1] += f" (first: row {row})"
    advice = f"; {note}" if note else ""
    if "outOfOrder" in dropped and order is None:
        advice += "; sort=True sorts the rows by time"
    total = sum(found["count"] for found in dropped.values())
    warnings.warn(
        f"{total} of {counts['fixes']} fixes were not used: {', '.join(reasons)}{advice}",
        WaymarkWarning, stacklevel=4)


def _bytes(state: Any) -> bytes:
    if not isinstance(state, (bytes, bytearray, memoryview)):
        raise WaymarkError(
            f"the state is of type {type(state).__name__}, expected the bytes that state() gives")
    return bytes(state)


def _nanoseconds(time: Union[datetime.datetime, int]) -> int:
    nanoseconds = _since_1970(time)
    if abs(nanoseconds) > np.iinfo(np.int64).max:
        raise WaymarkError(f"{time} is no time of 1678 to 2261 in nanoseconds since 1970")
    return nanoseconds


def _since_1970(time: Union[datetime.datetime, int]) -> int:
    if isinstance(time, np.datetime64) or (
            isinstance(time, datetime.datetime) and time.tzinfo is None):
        raise WaymarkError(f"{time} has no zone, such as datetime.timezone.utc")
    if isinstance(time, datetime.datetime):
        since = time - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        # A timestamp of pandas has nanoseconds.
        rest = since.microseconds * 1_000 + getattr(since, "nanoseconds", 0)
        return (since.days * 86_400 + since.seconds) * 10**9 + rest
    if isinstance(time, (int, np.integer)) and not isinstance(time, bool):
        return int(time)
    raise WaymarkError(
        f"the time is {time!r}, expected a datetime with a zone, or whole nanoseconds since 1970")
