"""Tables that are given: of the kind of the table that was taken, or of the kind that is asked for."""

from __future__ import annotations

from typing import Any, Optional

import pyarrow as pa

from ._errors import WaymarkError
from ._tables import family

KINDS = ("pandas", "geopandas", "polars", "arrow")


def checked(output: Optional[str], *more: str) -> None:
    """Raises an error for a kind of table that there is not."""
    if output is not None and output not in KINDS + more:
        known = ", ".join(KINDS + more)
        raise WaymarkError(f"output is {output!r}, expected one of {known}")


def kind_of(table: Any) -> str:
    """The kind of result for a table."""
    return family(table, KINDS) or "arrow"


def result(table: pa.Table, kind: str) -> Any:
    if kind == "arrow":
        return table
    if kind == "polars":
        import polars

        return polars.from_arrow(table)
    frame = _pandas(table)
    if kind == "pandas":
        return frame
    import geopandas

    points = geopandas.points_from_xy(frame["longitude"], frame["latitude"])
    return geopandas.GeoDataFrame(frame, geometry=points, crs=4326)


def _pandas(table: pa.Table) -> Any:
    import pandas

    # Types of their own for flags and counts, because some of them are unknown.
    types = {pa.bool_(): pandas.BooleanDtype(), pa.int64(): pandas.Int64Dtype()}
    return table.to_pandas(types_mapper=types.get)
