"""Events of fleets on Spark 4.1 and later: tables by ``mapInArrow``, streams by ``transformWithState``.

>>> import waymark.spark
>>> waymark.spark.events(fixes, fences="fences.wmf")

Each executor needs this package, as it needs pyarrow; streams also need protobuf.
"""

from __future__ import annotations

import base64
import functools
import json
from dataclasses import dataclass, replace
from typing import Any, Iterator, Mapping, Optional

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.sql import DataFrame, Row, functions
from pyspark.sql.streaming import StatefulProcessor

from ._engine import Engine
from ._errors import WaymarkError
from ._fixes import fixes_in
from ._rules import Config, Fences, Source, source_of
from ._shipping import shipped
from ._spark_columns import FixColumns
from ._tables import table_of

__all__ = ["events"]


def events(
    df: DataFrame, *, fences: Any = None, config: Optional[Config] = None,
    columns: Optional[Mapping[str, str]] = None, sequence: Optional[str] = None,
    states: Optional[DataFrame] = None, keep_states: bool = False, counts: bool = False,
    partitions: Optional[int] = None, output: str = "table",
) -> DataFrame:
    """Plays the fixes of a DataFrame, and gives what happened as a DataFrame: a row for each event.

    ``fences``, ``config`` and ``columns`` are those of :func:`waymark.events`; a column with the
    device is needed. A file of compiled fences (``waymark compile``) is shipped with the job and
    mapped; so is a config file, which may include nothing by a relative path.

    The fixes of each device are sorted by time, then by the column ``sequence``, then by their
    values, so fixes that come in disorder or twice change nothing. ``partitions`` is the number of
    partitions of the result; Spark chooses it when it is missing.

    A streaming DataFrame gives a streaming result, with the state of each device in Spark's own
    state store, which must be RocksDB. There fixes are sorted within a micro-batch; with ``sequence``
    the fixes of a device that do not continue its last number are dropped as repeated.

    ``keep_states=True`` adds a row of type ``device-state`` for each device, with its state in the
    column ``deviceState``. ``states``, a DataFrame with the columns ``device`` and ``deviceState``,
    continues from there with the next part of the fixes. A stream keeps its states in its checkpoint.
    ``counts=True`` adds rows of type ``counts``, whose column ``counts`` says as JSON what became of
    the fixes of a partition, or of a device in a micro-batch.

    The result has the columns of :func:`waymark.events`, times in microseconds as all of Spark.
    ``output="log"`` gives one column, ``line``, with the lines of the event log and of ``waymark
    pipe --state inband``.
    """
    if output not in ("table", "log"):
        raise WaymarkError(f"output is {output!r}, expected table or log")
    if keep_states and df.isStreaming:
        raise WaymarkError(
            "keep_states is for tables: a stream keeps its states in its checkpoint")
    job = _Job(
        FixColumns.of(df, columns, sequence), shipped(df.sparkSession, source_of(fences, config)),
        _Form(output, keep_states, counts))
    if df.isStreaming:
        return _streamed(df, job, states)
    return _batch(df, job, states, partitions)


def _batch(
    df: DataFrame, job: "_Job", states: Optional[DataFrame], partitions: Optional[int]
) -> DataFrame:
    columns = job.columns
    fixes = df.select(*columns.selected())
    order = [functions.col("device")]
    if states is not None:
        fixes = fixes.unionByName(_states(states), allowMissingColumns=True)
        # The state of a device comes before its fixes.
        order.append(functions.col(_STATE).isNull())
    order += [functions.col(name).asc_nulls_first() for name in columns.order]
    keys: list = ["device"] if partitions is None else [partitions, "device"]
    return fixes.repartition(*keys).sortWithinPartitions(*order).mapInArrow(
        job.play, job.form.spark_schema)


