"""Tables of fixes as the columns that the C library reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._errors import WaymarkError
from ._library import match_columns

NO_TIME = np.iinfo(np.int64).min


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

        return Fixes(
            self.devices[rows], self.names, self.times[rows], self.latitudes[rows],
            self.longitudes[rows], known(self.accuracies), known(self.speeds),
            known(self.courses))


def fixes_of(table: Any, columns: Optional[Mapping[str, str]], device: str) -> Fixes:
    """The fixes of a table of any kind."""
    arrow = _arrow_table(table)
    found = match_columns([str(name) for name in arrow.column_names], _choice(columns))

    def number(field: str) -> Optional[np.ndarray]:
        return _numbers(arrow, found[field]) if field in found else None

    count = arrow.num_rows
    if "device" in found:
        devices, names = _devices(arrow, found["device"]["column"])
    else:
        devices, names = np.zeros(count, np.int32), [device]
    return Fixes(
        devices, names, _times(arrow, found["time"]), _numbers(arrow, found["latitude"]),
        _numbers(arrow, found["longitude"]), number("accuracy"), number("speed"), number("course"))


def _choice(columns: Optional[Mapping[str, str]]) -> Optional[str]:
    """The choice of columns in the form of the option `--columns`."""
    for column in (columns or {}).values():
        if "," in column:
            raise WaymarkError(f"column {column!r} has a comma in its name, rename it")
    return ",".join(f"{field}={column}" for field, column in columns.items()) if columns else None


def _arrow_table(table: Any) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, Mapping):
        return _of_arrays(table)
    module = type(table).__module__.split(".")[0]
    if module in ("pandas", "geopandas"):
        return _of_pandas(table)
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    for method in ("to_arrow_table", "fetch_arrow_table", "to_arrow"):
        if hasattr(table, method):
            return getattr(table, method)()
    raise WaymarkError(
        f"a table of type {type(table).__name__} is not known, expected a DataFrame of pandas or "
        "Polars, a table of pyarrow, a relation of DuckDB, or a dict of numpy arrays")


def _of_arrays(table: Mapping) -> pa.Table:
    arrays = {str(name): pa.array(values, from_pandas=True) for name, values in table.items()}
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise WaymarkError(f"the columns have different lengths: {lengths}")
    return pa.table(arrays)


def _of_pandas(frame: Any) -> pa.Table:
    import pandas

    columns = {str(name): frame[name] for name in frame.columns}
    if len(columns) < len(frame.columns):
        raise WaymarkError("two columns have the same name, rename one")
    geometry = getattr(frame, "_geometry_column_name", None)
    if geometry in columns:
        points = columns.pop(geometry)
        if not (points.geom_type == "Point").all():
            raise WaymarkError(f"column '{geometry}' has geometries other than points")
        if points.crs is not None:
            points = points.to_crs(4326)
        if "latitude" not in columns and "longitude" not in columns:
            columns["latitude"], columns["longitude"] = points.y, points.x
    if isinstance(frame.index, pandas.DatetimeIndex) and frame.index.name is None:
        # An index without a name is the time only if no column can be.
        if not any(map(pandas.api.types.is_datetime64_any_dtype, columns.values())):
            columns.setdefault("time", frame.index)
    # A level of the index with a name is a column like any other.
    for level, name in enumerate(frame.index.names):
        if name is not None:
            columns.setdefault(str(name), frame.index.get_level_values(level))
    arrays = {}
    for name, column in columns.items():
        try:
            arrays[name] = pa.array(column, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            # A column of other objects is used only if it is chosen; as text it names its row then.
            arrays[name] = pa.array([
                None if missing else str(value)
                for value, missing in zip(column, pandas.isna(column))], pa.string())
    return pa.table(arrays)


def _wrong(row: int, name: str, value: Any, expected: str) -> WaymarkError:
    return WaymarkError(f"row {row}, column '{name}': {value!r} is no {expected}")


def _column(table: pa.Table, index: int) -> "tuple[str, pa.ChunkedArray]":
    """A column and its name; text as such, not as views, which few functions of Arrow take."""
    name, column = table.column_names[index], table.column(index)
    if str(column.type) == "string_view":
        column = column.cast(pa.large_string())
    elif pa.types.is_dictionary(column.type) and str(column.type.value_type) == "string_view":
        column = pa.chunked_array([
            pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(pa.large_string()))
            for part in column.chunks], pa.dictionary(column.type.index_type, pa.large_string()))
    return name, column


def _joined(column: pa.ChunkedArray) -> pa.Array:
    """The column in one piece; a column that is one is not copied."""
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(
        column.chunks or [pa.array([], column.type)])


def _values(column: pa.ChunkedArray, unknown: Any) -> np.ndarray:
    """The values of a column, without a copy when all are known."""
    return _joined(pc.fill_null(column, unknown) if column.null_count else column).to_numpy()


def _numbers(table: pa.Table, found: dict) -> np.ndarray:
    name, column = _column(table, found["column"])
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        numbers = column.cast(pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        for row, value in enumerate(column.to_pylist()):
            try:
                float(value if value is not None else "nan")
            except (TypeError, ValueError):
                raise _wrong(row, name, value, "number") from None
        raise WaymarkError(f"column '{name}' of type {column.type} has no numbers") from error
    values = _values(numbers, float("nan"))
    if "absent" in found:
        values = np.where(values == found["absent"], np.nan, values)
    if found["factor"] != 1 or found["divisor"] != 1:
        values = values * found["factor"] / found["divisor"]
    return np.ascontiguousarray(values, np.float64)


def _devices(table: pa.Table, index: int) -> "tuple[np.ndarray, list[str]]":
    name, column = _column(table, index)
    if not len(column):
        return np.zeros(0, np.int32), []
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise _wrong(row, name, None, "device; fill it in or drop the row")
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = _joined(column.unify_dictionaries())
    names = [str(value) for value in column.dictionary.to_pylist()]
    devices = np.ascontiguousarray(column.indices.to_numpy(), np.int32)
    # A categorical column may have categories without a row.
    is_used = np.zeros(len(names), bool)
    is_used[devices] = True
    if not is_used.all():
        devices = (np.cumsum(is_used, dtype=np.int32) - 1)[devices]
        names = [each for each, used in zip(names, is_used) if used]
    if "" in names:
        row = int(np.flatnonzero(devices == names.index(""))[0])
        raise _wrong(row, name, "", "device; fill it in or drop the row")
    return devices, names


def _times(table: pa.Table, found: dict) -> np.ndarray:
    name, column = _column(table, found["column"])
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = _parsed(name, column)
    if pa.types.is_temporal(column.type):
        try:
            zone = getattr(column.type, "tz", None)
            times = column.cast(pa.timestamp("ns", zone)).cast(pa.int64())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise WaymarkError(f"column '{name}' has no times of 1678 to 2261: {error}") from None
        return np.ascontiguousarray(_values(times, NO_TIME), np.int64)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _counted(column, found["unit"])
    raise WaymarkError(f"column '{name}' of type {column.type} has no times")


def _parsed(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Times as text: RFC 3339, or without a zone in UTC."""
    for zone in ("UTC", None):
        try:
            return column.cast(pa.timestamp("ns", zone))
        except pa.ArrowInvalid:
            continue
    for row, value in enumerate(column.to_pylist()):
        if value is not None and not _is_time(value):
            raise _wrong(row, name, value, "time such as 2026-05-04T04:30:00Z")
    raise WaymarkError(f"column '{name}' has times with a zone and without one")


