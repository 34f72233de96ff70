"""Arrow streams in `waymark pipe`, which pyarrow writes and reads."""

import datetime
import io
import json
import os
import subprocess

import pyarrow as pa
import pyarrow.ipc
import pytest

UTC = datetime.timezone.utc
START = datetime.datetime(2026, 5, 4, 8, tzinfo=UTC)
CONFIG = """\
fences:
  - id: depot
    center: [52.5, 13.4]
    radius: 100
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    path = tmp_path_factory.mktemp("arrow") / "waymark.yaml"
    path.write_text(CONFIG)
    return path


def pipe(data, *arguments, code=0):
    result = subprocess.run(
        [os.environ["WAYMARK"], "pipe", *map(str, arguments)], input=data, capture_output=True,
        check=False, timeout=600)
    assert result.returncode == code, result.stderr.decode()
    return result.stdout, result.stderr.decode()


def fixes(devices=3, count=120):
    """Devices that pass through the depot, one after the other in each row."""
    rows = []
    for step in range(count):
        for device in range(devices):
            rows.append({
                "device": f"van {device}",
                "time": START + datetime.timedelta(seconds=5 * step, microseconds=device),
                "latitude": 52.5 + device * 1e-5,
                "longitude": 13.4 + (step * 50 - 3_000) / 67_700,
                "accuracy": 5.0 if step % 7 else None,
                "speed": 10.0 if step % 5 else None,
                "course": 90.0,
                "altitude": None if step % 3 else 40.5,
            })
    return rows


SCHEMA = pa.schema([
    ("device", pa.string()), ("time", pa.timestamp("us", "UTC")), ("latitude", pa.float64()),
    ("longitude", pa.float64()), ("accuracy", pa.float64()), ("speed", pa.float64()),
    ("course", pa.float64()), ("altitude", pa.float64())])


def table(rows, **types):
    fields = [pa.field(field.name, types.get(field.name, field.type)) for field in SCHEMA]
    plain = pa.Table.from_pylist(rows, SCHEMA)
    return pa.table(
        [plain[field.name].dictionary_encode().cast(field.type)
         if pa.types.is_dictionary(field.type) else plain[field.name].cast(field.type)
         for field in fields], pa.schema(fields))


def stream(table, chunk=50, **options):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=chunk)
    return sink.getvalue()


def lines(rows):
    # RFC 3339 with all microseconds.
    return "".join(
        json.dumps({"type": "fix"} | {
            key: value.isoformat().replace("+00:00", "Z") if key == "time" else value
            for key, value in row.items() if value is not None}) + "\n" for row in rows).encode()


def logged(events):
    """Rows of events as the log has them: without nulls, with times as texts."""
    rows = []
    for row in events.to_pylist():
        rows.append({key: str(value) if key in TIMES else value
                     for key, value in row.items() if value is not None})
    return rows


TIMES = ("time", "decided", "arrival", "departure")


@pytest.fixture(scope="module")
def expected(config):
    output, _ = pipe(lines(fixes()), "--config", config)
    assert output.count(b'"fence":"depot"') == 9
    return output


@pytest.mark.parametrize("types", [
    {}, {"time": pa.timestamp("ns", "UTC")}, {"time": pa.timestamp("us", "Europe/Berlin")},
    {"device": pa.large_string()},
    {"device": pa.dictionary(pa.int8(), pa.string())},
    {"device": pa.dictionary(pa.uint16(), pa.string())},
    {"device": pa.dictionary(pa.int32(), pa.large_string())},
], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_gives_the_events_of_its_lines(types, threads, config, expected):
    data = stream(table(fixes(), **types))
    output, errors = pipe(data, "--in", "arrow", "--config", config, "--threads", threads)
    assert output == expected
    assert json.loads(errors)["lines"] == len(fixes())


@pytest.mark.parametrize("unit", ["s", "ms"])
def test_coarser_units_of_time(unit, config):
    rows = [row | {"time": row["time"].replace(microsecond=0)} for row in fixes()]
    data = stream(table(rows, time=pa.timestamp(unit, "UTC")))
    assert pipe(data, "--in", "arrow", "--config", config)[0] == pipe(
        lines(rows), "--config", config)[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_events_come_as_a_stream_that_pyarrow_reads(threads, config, expected):
    data = stream(table(fixes()))
    output, _ = pipe(
        data, "--in", "arrow", "--format", "arrow", "--config", config, "--threads", threads)
    reader = pa.ipc.open_stream(output)
    events = reader.read_all()
    events.validate(full=True)
    assert events.schema.field("time").type == pa.timestamp("ns", "UTC")
    assert events.schema.field("interpolated").type == pa.bool_()
    rows = logged(events)
    log = [json.loads(line) for line in expected.splitlines()]
    assert [row["id"] for row in rows] == [row["id"] for row in log]
    assert [(row["type"], row["device"]) for row in rows] == [
        (row["type"], row["device"]) for row in log]
    same, _ = pipe(lines(fixes()), "--format", "arrow", "--config", config)
    # The record batches are others, as lines come in other parts.
    assert pa.ipc.open_stream(same).read_all() == events


def test_the_columns_are_those_of_the_package(config, expected):
    waymark = pytest.importorskip("waymark")
    output, _ = pipe(stream(table(fixes())), "--in", "arrow", "--format", "arrow", "--config", config)
    events = pa.ipc.open_stream(output).read_all()
    theirs = waymark.Engine(config=config).feed(table(fixes()))
    assert events.schema.names == theirs.schema.names
    assert events.schema.types == theirs.schema.types
    order = [("device", "ascending"), ("decided", "ascending"), ("id", "ascending")]
    assert events.sort_by(order).to_pylist() == theirs.sort_by(order).to_pylist()


def test_no_fixes_give_no_events(config):
    none = table([])
    for data in (stream(none), stream(none, chunk=None), empty_batches()):
        output, errors = pipe(data, "--in", "arrow", "--format", "arrow", "--config", config)
        assert pa.ipc.open_stream(output).read_all().num_rows == 0
        assert json.loads(errors)["fixes"] == 0


def empty_batches():
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, SCHEMA) as writer:
        for _ in range(3):
            writer.write_batch(pa.RecordBatch.from_pylist([], SCHEMA))
    return sink.getvalue()


@pytest.mark.parametrize("cut", ["schema", "header", "body"])
def test_a_stream_that_is_cut_off(cut, config, expected):
    data = stream(table(fixes()))
    # Without the mark of the end.
    first = stream(table(fixes()).slice(0, 50))[:-8]
    at = {"schema": 100, "header": len(first) + 40, "body": len(first) + 1_500}[cut]
    output, errors = pipe(data[:at], "--in", "arrow", "--config", config, code=65)
    if cut == "schema":
        assert "the stream ends in its schema" in errors
    else:
        assert "-:51:1: the stream ends in record batch 2," in errors
        assert "everything before it was read" in errors
        assert json.loads(errors.splitlines()[-1])["fixes"] == 50
    assert b'"type":"problem"' in output


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_compressed_batches_are_refused(codec, config):
    data = stream(table(fixes()), compression=codec)
    _, errors = pipe(data, "--in", "arrow", "--config", config, code=65)
    assert "record batch 1: it is compressed with " in errors


@pytest.mark.parametrize("types, fault", [
    ({"latitude": pa.float32()}, "column latitude is float, expected float64; cast it"),
    ({"time": pa.timestamp("us")}, "column time is timestamp('us', ''), expected timestamp with"),
    ({"time": pa.int64()}, "column time is int64, expected timestamp with a time zone"),
    ({"device": pa.binary()}, "column device is binary, expected utf8 or large_utf8"),
])
def test_columns_of_another_type_are_refused(types, fault, config):
    _, errors = pipe(stream(table(fixes(), **types)), "--in", "arrow", "--config", config, code=65)
    assert fault in errors


@pytest.mark.parametrize("change, fault", [
    (lambda table: table.rename_columns({"latitude": "lat"}),
     'column "lat" is not known; rename it or leave it out; there is no column latitude, expected'),
    (lambda table: table.drop_columns(["time"]), "there is no column time, expected timestamp"),
    (lambda table: table.append_column("device", table["device"]), "there are two columns device"),
    (lambda table: table.set_column(0, "device", table["device"].cast(pa.string_view())),
     "the schema cannot be read: Utf8View"),
])
def test_other_columns_are_refused(change, fault, config):
    _, errors = pipe(stream(change(table(fixes()))), "--in", "arrow", "--config", config, code=65)
    assert fault in errors


@pytest.mark.parametrize("grows", [False, True])
def test_a_dictionary_that_changes(grows, config):
    rows = sorted(fixes(), key=lambda row: row["device"])
    encoded = pa.dictionary(pa.int32(), pa.string())
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=grows)
    with pa.ipc.new_stream(sink, table([], device=encoded).schema, options=options) as writer:
        names = []
        for start in range(0, len(rows), 40):
            part = rows[start:start + 40]
            names += sorted({row["device"] for row in part} - set(names))
            words = names if grows else names[::-1]
            indices = pa.array([words.index(row["device"]) for row in part], pa.int32())
            device = pa.DictionaryArray.from_arrays(indices, pa.array(words))
            batch = table(part).to_batches()[0]
            writer.write_batch(batch.set_column(0, pa.field("device", encoded), device))
    output, errors = pipe(sink.getvalue(), "--in", "arrow", "--config", config, code=65 if grows else 0)
    if grows:
        assert "-:121:1: record batch 4: Dictionary concatenation is not yet supported" in errors
    else:
        assert output == pipe(lines(rows), "--config", config)[0]


def test_a_big_endian_stream_is_refused(config):
    # The vtable of the schema gets the field that pyarrow leaves out: it points at a 1 in the metadata.
    data = bytearray(stream(table(fixes()).replace_schema_metadata({"one": b"\1\0\1\0\1\0"})))
    start = 8

    def number(at, size):
        return int.from_bytes(data[at:at + size], "little", signed=size == 4)

    message = start + number(start, 4)
    header = message + number(message - number(message, 4) + 4 + 2 * 2, 2)
    schema = header + number(header, 4)
    vtable = schema - number(schema, 4)
    one = next(at for at in range(schema + 4, len(data), 2) if number(at, 2) == 1)
    assert number(vtable + 4, 2) == 0
    data[vtable + 4:vtable + 6] = (one - schema).to_bytes(2, "little")
    data[vtable + 2:vtable + 4] = (one - schema + 2).to_bytes(2, "little")
    _, errors = pipe(bytes(data), "--in", "arrow", "--config", config, code=65)
    assert "-:1:1: the values are big-endian, expected little-endian" in errors


def test_an_arrow_file_is_refused(config):
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, SCHEMA) as writer:
        writer.write_table(table(fixes()))
    _, errors = pipe(sink.getvalue(), "--in", "arrow", "--config", config, code=65)
    assert "the input is an Arrow file, expected an Arrow stream" in errors


def test_two_runs_over_the_halves_with_a_state(config, expected, tmp_path):
    rows, state = fixes(), tmp_path / "state"
    half = len(rows) // 2 + 1
    parts = [rows[:half], rows[half:]]
    outputs = [
        pipe(stream(table(part)), "--in", "arrow", "--config", config, "--state", state)[0]
        for part in parts]
    assert b"".join(outputs) == expected
    again, errors = pipe(
        stream(table(parts[1])), "--in", "arrow", "--config", config, "--state", state)
    assert again == outputs[1]
    assert "the last run with this state read this input too" in errors


def test_damaged_streams_end_with_an_error_and_never_with_a_signal(config):
    import random

    chance = random.Random(7)
    whole = stream(table(fixes(), device=pa.dictionary(pa.int8(), pa.string())))
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 4))):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
        result = subprocess.run(
            [os.environ["WAYMARK"], "pipe", "--in", "arrow", "--config", str(config)],
            input=bytes(data), capture_output=True, check=False, timeout=600)
        assert result.returncode in (0, 65), (result.returncode, result.stderr.decode())
