#if WAYMARK_ARROW
  import CNanoarrow
  import Formats
  import Geodesy
  import Tracking
  import Traces

  /// An Arrow IPC stream for tests, written by nanoarrow.
  struct ArrowSample {
    /// A column of one type.
    enum Column {
      case text([String?])
      case largeText([String?])
      case number([Double?])
      case float([Double?])
      case integer([Int64?])
      /// Times in a unit, with a zone.
      case time(ArrowTimeUnit, String, [Int64?])

      var count: Int {
        switch self {
        case .text(let values), .largeText(let values): values.count
        case .number(let values), .float(let values): values.count
        case .integer(let values), .time(_, _, let values): values.count
        }
      }
    }

    var columns: [(name: String, column: Column)]

    /// The fixes of lines of NDJSON.
    init(lines: String) {
      var batch = TraceBatch()
      var decoder = NDJSONDecoder()
      _ = decoder.decode(Array(lines.utf8).span, isFinal: true, into: &batch)
      let fixes = batch.points.map(\.fix)
      let devices = batch.points.map { $0.device.map { batch.devices[Int($0)] } }
      columns = [
        ("device", .text(devices)),
        ("time", .time(NANOARROW_TIME_UNIT_NANO, "UTC", fixes.map { $0.time?.nanoseconds })),
        ("latitude", .number(fixes.map(\.coordinate.latitude))),
        ("longitude", .number(fixes.map(\.coordinate.longitude))),
        ("accuracy", .number(fixes.map(\.horizontalAccuracy))),
        ("speed", .number(fixes.map(\.speed))), ("course", .number(fixes.map(\.course))),
        ("altitude", .number(fixes.map(\.altitude))),
      ]
    }

    init(_ columns: [(name: String, column: Column)]) { self.columns = columns }

    /// The columns that must be there.
    static func walk(
      times: [Int64?] = [1_741_593_600, 1_741_593_610], latitudes: [Double?] = [0, 0],
      longitudes: [Double?] = [0.01, 0]
    ) -> ArrowSample {
      ArrowSample([
        ("time", .time(NANOARROW_TIME_UNIT_SECOND, "UTC", times)),
        ("latitude", .number(latitudes)), ("longitude", .number(longitudes)),
      ])
    }

    /// The bytes of a stream, with so many rows in a record batch.
    func stream(rows: Int = .max, isEnded: Bool = true) -> [UInt8] {
      var (schema, writer, error) = (ArrowSchema(), ArrowIpcWriter(), ArrowError())
      let buffer = UnsafeMutablePointer<ArrowBuffer>.allocate(capacity: 1)
      buffer.initialize(to: ArrowBuffer())
      ArrowBufferInit(buffer)
      var output = ArrowIpcOutputStream()
      ArrowIpcOutputStreamInitBuffer(&output, buffer)
      ArrowIpcWriterInit(&writer, &output)
      ArrowSchemaInit(&schema)
      ArrowSchemaSetTypeStruct(&schema, Int64(columns.count))
      for (index, column) in columns.enumerated() {
        Self.set(column.column, schema.children[index])
        ArrowSchemaSetName(schema.children[index], column.name)
      }
      defer {
        ArrowIpcWriterReset(&writer)
        ArrowSchemaRelease(&schema)
        ArrowBufferReset(buffer)
        buffer.deallocate()
      }
      ArrowIpcWriterWriteSchema(&writer, &schema, &error)
      let count = columns.first?.column.count ?? 0
      for start in stride(from: 0, to: count, by: min(rows, max(count, 1))) {
        write(start..<min(start + min(rows, count), count), &schema, &writer)
      }
      if isEnded { ArrowIpcWriterWriteArrayView(&writer, nil, &error) }
      return Array(
        UnsafeRawBufferPointer(start: buffer.pointee.data, count: Int(buffer.pointee.size_bytes)))
    }

    private func write(
      _ rows: Range<Int>, _ schema: inout ArrowSchema, _ writer: inout ArrowIpcWriter
    ) {
      var (array, view, error) = (ArrowArray(), ArrowArrayView(), ArrowError())
      ArrowArrayInitFromSchema(&array, &schema, &error)
      ArrowArrayStartAppending(&array)
      for (index, column) in columns.enumerated() {
        for row in rows { Self.append(column.column, row, array.children[index]) }
      }
      array.length = Int64(rows.count)
      ArrowArrayFinishBuildingDefault(&array, &error)
      ArrowArrayViewInitFromSchema(&view, &schema, &error)
      ArrowArrayViewSetArray(&view, &array, &error)
      ArrowIpcWriterWriteArrayView(&writer, &view, &error)
      ArrowArrayViewReset(&view)
      ArrowArrayRelease(&array)
    }

    private static func set(_ column: Column, _ schema: UnsafeMutablePointer<ArrowSchema>?) {
      ArrowSchemaInit(schema)
      switch column {
      case .text: ArrowSchemaSetType(schema, NANOARROW_TYPE_STRING)
      case .largeText: ArrowSchemaSetType(schema, NANOARROW_TYPE_LARGE_STRING)
      case .number: ArrowSchemaSetType(schema, NANOARROW_TYPE_DOUBLE)
      case .float: ArrowSchemaSetType(schema, NANOARROW_TYPE_FLOAT)
      case .integer: ArrowSchemaSetType(schema, NANOARROW_TYPE_INT64)
      case .time(let unit, let zone, _):
        ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, unit, zone)
      }
    }

    private static func append(
      _ column: Column, _ row: Int, _ array: UnsafeMutablePointer<ArrowArray>?
    ) {
      switch column {
      case .text(let values), .largeText(let values):
        guard let text = values[row] else { break }
        ArrowArrayAppendString(array, ArrowCharView(text))
        return
      case .number(let values), .float(let values):
        guard let number = values[row] else { break }
        ArrowArrayAppendDouble(array, number)
        return
      case .integer(let values), .time(_, _, let values):
        guard let integer = values[row] else { break }
        ArrowArrayAppendInt(array, integer)
        return
      }
      ArrowArrayAppendNull(array, 1)
    }
  }
#endif
