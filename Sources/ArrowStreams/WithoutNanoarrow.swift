#if !WAYMARK_ARROW
  package import EventLog
  package import Traces

  /// The rows of a record batch, of which there are none without nanoarrow.
  package final class ArrowFixes {
    package let count = 0

    private init() {}

    package func append(
      _ rows: Range<Int>, _ names: inout DeviceTable, to batch: inout TraceBatch
    ) {}
  }

  /// Reports that nanoarrow is missing.
  package final class ArrowFixReader {
    package var batchCount: Int { 0 }
    package var isBegun: Bool { false }

    package init() throws(ArrowStreamError) { throw ArrowStreamError(ArrowSupport.missing) }

    package func next(_ bytes: borrowing Span<UInt8>) throws(ArrowStreamError) -> Step { .end(0) }
  }

  /// Reports that nanoarrow is missing.
  package final class ArrowEventWriter {
    package init() throws(ArrowStreamError) { throw ArrowStreamError(ArrowSupport.missing) }

    package func begin(to output: inout [UInt8]) throws(ArrowStreamError) {}
    package func append(
      _ entries: [LogEntry], to output: inout [UInt8]
    ) throws(ArrowStreamError) {}
    package func end(to output: inout [UInt8]) throws(ArrowStreamError) {}
  }
#endif
