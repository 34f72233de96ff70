"""Times: whole ones, and those of a day."""

from __future__ import annotations

import datetime
import re
from typing import Any, Callable, Optional

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._columns import distinct, first_failing, is_text, values_of
from ._errors import WaymarkError
from ._tables import Table, whole, wrong

NO_TIME = np.iinfo(np.int64).min

#: Nanoseconds.
_SECOND = 10**9
_DAY = 86_400 * _SECOND


def times_of(table: Table, found: dict) -> np.ndarray:
    """The times of a table in nanoseconds since 1970; those of a day are of the day beside them."""
    name, column = table.plain(found["time"]["column"])
    if "date" not in found or column.null_count == len(column):
        return _instants(name, column, found["time"]["unit"])
    clocks = _clocks(name, column)
    if clocks is None:
        return _instants(name, column, found["time"]["unit"])
    name, column = table.plain(found["date"]["column"])
    days = _days(name, column)
    without = np.flatnonzero((days == NO_TIME) & (clocks != NO_TIME))
    if len(without):
        raise wrong(int(without[0]), name, None, "day; fill it in or drop the row")
    return np.where(clocks == NO_TIME, NO_TIME, np.where(days == NO_TIME, 0, days) + clocks)


def _instants(name: str, column: pa.ChunkedArray, unit: int) -> np.ndarray:
    """Whole times."""
    kind = column.type
    if is_text(kind):
        return _parsed(name, column)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _of_datetimes(name, column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _counted(column, unit)
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        raise WaymarkError(
            f"column '{name}' of type {kind} has times without a day, expected whole times, or a "
            "column 'date' beside it")
    raise WaymarkError(f"column '{name}' of type {kind} has no times")


def _nanoseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    zone = getattr(column.type, "tz", None)
    return column.cast(pa.timestamp("ns", zone)).cast(pa.int64())


def _of_datetimes(name: str, column: pa.ChunkedArray) -> np.ndarray:
    try:
        times = _nanoseconds(column)
    except pa.ArrowInvalid:
        row = first_failing(column, _nanoseconds)
        try:
            value = str(column[row].as_py())
        except (ValueError, OverflowError):
            value = str(column[row].cast(pa.int64()).as_py()) + f" {column.type.unit} since 1970"
        raise wrong(row, name, value, "time of 1678 to 2261; drop the row") from None
    return np.ascontiguousarray(values_of(times, NO_TIME), np.int64)


def _parsed(name: str, column: pa.ChunkedArray) -> np.ndarray:
    """Times as text: RFC 3339, or without a zone in UTC."""

    def cast(zone: Optional[str]) -> Callable[[Any], pa.ChunkedArray]:
        return lambda part: part.cast(pa.timestamp("ns", zone)).cast(pa.int64())

    for zone in ("UTC", None):
        try:
            return np.ascontiguousarray(values_of(cast(zone)(column), NO_TIME), np.int64)
        except pa.ArrowInvalid:
            continue
    text = pc.utf8_trim_whitespace(column)
    has_zone = pc.match_substring_regex(text, r"\d[T ].*([Zz]|[+-]\d\d(:?\d\d)?)$")
    none = pa.scalar(None, text.type)
    parts, failing = [], []
    for zone, part in (
        ("UTC", pc.if_else(has_zone, text, none)), (None, pc.if_else(has_zone, none, text)),
    ):
        try:
            parts.append(cast(zone)(part))
        except pa.ArrowInvalid:
            failing.append(first_failing(part, cast(zone)))
    if failing:
        row = min(failing)
        raise wrong(row, name, column[row].as_py(), "time such as 2026-05-04T04:30:00Z")
    return np.ascontiguousarray(values_of(pc.coalesce(*parts), NO_TIME), np.int64)


def _counted(column: pa.ChunkedArray, unit: int) -> np.ndarray:
    """Times as numbers since 1970: of a unit of so many nanoseconds, or of one that their size shows."""
    if pa.types.is_integer(column.type):
        if pa.types.is_uint64(column.type):
            # No time is as far away as a number of 64 bits.
            is_known = pc.less(column, pa.scalar(2**63, pa.uint64()))
            column = pc.if_else(is_known, column, pa.scalar(None, pa.uint64()))
        count = values_of(column.cast(pa.int64()), NO_TIME)
        missing, rest = count == NO_TIME, np.zeros(1)
    else:
        values = values_of(column.cast(pa.float64()), float("nan"))
        missing = ~np.isfinite(values) | (np.abs(values) > 9.2e18)
        floor = np.floor(np.where(missing, 0, values))
        count, rest = floor.astype(np.int64), np.where(missing, 0, values) - floor
    size = np.abs(np.where(missing, 0, count))
    units = np.full(len(count), unit, np.int64) if unit else np.select(
        [size < 10**12, size < 10**15, size < 10**18], [10**9, 10**6, 10**3], 1).astype(np.int64)
    missing = missing | (size > np.iinfo(np.int64).max // units - 1)
    times = np.where(missing, 0, count) * units + np.rint(rest * units).astype(np.int64)
    return np.where(missing, NO_TIME, times)


def _clocks(name: str, column: pa.ChunkedArray) -> Optional[np.ndarray]:
    """Times of a day in nanoseconds, NO_TIME for none; None when they are whole times."""
    kind = column.type
    if pa.types.is_time(kind):
        unit = pa.time64("ns")
        return np.asarray(values_of(column.cast(unit).cast(pa.int64()), NO_TIME))
    if pa.types.is_duration(kind):
        clocks = values_of(column.cast(pa.duration("ns")).cast(pa.int64()), NO_TIME)
        outside = np.flatnonzero((clocks != NO_TIME) & ((clocks < 0) | (clocks >= _DAY)))
        if len(outside):
            row = int(outside[0])
            raise wrong(row, name, str(column[row].as_py()), "time of a day")
        return clocks
    if is_text(kind):
        # The first one shows which of both they are.
        if _clock(_written(column.drop_null()[0].as_py())) is None:
            return None
        return _mapped(name, column, _clock, "time of a day such as 10:00:00")
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        values = values_of(column.cast(pa.float64()), float("nan"))
        # Of more than six digits they count from 1970.
        if np.all(np.isnan(values) | (np.abs(values) < 10**6)):
            return _mapped(name, column, _clock, "time of a day such as 100000 for 10:00:00")
    return None


def _days(name: str, column: pa.ChunkedArray) -> np.ndarray:
    """The beginnings of days in nanoseconds since 1970, NO_TIME for none."""
    if not (pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)):
        return _mapped(name, column, _day, "day such as 2026-05-04")
    days = _of_datetimes(name, column)
    others = np.flatnonzero((days != NO_TIME) & (days % _DAY != 0))
    if len(others):
        row = int(others[0])
        raise wrong(row, name, str(column[row].as_py()), "day, which begins at 00:00 in UTC")
    return days


def _mapped(
    name: str, column: pa.ChunkedArray, parse: Callable[[str], Optional[int]], expected: str
) -> np.ndarray:
    """What a function makes of each value, which it sees once; NO_TIME for none."""
    rows, values = distinct(name, column, f"value that is a {expected}")
    parsed = np.full(len(values) + 1, NO_TIME, np.int64)
    for number, value in enumerate(values):
        if value is None or value != value:
            continue
        found = parse(_written(value))
        if found is None:
            raise wrong(int(np.argmax(rows == number)), name, value, expected)
        parsed[number] = found
    return parsed[rows]


def _written(value: Any) -> str:
    """A value as text; a number has lost the zeros before it."""
    if isinstance(value, str):
        return value.strip()
    value = whole(value)
    return f"{value:06d}" if isinstance(value, int) else f"{value:016.9f}"


_DAYS = (
    re.compile(r"(?P<year>\d{4})([-/.:])(?P<month>\d\d?)\2(?P<day>\d\d?)"),
    re.compile(r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"),
    re.compile(r"(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>\d{4})"),
)


def _day(text: str) -> Optional[int]:
    found = next(filter(None, (form.fullmatch(text) for form in _DAYS)), None)
    if found is None:
        return None
    try:
        day = datetime.date(*(int(found[part]) for part in ("year", "month", "day")))
    except ValueError:
        return None
    return (day - datetime.date(1970, 1, 1)).days * _DAY if 1678 <= day.year <= 2261 else None


_CLOCKS = (
    re.compile(
        r"(?P<hour>\d\d?):(?P<minute>\d\d?)(:(?P<second>\d\d?)([.,](?P<rest>\d+))?)?"
        r"( *(?P<half>[AaPp])[Mm])?(?P<zone> *([Zz]|UTC|GMT|[+-]\d\d:?\d\d))?"),
    re.compile(r"(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)([.,](?P<rest>\d+))?"),
)


def _clock(text: str) -> Optional[int]:
    found = next(filter(None, (form.fullmatch(text) for form in _CLOCKS)), None)
    if found is None:
        return None
    parts = found.groupdict()
    hour, minute, second = (int(parts[part] or 0) for part in ("hour", "minute", "second"))
    if parts.get("half"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if parts["half"] in "Pp" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    offset, zone = 0, (parts.get("zone") or "").strip()
    if zone[:1] in ("+", "-"):
        hours, minutes = int(zone[1:3]), int(zone[-2:])
        if hours > 23 or minutes > 59:
            return None
        offset = int(zone[0] + "1") * (hours * 60 + minutes) * 60
    rest = int((parts["rest"] or "0")[:9].ljust(9, "0"))
    return (hour * 3_600 + minute * 60 + second - offset) * _SECOND + rest
