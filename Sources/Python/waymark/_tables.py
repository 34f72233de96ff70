"""Tables of any kind as columns of Arrow."""

from __future__ import annotations

import decimal
import functools
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._errors import WaymarkError


@dataclass(frozen=True)
class Table:
    """A table of any kind; a column becomes one of Arrow when it is used."""

    names: "list[str]"
    count: int
    #: The values of the column of a number.
    values: Callable[[int], Any]

    def column(self, index: int) -> "tuple[str, pa.ChunkedArray]":
        """The name of a column, and its values in a type that the functions of Arrow take."""
        name = self.names[index]
        try:
            column = self.values(index)
        except pa.ArrowException as error:
            raise WaymarkError(
                f"column '{name}' cannot be read, cast it to another type: {error}") from None
        if not isinstance(column, pa.ChunkedArray):
            column = _array(name, column)
        if isinstance(column, pa.Array):
            column = pa.chunked_array([column])
        if pa.types.is_run_end_encoded(column.type):
            column = pa.chunked_array(
                [pc.run_end_decode(part) for part in column.chunks], column.type.value_type)
        # Few functions take views of text.
        if str(column.type) == "string_view":
            column = column.cast(pa.large_string())
        elif pa.types.is_dictionary(column.type) and str(column.type.value_type) == "string_view":
            column = pa.chunked_array([
                pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(pa.large_string()))
                for part in column.chunks], pa.dictionary(column.type.index_type, pa.large_string()))
        return name, column

    def plain(self, index: int) -> "tuple[str, pa.ChunkedArray]":
        """The same, with the values of a dictionary in their rows."""
        name, column = self.column(index)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        return name, column


def wrong(row: int, name: str, value: Any, expected: str) -> WaymarkError:
    return WaymarkError(f"row {row}, column '{name}': {value!r} is no {expected}")


def family(table: Any, known: Any) -> Optional[str]:
    """The package of a table's class, or of the class that it is made of; None for one not known."""
    modules = (kind.__module__.split(".")[0] for kind in type(table).__mro__)
    return next((module for module in modules if module in known), None)


def table_of(table: Any) -> Table:
    if isinstance(table, Mapping):
        return _of_arrays(table)
    module = family(table, ("pandas", "geopandas", "polars"))
    if module in ("pandas", "geopandas") and hasattr(table, "columns"):
        return _of_pandas(table)
    if module == "polars" and hasattr(table, "to_series"):
        return Table(table.columns, table.height, lambda index: table.to_series(index).to_arrow())
    arrow = _arrow_table(table)
    return Table([str(name) for name in arrow.column_names], arrow.num_rows, arrow.column)


def _arrow_table(table: Any) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if hasattr(table, "__arrow_c_stream__"):
        try:
            return pa.table(table)
        except pa.ArrowException as error:
            raise WaymarkError(
                f"a table of type {type(table).__name__} cannot be read: {error}") from None
    for method in ("to_arrow_table", "fetch_arrow_table", "to_arrow"):
        if hasattr(table, method):
            return getattr(table, method)()
    advice = "; collect() gives its rows" if hasattr(table, "collect") else ""
    raise WaymarkError(
        f"a table of type {type(table).__name__} is not known, expected a DataFrame of pandas or "
        f"Polars, a table of pyarrow, a relation of DuckDB, or a dict of numpy arrays{advice}")


def _of_arrays(table: Mapping) -> Table:
    for name, values in table.items():
        is_array = hasattr(values, "__len__") and len(getattr(values, "shape", (0,))) == 1
        if isinstance(values, str) or not is_array:
            raise WaymarkError(f"column '{name}' is {values!r}, expected an array of one dimension or a list")
    lengths = {str(name): len(values) for name, values in table.items()}
    if len(set(lengths.values())) > 1:
        raise WaymarkError(f"the columns have different lengths: {lengths}")
    columns = list(table.values())
    return Table(
        [str(name) for name in table], next(iter(lengths.values()), 0), columns.__getitem__)


def _of_pandas(frame: Any) -> Table:
    import pandas

    names = [str(name) for name in frame.columns]
    columns: "list[Callable[[], Any]]" = [
        functools.partial(frame.iloc.__getitem__, (slice(None), index))
        for index in range(len(names))]
    geometry = getattr(frame, "_geometry_column_name", None)
    if geometry in names:
        del columns[names.index(geometry)]
        names.remove(geometry)
        if "latitude" not in names and "longitude" not in names:
            points = _points(geometry, frame[geometry])
            names += ["latitude", "longitude"]
            columns += [lambda: points.y, lambda: points.x]
    if isinstance(frame.index, pandas.DatetimeIndex) and frame.index.name is None:
        # An index without a name is the time only if no column can be.
        are_times = map(pandas.api.types.is_datetime64_any_dtype, frame.dtypes)
        if "time" not in names and not any(are_times):
            names.append("time")
            columns.append(lambda: frame.index)
    # A level of the index with a name is a column like any other.
    for level, name in enumerate(frame.index.names):
        if name is not None and str(name) not in names:
            names.append(str(name))
            columns.append(functools.partial(frame.index.get_level_values, level))
    return Table(names, len(frame), lambda index: columns[index]())


def _points(name: str, points: Any) -> Any:
    """The points of a column of geometries, in degrees on WGS 84."""
    kinds = points.geom_type.to_numpy()
    others = np.flatnonzero(kinds != "Point")
    if len(others):
        row = int(others[0])
        if kinds[row] is None or kinds[row] != kinds[row]:
            raise wrong(row, name, None, "point; fill it in or drop the row")
        raise WaymarkError(
            f"row {row}, column '{name}': found a {kinds[row]}, expected geometries that are points")
    return points if points.crs is None else points.to_crs(4326)


def _array(name: str, values: Any) -> Any:
    """Values as an array of Arrow; objects of several kinds as text, which names its row."""
    if isinstance(values, np.ndarray):
        values = _native(values)
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, UnicodeError):
        return pa.array(
            [_text(row, name, value) for row, value in enumerate(values)], pa.string())


def _native(values: np.ndarray) -> np.ndarray:
    """The values in the order of bytes of this machine; times in a unit that Arrow has."""
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind in "mM":
        unit, count = np.datetime_data(values.dtype)
        # Arrow has days of datetimes, not of timedeltas.
        if count != 1 or unit not in ("s", "ms", "us", "ns") and values.dtype != "datetime64[D]":
            kind = "timedelta64" if values.dtype.kind == "m" else "datetime64"
            return values.astype(f"{kind}[{'s' if unit in 'YMWDhms' else 'ns'}]")
    return values


def _text(row: int, name: str, value: Any) -> Optional[str]:
    if _is_missing(value):
        return None
    try:
        text = value.decode() if isinstance(value, bytes) else str(whole(value))
        text.encode()
    except UnicodeError:
        raise wrong(row, name, value, "text of UTF-8") from None
    return text


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:
        # The missing value of pandas is neither the same as itself nor another one.
        return True
    except ValueError:
        return False


def whole(value: Any) -> Any:
    """The whole number that a number is: 7 for 7.0."""
    if isinstance(value, (float, decimal.Decimal)) and value == value // 1:
        return int(value)
    return value
