#if WAYMARK_ARROW
  package import EventLog
  internal import CNanoarrow

  /// Writes events as an Arrow IPC stream, in the columns that the C library gives.
  package final class ArrowEventWriter {
    private var writer = ArrowIpcWriter()
    /// In memory of its own, because the writer refers to it.
    private let buffer = UnsafeMutablePointer<ArrowBuffer>.allocate(capacity: 1)
    private var schema = ArrowSchema()

    package init() throws(ArrowStreamError) {
      buffer.initialize(to: ArrowBuffer())
      ArrowBufferInit(buffer)
      var stream = ArrowIpcOutputStream()
      try Nanoarrow.allocate(ArrowIpcOutputStreamInitBuffer(&stream, buffer))
      try Nanoarrow.allocate(ArrowIpcWriterInit(&writer, &stream))
      let columns = EventColumns.columns(of: [])
      ArrowSchemaInit(&schema)
      try Nanoarrow.allocate(ArrowSchemaSetTypeStruct(&schema, Int64(columns.count)))
      schema.flags = 0
      for (index, column) in columns.enumerated() {
        try Self.set(column, schema.children[index])
      }
    }

    deinit {
      if writer.private_data != nil { ArrowIpcWriterReset(&writer) }
      ArrowBufferReset(buffer)
      buffer.deallocate()
      if schema.release != nil { ArrowSchemaRelease(&schema) }
    }

    /// Appends the beginning of the stream, its schema.
    package func begin(to output: inout [UInt8]) throws(ArrowStreamError) {
      try Nanoarrow.call { ArrowIpcWriterWriteSchema(&writer, &schema, $0) }
      take(&output)
    }

    /// Appends a record batch of events, unless there are none.
    package func append(
      _ entries: [LogEntry], to output: inout [UInt8]
    ) throws(ArrowStreamError) {
      guard !entries.isEmpty else { return }
      var array = ArrowArray()
      try Nanoarrow.call { ArrowArrayInitFromSchema(&array, &schema, $0) }
      defer { ArrowArrayRelease(&array) }
      try Nanoarrow.allocate(ArrowArrayStartAppending(&array))
      for (index, column) in EventColumns.columns(of: entries).enumerated() {
        try Self.append(column, array.children[index])
      }
      array.length = Int64(entries.count)
      try Nanoarrow.call { ArrowArrayFinishBuildingDefault(&array, $0) }
      var view = ArrowArrayView()
      defer { ArrowArrayViewReset(&view) }
      try Nanoarrow.call { ArrowArrayViewInitFromSchema(&view, &schema, $0) }
      try Nanoarrow.call { ArrowArrayViewSetArray(&view, &array, $0) }
      try Nanoarrow.call { ArrowIpcWriterWriteArrayView(&writer, &view, $0) }
      take(&output)
    }

    /// Appends the end of the stream.
    package func end(to output: inout [UInt8]) throws(ArrowStreamError) {
      try Nanoarrow.call { ArrowIpcWriterWriteArrayView(&writer, nil, $0) }
      take(&output)
    }

    /// Moves what was written to the output.
    private func take(_ output: inout [UInt8]) {
      output.append(
        contentsOf: UnsafeRawBufferPointer(
          start: buffer.pointee.data, count: Int(buffer.pointee.size_bytes)))
      buffer.pointee.size_bytes = 0
    }

    /// Sets the name and the type of a column.
    private static func set(
      _ column: TableColumn, _ schema: UnsafeMutablePointer<ArrowSchema>?
    ) throws(ArrowStreamError) {
      ArrowSchemaInit(schema)
      switch column.kind {
      case .text, .word:
        try Nanoarrow.allocate(ArrowSchemaSetType(schema, NANOARROW_TYPE_LARGE_STRING))
      case .time:
        try Nanoarrow.allocate(
          ArrowSchemaSetTypeDateTime(
            schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_NANO, "UTC"))
      case .number: try Nanoarrow.allocate(ArrowSchemaSetType(schema, NANOARROW_TYPE_DOUBLE))
      case .count: try Nanoarrow.allocate(ArrowSchemaSetType(schema, NANOARROW_TYPE_INT64))
      case .flag: try Nanoarrow.allocate(ArrowSchemaSetType(schema, NANOARROW_TYPE_BOOL))
      }
      try Nanoarrow.allocate(ArrowSchemaSetName(schema, column.name))
    }

    /// Appends the values of a column.
    private static func append(
      _ column: TableColumn, _ array: UnsafeMutablePointer<ArrowArray>?
    ) throws(ArrowStreamError) {
      try column.bytes.span.withUnsafeBytes { bytes throws(ArrowStreamError) in
        for row in 0..<column.count {
          guard column.isKnown[row] else {
            try Nanoarrow.allocate(ArrowArrayAppendNull(array, 1))
            continue
          }
          switch column.kind {
          case .text, .word:
            let start = row == 0 ? 0 : column.ends[row - 1]
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<column.ends[row]])
            let view = ArrowBufferView(
              data: ArrowBufferViewData(data: text.baseAddress), size_bytes: Int64(text.count))
            try Nanoarrow.allocate(ArrowArrayAppendBytes(array, view))
          case .number: try Nanoarrow.allocate(ArrowArrayAppendDouble(array, column.numbers[row]))
          case .time, .count, .flag:
            try Nanoarrow.allocate(ArrowArrayAppendInt(array, column.integers[row]))
          }
        }
      }
    }
  }
#endif
