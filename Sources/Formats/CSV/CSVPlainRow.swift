import Geodesy
internal import Text
internal import Traces
import Tracking

/// Reads rows in the plain form of nearly all rows, directly from the bytes.
///
/// A plain row has as many cells as the header, no quotes, no blanks around values and only valid
/// values. ``CSVRecord`` and ``CSVRow`` handle all others.
struct CSVPlainRow: Sendable {
  /// The field of each column, nil for an unused column.
  private let fields: [CSVHeader.Field?]
  private let separator: UInt8

  init(_ header: CSVHeader) {
    separator = header.separator
    fields = (0..<header.count).map { column in
      CSVHeader.Field.allCases.first { header.column(of: $0) == column }
    }
  }

  /// Reads the row at `start`; returns the start of the next one, nil when the row is not plain or
  /// not complete.
  func read(
    _ bytes: borrowing Span<UInt8>, from start: Int, line: Int, _ devices: inout DeviceTable,
    into batch: inout TraceBatch
  ) -> Int? {
    var fix = NDJSONRecord.blank
    var device = 0..<0
    var at = start
    for column in fields.indices {
      if column > 0 {
        guard at < bytes.count, bytes[at] == separator else { return nil }
        at &+= 1
      }
      guard at < bytes.count else { return nil }
      let isEmpty = bytes[at] == separator || bytes[at] < 0x20
      switch fields[column] {
      case nil: at = cellEnd(bytes, at)
      case .device:
        device = at..<cellEnd(bytes, at)
        at = device.upperBound
      case let field? where isEmpty:
        guard field != .latitude, field != .longitude else { return nil }
      case .time:
        guard let time = time(bytes, &at) else { return nil }
        fix.time = time
      case let field?:
        guard let number = DecimalNumber.scan(bytes, &at) else { return nil }
        fix.set(field, number)
      }
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: "\r") { at &+= 1 }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\n"), at &- start < CSVRecord.maxLength,
      !hasBlank(bytes, device)
    else { return nil }
    let number =
      device.isEmpty ? nil : devices.index(of: bytes.extracting(device), in: &batch.devices)
    batch.points.append(TracePoint(fix: fix, line: line, device: number))
    return at &+ 1
  }

  private func time(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Timestamp? {
    let start = at
    if let time = RFC3339.scan(bytes, &at) { return time }
    at = cellEnd(bytes, start)
    return TimeText.parse(bytes.extracting(start..<at))
  }

  /// The end of a cell: a separator, or a byte that the plain form excludes.
  @inline(__always)
  private func cellEnd(_ bytes: borrowing Span<UInt8>, _ start: Int) -> Int {
    var at = start
    let pattern = Bytes.ones &* UInt64(separator)
    while at &+ 8 <= bytes.count {
      let word = Bytes.word(bytes, at)
      let found =
        Bytes.equal(word, pattern) | Bytes.equal(word, Bytes.ones &* 0x22)
        | Bytes.equal(word, Bytes.ones &* 0x0A) | Bytes.equal(word, Bytes.ones &* 0x0D)
      if found != 0 { return at &+ found.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    while at < bytes.count, bytes[at] != separator, !Self.isSpecial(bytes[at]) { at &+= 1 }
    return at
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Whether a name begins or ends with a blank, which is not part of it.
  private func hasBlank(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard let first = name.first, let last = name.last else { return false }
    return bytes[first].isBlank || bytes[last].isBlank
  }
}

extension Fix {
  /// Stores the number of a column.
  @inline(__always)
  fileprivate mutating func set(_ field: CSVHeader.Field, _ value: Double) {
    switch field {
    case .latitude: coordinate.latitude = value
    case .longitude: coordinate.longitude = value
    case .accuracy: horizontalAccuracy = value
    case .speed: speed = value
    case .course: course = value
    case .altitude: altitude = value
    case .device, .time: break
    }
  }
}