def _is_time(text: str) -> bool:
    for zone in ("UTC", None):
        try:
            pa.array([text]).cast(pa.timestamp("ns", zone))
            return True
        except pa.ArrowInvalid:
            continue
    return False


def _counted(column: pa.ChunkedArray, unit: int) -> np.ndarray:
    """Times as numbers since 1970: of a unit of so many nanoseconds, or of one that their size shows."""
    if pa.types.is_integer(column.type):
        whole = _values(column.cast(pa.int64()), NO_TIME)
        missing, rest = whole == NO_TIME, np.zeros(1)
    else:
        values = _values(column.cast(pa.float64()), float("nan"))
        missing = ~np.isfinite(values) | (np.abs(values) > 9.2e18)
        floor = np.floor(np.where(missing, 0, values))
        whole, rest = floor.astype(np.int64), np.where(missing, 0, values) - floor
    size = np.abs(np.where(missing, 0, whole))
    units = np.full(len(whole), unit, np.int64) if unit else np.select(
        [size < 10**12, size < 10**15, size < 10**18], [10**9, 10**6, 10**3], 1).astype(np.int64)
    missing = missing | (size > np.iinfo(np.int64).max // units - 1)
    times = np.where(missing, 0, whole) * units + np.rint(rest * units).astype(np.int64)
    return np.where(missing, NO_TIME, times)
