"""The columns of fixes in a DataFrame of Spark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, Row, functions
from pyspark.sql.types import (
    DateType, DoubleType, FloatType, NumericType, StringType, TimestampNTZType, TimestampType)

from ._errors import WaymarkError
from ._fixes import columns_of


@dataclass(frozen=True)
class FixColumns:
    """The columns of fixes: by their fields within Spark, by their own names for the engine."""

    #: The own names by field; they may have units.
    names: "dict[str, str]"
    #: What each of them means.
    found: "dict[str, dict]"
    sequence: Optional[str]
    #: The time is a timestamp, which Spark gives to Python as a local time.
    is_timestamp: bool
    #: The time is a number: since 1970, or of a day.
    is_number: bool

    @staticmethod
    def of(
        df: DataFrame, columns: Optional[Mapping[str, str]], sequence: Optional[str]
    ) -> "FixColumns":
        found = columns_of(df.columns, columns)
        names = {field: df.columns[found[field]["column"]] for field in _FIELDS if field in found}
        if "device" not in names:
            raise WaymarkError(
                "no column has the device; name it: columns={'device': …}, or add one")
        device = df.schema[names["device"]].dataType
        if isinstance(device, (DoubleType, FloatType)) or getattr(device, "scale", 0) > 0:
            raise WaymarkError(
                f"column '{names['device']}' has numbers with a point, expected text or whole "
                "numbers as devices: cast it to bigint")
        if sequence is not None and sequence not in df.columns:
            raise WaymarkError(f"there is no column {sequence!r} for the sequence")
        if sequence is not None and sequence in names.values():
            raise WaymarkError(f"column {sequence!r} cannot be the sequence: it has another use")
        kind = df.schema[names["time"]].dataType
        if isinstance(kind, StringType):
            raise WaymarkError(
                f"column '{names['time']}' is text, expected timestamps or numbers: see "
                "pyspark.sql.functions.to_timestamp")
        is_timestamp = isinstance(kind, TimestampType)
        if is_timestamp or isinstance(kind, (DateType, TimestampNTZType)):
            # The time is whole.
            names.pop("date", None)
        meanings = {
            field: {**found[field], "column": column} for column, field in enumerate(names)}
        return FixColumns(names, meanings, sequence, is_timestamp, isinstance(kind, NumericType))

    @property
    def order(self) -> "list[str]":
        """What the fixes of a device are sorted by."""
        rest = [field for field in self.names if field not in ("device", "date", "time")]
        date = ["date"] if "date" in self.names else []
        return [*date, "time", *([] if self.sequence is None else ["sequence"]), *rest]

    def selected(self, plain: bool = False) -> list:
        """The columns to select; plain ones can be read from rows."""
        return [self._column(field, plain).alias(field) for field in ["device", *self.order]]

    def _column(self, field: str, plain: bool) -> Any:
        name = self.sequence if field == "sequence" else self.names[field]
        column = functions.col("`" + str(name).replace("`", "``") + "`")
        if field == "device":
            return column.cast("string")
        if field == "sequence":
            return column.cast("bigint")
        if field == "date":
            if not self.is_number:
                return column.cast("string")
            # A time of more than six digits is whole, and its day is not needed.
            is_clock = functions.abs(self._column("time", plain)) < 1_000_000
            return functions.when(is_clock, column.cast("string"))
        return functions.unix_micros(column) if plain and self._is_shifted(field) else column

    def _is_shifted(self, field: str) -> bool:
        return field == "time" and self.is_timestamp

    def table(self, rows: "list[Row]") -> pa.Table:
        """The rows of a device in a micro-batch, in order."""
        table = pa.table({
            field: pa.array([row[field] for row in rows], pa.int64()).cast(pa.timestamp("us", "UTC"))
            if self._is_shifted(field) else pa.array([row[field] for row in rows])
            for field in ["device", *self.order]})
        keys = [(field, "ascending") for field in self.order
                if not pa.types.is_null(table.schema.field(field).type)]
        return table.take(pc.sort_indices(table, keys, null_placement="at_start"))

    def named(self, fixes: pa.Table) -> pa.Table:
        """The columns of the engine, with their own names."""
        return fixes.select(list(self.names)).rename_columns(list(self.names.values()))


_FIELDS = (
    "device", "time", "latitude", "longitude", "accuracy", "speed", "course", "hdop", "date",
    "latitudeHemisphere", "longitudeHemisphere", "validity", "kind",
)
