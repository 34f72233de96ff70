"""Streams from Spark's memory source: a micro-batch each time that rows are added."""

from fleet import CONFIG, parts

import waymark.spark


def memory_source(spark, schema):
    """A stream from memory, and a function that adds the rows of a table to it."""
    jvm = spark._jvm
    encoder = jvm.org.apache.spark.sql.Encoders.row(
        jvm.org.apache.spark.sql.types.DataType.fromJson(schema.json()))
    stream = jvm.org.apache.spark.sql.execution.streaming.runtime.MemoryStream.apply(
        encoder, spark._jsparkSession)

    def add(table):
        rows = spark.createDataFrame(table, schema)._jdf.collectAsList()
        stream.addData(jvm.PythonUtils.toSeq(rows))

    return type(spark.range(0))(stream.toDF(), spark), add


def test_rows_from_memory_give_the_events_of_one_process(spark, frame, fixes, expected, tmp_path):
    source, add = memory_source(spark, frame.schema)
    assert source.isStreaming
    events = waymark.spark.events(
        source, config=CONFIG, sequence="sequence", output="log")
    query = events.writeStream.format("memory").queryName("reported").option(
        "checkpointLocation", str(tmp_path / "checkpoint")).start()
    try:
        batches = list(parts(fixes))
        for part in batches:
            add(part[frame.columns])
            query.processAllAvailable()
    finally:
        query.stop()
    assert sorted(row.line for row in spark.table("reported").collect()) == expected
    # Each part was a micro-batch of its own, so states went from one to the next.
    assert len(list((tmp_path / "checkpoint" / "commits").glob("[0-9]*"))) >= len(batches)
