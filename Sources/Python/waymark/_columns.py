"""Columns of numbers, of devices and of marks."""

from __future__ import annotations

import decimal
from typing import Any, Callable, Optional

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._errors import WaymarkError
from ._tables import Table, whole, wrong


def is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def joined(column: pa.ChunkedArray) -> pa.Array:
    """The column in one piece; a column that is one is not copied."""
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(
        column.chunks or [pa.array([], column.type)])


def values_of(column: pa.ChunkedArray, unknown: Any) -> np.ndarray:
    """The values of a column, without a copy when all are known."""
    return joined(pc.fill_null(column, unknown) if column.null_count else column).to_numpy()


def first_failing(column: pa.ChunkedArray, cast: Callable[[Any], Any]) -> int:
    """The first row of a column that cannot be cast, which is found by halves."""
    start, end = 0, len(column)
    while end - start > 1:
        middle = (start + end) // 2
        try:
            cast(column.slice(start, middle - start))
            start = middle
        except pa.ArrowException:
            end = middle
    return start


def numbers_of(table: Table, found: dict) -> np.ndarray:
    """The numbers of a column in our unit; NaN for none."""
    name, column = table.plain(found["column"])

    def cast(part: pa.ChunkedArray) -> pa.ChunkedArray:
        return part.cast(pa.float64(), safe=False)

    try:
        numbers = cast(column)
    except pa.ArrowNotImplementedError:
        raise WaymarkError(f"column '{name}' of type {column.type} has no numbers") from None
    except pa.ArrowInvalid:
        trimmed = pc.utf8_trim_whitespace(column) if is_text(column.type) else column
        try:
            numbers = cast(trimmed)
        except pa.ArrowInvalid:
            row = first_failing(trimmed, cast)
            raise wrong(row, name, column[row].as_py(), "number") from None
    values = values_of(numbers, float("nan"))
    if "absent" in found:
        values = np.where(values == found["absent"], np.nan, values)
    if found["factor"] != 1 or found["divisor"] != 1:
        values = values * found["factor"] / found["divisor"]
    return np.ascontiguousarray(values, np.float64)


def devices_of(table: Table, index: int) -> "tuple[np.ndarray, list[str]]":
    """The number of each row's device, and the names that the numbers stand for."""
    name, column = table.column(index)
    if not len(column):
        return np.zeros(0, np.int32), []
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise wrong(row, name, None, "device; fill it in or drop the row")
    devices, values = distinct(name, column, "devices, expected text or whole numbers")
    devices = np.ascontiguousarray(devices, np.int32)
    # A categorical column may have categories without a row.
    is_used = np.zeros(len(values), bool)
    is_used[devices] = True
    if not is_used.all():
        devices = (np.cumsum(is_used, dtype=np.int32) - 1)[devices]
        values = [each for each, used in zip(values, is_used) if used]

    names = []
    for number, value in enumerate(values):
        named = _device_name(value)
        if named is None:
            raise wrong(int(np.argmax(devices == number)), name, value, _expected_of(value))
        names.append(named)
    return devices, names


def _device_name(value: Any) -> Optional[str]:
    """The name that a value is; None when it is none."""
    value = whole(value)
    if value is None or isinstance(value, (bool, float, complex, decimal.Decimal)):
        return None
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            return None
    return str(value) or None


def _expected_of(value: Any) -> str:
    if value in (None, "", b"") or value != value:
        return "device; fill it in or drop the row"
    return "device, expected text (of UTF-8) or a whole number"


def distinct(name: str, column: pa.ChunkedArray, expected: str) -> "tuple[np.ndarray, list]":
    """For each row the number of its value, and the values; -1 for a row without one."""
    try:
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        encoded = joined(column.unify_dictionaries())
    except pa.ArrowNotImplementedError:
        raise WaymarkError(f"column '{name}' of type {column.type} has no {expected}") from None
    rows = pc.fill_null(encoded.indices.cast(pa.int32()), -1)
    return rows.to_numpy(), encoded.dictionary.to_pylist()


def signed(degrees: np.ndarray, own: str, table: Table, index: int, letters: str) -> np.ndarray:
    """Degrees, negative where the letter of the hemisphere in another column is the second one."""
    name, column = table.plain(index)
    if not is_text(column.type):
        # A column of numbers, such as nanoseconds, has no letters.
        return degrees
    rows, values = distinct(name, column, "letters")
    signs = np.zeros(len(values) + 1)
    for number, value in enumerate(values):
        letter = (value or "").strip().upper()
        letter = _LETTERS.get(letter, letter)
        if letter and letter in letters:
            signs[number] = 1 if letter == letters[0] else -1
        elif not _is_absent(letter) and (rows == number).any():
            row = int(np.argmax(rows == number))
            raise wrong(row, name, value, f"hemisphere, expected {letters[0]} or {letters[1]}")
    signs = signs[rows]
    doubled = np.flatnonzero((signs != 0) & (degrees < 0))
    if len(doubled):
        row = int(doubled[0])
        raise WaymarkError(
            f"row {row}, column '{own}': {float(degrees[row])!r} has a sign beside the letter in "
            f"column '{name}', expected one of both")
    return np.where(signs < 0, -degrees, degrees)


_LETTERS = {"NORTH": "N", "SOUTH": "S", "EAST": "E", "WEST": "W"}


def _is_absent(text: str) -> bool:
    if text in ("", "-", "NA", "N/A", "NAN", "NULL", "NONE", "\\N"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def others_of(table: Table, found: dict) -> "tuple[Optional[np.ndarray], str]":
    """The rows that are no fixes as a column says, and its name; None when all are fixes."""
    if "validity" in found:
        name, column = table.column(found["validity"]["column"])
        rows, values = distinct(name, column, "yes or no")
        is_other = [str(whole(value)).lower() in _NO for value in values] + [False]
    elif "kind" in found:
        name, column = table.column(found["kind"]["column"])
        rows, values = distinct(name, column, "kinds of rows")
        is_other = [value != found["kind"]["value"] for value in values] + [True]
    else:
        return None, ""
    others = np.array(is_other)[rows]
    return (others, name) if others.any() else (None, "")


_NO = ("no fix", "nofix", "false", "f", "0")