def _streamed(df: DataFrame, job: "_Job", states: Optional[DataFrame]) -> DataFrame:
    provider = df.sparkSession.conf.get(_PROVIDER, "") or ""
    if not provider.endswith("RocksDBStateStoreProvider"):
        raise WaymarkError(
            f"the state store is {provider or 'that of HDFS'}, expected RocksDB: set {_PROVIDER} to "
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
    initial = None if states is None else _states(states).groupBy("device")
    return df.select(*job.columns.selected(plain=True)).groupBy("device").transformWithState(
        _Devices(job), job.form.spark_schema, outputMode="Append", timeMode="None",
        initialState=initial)


def _states(states: DataFrame) -> DataFrame:
    return states.select(
        functions.col("device").cast("string").alias("device"),
        functions.col(_STATE).cast("binary").alias(_STATE))


_PROVIDER = "spark.sql.streaming.stateStore.providerClass"

#: The column of states.
_STATE = "deviceState"


@dataclass(frozen=True)
class _Form:
    """The rows of the result."""

    output: str
    has_states: bool
    has_counts: bool

    @functools.cached_property
    def schema(self) -> pa.Schema:
        if self.output == "log":
            return pa.schema([pa.field("line", pa.string())])
        fields = [pa.field(field.name, _spark_type(field.type)) for field in _event_schema()]
        if self.has_states:
            fields.append(pa.field(_STATE, pa.binary()))
        if self.has_counts:
            fields.append(pa.field("counts", pa.string()))
        return pa.schema(fields)

    @property
    def spark_schema(self) -> str:
        return ", ".join(
            f"`{field.name}` {_SPARK_NAMES[field.type]}" for field in self.schema)

    @property
    def kind(self) -> str:
        """The kind of result of an engine."""
        return "log" if self.output == "log" else "arrow"

    def batch(self, events: Any) -> pa.RecordBatch:
        """The events of an engine."""
        if self.output == "log":
            lines = events.decode().split("\n")[:-1]
            return self._batch({"line": lines}, len(lines))
        columns = {
            field.name: events.column(field.name).cast(field.type, safe=False)
            for field in self.schema if field.name in events.column_names}
        return self._batch(columns, events.num_rows)

    def states(self, devices: "list[str]", states: "list[bytes]") -> pa.RecordBatch:
        if self.output == "log":
            return self._batch({"line": [
                json.dumps({"type": "device-state", "device": device,
                            "state": base64.b64encode(state).decode()},
                           separators=(",", ":"), ensure_ascii=False)
                for device, state in zip(devices, states)]}, len(devices))
        return self._batch(
            {"type": ["device-state"] * len(devices), "device": devices, _STATE: states},
            len(devices))

    def counts(self, counts: dict, device: Optional[str] = None) -> pa.RecordBatch:
        if self.output == "log":
            named = {"type": "counts", **({} if device is None else {"device": device}), **counts}
            return self._batch(
                {"line": [json.dumps(named, separators=(",", ":"), ensure_ascii=False)]}, 1)
        return self._batch(
            {"type": ["counts"], "device": [device], "counts": [json.dumps(counts)]}, 1)

    def _batch(self, columns: Mapping[str, Any], count: int) -> pa.RecordBatch:
        def array(field: pa.Field) -> pa.Array:
            values = columns.get(field.name)
            if values is None:
                return pa.nulls(count, field.type)
            if isinstance(values, pa.ChunkedArray):
                return values.combine_chunks()
            return pa.array(values, field.type)

        return pa.RecordBatch.from_arrays(
            [array(field) for field in self.schema], schema=self.schema)


_SPARK_NAMES = {
    pa.string(): "string", pa.float64(): "double", pa.int64(): "bigint", pa.bool_(): "boolean",
    pa.binary(): "binary", pa.timestamp("us", "UTC"): "timestamp",
}


def _spark_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", "UTC")
    if pa.types.is_dictionary(kind) or pa.types.is_large_string(kind):
        return pa.string()
    return kind


_NO_FIXES = pa.table({name: pa.array([], pa.float64()) for name in ("time", "lat", "lon")})


@functools.lru_cache(maxsize=None)
def _event_schema() -> pa.Schema:
    return Engine().feed(_NO_FIXES).schema


@dataclass(frozen=True)
class _Job:
    """What a task needs to know; it is sent to the executors."""

    columns: FixColumns
    source: Source
    form: _Form

    def engine(self) -> Engine:
        return Engine(fences=_fences(self.source))

    def feed(self, engine: Engine, fixes: pa.Table) -> pa.RecordBatch:
        """Plays fixes in their order, and gives the events."""
        read = table_of(self.columns.named(fixes))
        return self.form.batch(
            engine._fed(fixes_in(read, self.columns.found, ""), self.form.kind))

    def play(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Plays a partition, which has all fixes of its devices in order."""
        engine = self.engine()
        resumed: "set[str]" = set()
        for batch in batches:
            table = pa.Table.from_batches([batch])
            if _STATE in table.column_names:
                self._resume(engine, table.filter(pc.is_valid(table[_STATE])), resumed)
                table = table.filter(pc.is_null(table[_STATE])).drop_columns([_STATE])
            if table.num_rows:
                yield self.feed(engine, table)
        yield from self._rest(engine)

    def _resume(self, engine: Engine, states: pa.Table, resumed: "set[str]") -> None:
        for device, state in zip(
                states["device"].to_pylist(), states[_STATE].to_pylist()):
            if device in resumed:
                raise WaymarkError(f"device {device!r} has two states, expected one")
            resumed.add(device)
            engine.resume(device, state)

    def _rest(self, engine: Engine) -> Iterator[pa.RecordBatch]:
        """What a partition has besides events."""
        if self.form.has_states:
            for start in range(0, len(engine.devices), _STATES_AT_A_TIME):
                devices = engine.devices[start:start + _STATES_AT_A_TIME]
                yield self.form.states(devices, [engine.state(device) for device in devices])
        if self.form.has_counts:
            yield self.form.counts(_counts(engine))


_STATES_AT_A_TIME = 1_000


def _counts(engine: Engine) -> dict:
    """The counts without rows, which mean nothing after a shuffle."""
    counts = engine.counts
    counts["dropped"] = {
        reason: found["count"] for reason, found in counts["dropped"].items()}
    return counts


@functools.lru_cache(maxsize=8)
def _fences(source: Source) -> Fences:
    """The fences of a job, made once in each worker."""

    def fetched(name: Optional[str]) -> Optional[str]:
        return None if name is None else SparkFiles.get(name)

    return Fences(replace(
        source, path=fetched(source.path), compiled=fetched(source.compiled)))


class _Devices(StatefulProcessor):
    """A device of a stream: its state is that of its engine, and its last sequence number."""

    def __init__(self, job: _Job) -> None:
        self._job = job

    def init(self, handle: Any) -> None:
        self._kept = handle.getValueState("device", "state binary, sequence bigint")

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        self._kept.update((bytes(initialState[_STATE]), None))

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:
        job, device = self._job, _known(key[0], self._job.columns.names["device"])
        engine, last = job.engine(), None
        if self._kept.exists():
            kept = self._kept.get()
            last = kept[1]
            engine.resume(device, bytes(kept[0]))
        fixes, last, repeated = self._new(job.columns.table(list(rows)), last)
        batches = [job.feed(engine, fixes)] if fixes.num_rows else []
        if job.form.has_counts:
            batches.append(job.form.counts({**_counts(engine), "repeated": repeated}, device))
        if fixes.num_rows:
            self._kept.update((engine.state(device), last))
        make = Row(*job.form.schema.names)
        for batch in batches:
            for row in batch.to_pylist():
                yield make(*row.values())

    def _new(
        self, table: pa.Table, last: Optional[int]
    ) -> "tuple[pa.Table, Optional[int], int]":
        """The fixes that continue the last sequence number, the new one, and the count of others."""
        name = self._job.columns.sequence
        if name is None:
            return table, last, 0
        numbers = table["sequence"]
        if numbers.null_count:
            raise WaymarkError(f"column '{name}' has no number, expected one for each fix")
        new = table if last is None else table.filter(pc.greater(numbers, last))
        if new.num_rows:
            last = pc.max(new["sequence"]).as_py()
        return new, last, table.num_rows - new.num_rows


def _known(device: Any, name: str) -> str:
    if not device:
        raise WaymarkError(f"column '{name}': {device!r} is no device; fill it in or drop the row")
    return str(device)
