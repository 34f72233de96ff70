#if WAYMARK_ARROW
  internal import CNanoarrow
  internal import Estimation
  internal import Geodesy
  internal import Text
  package import Traces

  /// The fixes of a record batch, until the reader reads on.
  ///
  /// It never changes, so several threads may append rows of it at once.
  package final class ArrowFixes {
    /// The number of rows.
    package let count: Int

    /// The number of the record batch, from 1.
    private let number: Int
    /// What the columns point into.
    private let body: ArrowMemory
    private let device: ArrowColumn?
    private let time: ArrowColumn?
    private let latitude: ArrowColumn?
    private let longitude: ArrowColumn?
    private let accuracy: ArrowColumn?
    private let speed: ArrowColumn?
    private let course: ArrowColumn?
    private let altitude: ArrowColumn?

    /// The columns of a batch whose buffers were checked.
    init(_ view: ArrowArrayView, _ columns: ArrowFixColumns, number: Int, body: ArrowMemory) {
      func column(_ field: ArrowFixField) -> ArrowColumn? {
        columns.place(of: field).flatMap { place in
          view.children[place.index].map { ArrowColumn($0.pointee, place.storage) }
        }
      }
      count = Int(view.length)
      self.number = number
      self.body = body
      (device, time) = (column(.device), column(.time))
      (latitude, longitude) = (column(.latitude), column(.longitude))
      (accuracy, speed) = (column(.accuracy), column(.speed))
      (course, altitude) = (column(.course), column(.altitude))
    }

    /// Appends the fixes of some rows; the line of a fix is the number of its row, from 1.
    package func append(
      _ rows: Range<Int>, _ names: inout DeviceTable, to batch: inout TraceBatch
    ) {
      for row in rows { append(row, &names, &batch) }
    }

    private func append(_ row: Int, _ names: inout DeviceTable, _ batch: inout TraceBatch) {
      guard let latitude = latitude?.number(row), let longitude = longitude?.number(row) else {
        let field = latitude?.number(row) == nil ? ArrowFixField.latitude : .longitude
        let message = "is null, expected decimal degrees; fill it in or drop the row"
        return report(message, field, row, .missingPosition, &batch)
      }
      var index: Int32?
      switch device?.name(row) {
      case .name(let name) where !name.isEmpty:
        index = names.index(of: name.span, in: &batch.devices)
      case .name, .unknown, nil: break
      case .noWord(let word):
        let message = "is the number \(word) of a dictionary that has no such text"
        return report(message, .device, row, .wrongValue, &batch)
      }
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      var fix = Fix(time: instant(row, &batch), coordinate: coordinate)
      // Below 0 is unknown, as in lines.
      if let value = accuracy?.number(row), value >= 0 { fix.horizontalAccuracy = value }
      if let value = speed?.number(row), value >= 0 { fix.speed = value }
      if let value = course?.number(row), value >= 0 { fix.course = value }
      if let value = altitude?.number(row) { fix.altitude = value }
      batch.points.append(TracePoint(fix: fix, line: row + 1, device: index))
    }

    /// The time of a row; nil when it is null or, which is reported, beyond what a time can be.
    private func instant(_ row: Int, _ batch: inout TraceBatch) -> Timestamp? {
      guard let time, let value = time.time(row) else { return nil }
      guard let nanoseconds = value.nanoseconds else {
        let message = "is \(value.count) since 1970, expected a time of the years 1678 to 2261"
        report(message, .time, row, .wrongTime, &batch)
        return nil
      }
      return Timestamp(nanoseconds: nanoseconds)
    }

    private func report(
      _ message: String, _ field: ArrowFixField, _ row: Int, _ code: IssueCode,
      _ batch: inout TraceBatch
    ) {
      let place = "record batch \(number), row \(row + 1): \(field.rawValue) "
      batch.mark(
        .issue(TraceIssue(.record, line: row + 1, column: 1, place + message, code: code)))
    }
  }
#endif
