"""Tables of fixes as the columns that the C library reads."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from ._columns import devices_of, numbers_of, others_of, signed
from ._errors import WaymarkError, WaymarkWarning
from ._library import match_columns
from ._tables import Table, table_of
from ._times import times_of


@dataclass
class Fixes:
    """Columns of fixes, and the names that the numbers of devices stand for."""

    devices: np.ndarray
    names: "list[str]"
    times: np.ndarray
    latitudes: np.ndarray
    longitudes: np.ndarray
    accuracies: Optional[np.ndarray]
    speeds: Optional[np.ndarray]
    courses: Optional[np.ndarray]
    #: What a column says of rows that are no fixes, which have no positions here.
    note: str = ""

    def sorted(self) -> "tuple[Fixes, Optional[np.ndarray]]":
        """The fixes in the order of time, and the row that each one had; None for the same order."""
        if np.all(self.times[:-1] <= self.times[1:]):
            return self, None
        order = np.argsort(self.times, kind="stable")
        return self._taken(order), order

    def part(self, start: int, end: int) -> Fixes:
        """The fixes of some rows, which are not copied."""
        return self._taken(slice(start, end))

    def _taken(self, rows: Any) -> Fixes:
        def known(array: Optional[np.ndarray]) -> Optional[np.ndarray]:
            return None if array is None else array[rows]

        return replace(
            self, devices=self.devices[rows], times=self.times[rows],
            latitudes=self.latitudes[rows], longitudes=self.longitudes[rows],
            accuracies=known(self.accuracies), speeds=known(self.speeds),
            courses=known(self.courses))


def fixes_of(table: Any, columns: Optional[Mapping[str, str]], device: str) -> Fixes:
    """The fixes of a table of any kind."""
    read = table_of(table)
    return fixes_in(read, columns_of(read.names, columns), device)


def columns_of(names: Sequence[str], columns: Optional[Mapping[str, str]]) -> dict:
    """What the columns of a table mean; a warning names one whose unit is not known."""
    found = match_columns(names, choice_of(columns, names))
    if "speedWithoutUnit" in found:
        name = names[found["speedWithoutUnit"]["column"]]
        warnings.warn(
            f"column '{name}' is not used: beside an MMSI speeds are in knots or in tenths of a "
            "knot, and the name states no unit; rename it with its unit, as speed_kn, or give the "
            f"unit with columns={{'speed': {name + ' [kn]'!r}}}",
            WaymarkWarning, stacklevel=5)
    return found


def fixes_in(read: Table, found: dict, device: str) -> Fixes:
    """The fixes of a table whose columns were found."""

    def number(field: str) -> Optional[np.ndarray]:
        if field not in found:
            return None
        values = numbers_of(read, found[field])
        is_unknown = values < 0
        return np.where(is_unknown, np.nan, values) if is_unknown.any() else values

    if "device" in found:
        devices, names = devices_of(read, found["device"]["column"])
    else:
        devices, names = np.zeros(read.count, np.int32), [device]
    latitudes, note = _degrees(read, found, "latitude", "NS"), ""
    others, name = others_of(read, found)
    if others is not None:
        latitudes = np.where(others, np.nan, latitudes)
        count, first = int(others.sum()), int(np.argmax(others))
        rows = f"row {first} is no fix" if count == 1 else f"{count} rows are no fixes"
        note = f"{rows}, as column '{name}' says"
    return Fixes(
        devices, names, times_of(read, found), latitudes, _degrees(read, found, "longitude", "EW"),
        _accuracies(number("accuracy"), number("hdop")), number("speed"), number("course"), note)


def _degrees(table: Table, found: dict, field: str, letters: str) -> np.ndarray:
    degrees, mark = numbers_of(table, found[field]), found.get(f"{field}Hemisphere")
    if mark is None:
        return degrees
    return signed(degrees, table.names[found[field]["column"]], table, mark["column"], letters)


def _accuracies(
    known: Optional[np.ndarray], dilutions: Optional[np.ndarray]
) -> Optional[np.ndarray]:
    """The accuracies, for a dilution of precision where there is none: `Accuracy.swift` says why."""
    if dilutions is None:
        return known
    ratio = math.sqrt(math.log(1 - 0.68) / math.log(1 - 0.95))
    # The engine keeps a dilution in single precision.
    with np.errstate(over="ignore"):
        kept = dilutions.astype(np.float32).astype(np.float64)
    estimated = np.where((kept > 0) & np.isfinite(kept), kept * 19 * ratio, np.nan)
    return estimated if known is None else np.where(np.isnan(known), estimated, known)


def choice_of(
    columns: Optional[Mapping[str, str]], names: Sequence[str]
) -> Optional[str]:
    """The choice of columns in the form of the option `--columns`."""
    if columns is not None and not isinstance(columns, Mapping):
        raise WaymarkError(f"columns is {columns!r}, expected a dict such as {{'time': 'ts'}}")
    for field, column in (columns or {}).items():
        if not isinstance(field, str) or not isinstance(column, str):
            raise WaymarkError(
                f"columns has {field!r}: {column!r}, expected texts such as 'time': 'ts'")
        if "," in column:
            raise WaymarkError(f"column {column!r} has a comma in its name, rename it")
        if list(names).count(column) > 1:
            raise WaymarkError(f"two columns have the name {column!r}, rename one")
    return ",".join(f"{field}={column}" for field, column in columns.items()) if columns else None
