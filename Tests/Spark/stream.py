"""The driver of a stream, which test_stream.py kills: stream.py FOLDER [finish]."""

import pathlib
import sys

from fleet import CONFIG, session, tapped

import waymark.spark


def main():
    folder = pathlib.Path(sys.argv[1])
    work = folder / "work"
    work.mkdir(exist_ok=True)
    spark = session(work)
    schema = spark.read.parquet(str(folder / "schema.parquet")).schema
    fixes = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(
        str(folder / "input"))
    events = waymark.spark.events(
        fixes, config=CONFIG, sequence="sequence", output="log",
        states=spark.read.parquet(str(folder / "states")))
    query = tapped(events, folder).writeStream.format("text").option(
        "checkpointLocation", str(folder / "checkpoint")).start(str(folder / "output"))
    if sys.argv[2:] != ["finish"]:
        query.awaitTermination(1_800)
        sys.exit("the stream was not killed")
    query.processAllAvailable()
    query.stop()
    # The sink's own list of files leaves out those of runs that were killed.
    lines = [row.value for row in spark.read.text(str(folder / "output")).collect()]
    (folder / "lines").write_text("".join(f"{line}\n" for line in lines))
    spark.stop()


if __name__ == "__main__":
    main()
