import Geodesy
internal import Text
internal import Traces
import Tracking

/// Reads rows in the plain form of nearly all rows, directly from the bytes.
///
/// A plain row has as many cells as the header, no quotes, no blanks around values and only valid
/// values. ``CSVRecord`` and ``CSVRow`` handle all others.
struct CSVPlainRow: Sendable {
  /// What a cell is: a column without the texts for messages, which would be counted at every cell.
  private struct Cell {
    /// Nil for one that is not read.
    var field: FixField?
    var factor = 1.0
    var divisor = 1.0
    var absent = Double.nan
  }

  private let cells: [Cell]
  private let separator: UInt8

  /// Nil when no row is plain: a time in two cells is not, nor one among rows of other kinds.
  init?(_ header: CSVHeader) {
    guard !header.isIntertwined else { return nil }
    separator = header.separator
    cells = (0..<header.count).map { index in
      guard let column = header.columns.first(where: { $0.index == index }) else { return Cell() }
      return Cell(
        field: column.role.field, factor: column.unit.factor, divisor: column.unit.divisor,
        absent: column.absent)
    }
  }

  /// Reads the row at `start`; returns the start of the next one, nil when the row is not plain or
  /// not complete.
  func read(
    _ bytes: borrowing Span<UInt8>, from start: Int, line: Int, _ devices: inout DeviceTable,
    _ times: inout CSVTimes, into batch: inout TraceBatch
  ) -> Int? {
    var fix = NDJSONRecord.blank
    var (device, otherTime) = (0..<0, 0..<0)
    var at = start
    for index in cells.indices {
      if index > 0 {
        guard at < bytes.count, bytes[at] == separator else { return nil }
        at &+= 1
      }
      guard at < bytes.count else { return nil }
      let isEmpty = bytes[at] == separator || bytes[at] < 0x20
      let cell = cells[index]
      switch cell.field {
      case nil: at = cellEnd(bytes, at)
      case .device:
        device = at..<cellEnd(bytes, at)
        at = device.upperBound
      case let field? where isEmpty:
        guard field != .latitude, field != .longitude else { return nil }
      case .time:
        let first = at
        if let time = RFC3339.scan(bytes, &at) {
          fix.time = time
        } else {
          // Which hour it is of may depend on the device.
          at = cellEnd(bytes, first)
          otherTime = first..<at
        }
      case let field?:
        guard let number = DecimalNumber.scan(bytes, &at) else { return nil }
        guard number != cell.absent else { continue }
        guard fix.set(field, number * cell.factor / cell.divisor) else { return nil }
      }
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: "\r") { at &+= 1 }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\n"), at &- start < CSVRecord.maxLength,
      !isUnusual(bytes, device)
    else { return nil }
    var number: Int32?
    if !device.isEmpty, !CSVNumber.isAbsent(bytes.extracting(device)) {
      number = devices.index(of: bytes.extracting(device), in: &batch.devices)
    }
    if !otherTime.isEmpty {
      times.device = number
      guard let time = times.parse(bytes.extracting(otherTime)) else { return nil }
      fix.time = time
    }
    batch.points.append(TracePoint(fix: fix.estimatingAccuracy, line: line, device: number))
    return at &+ 1
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

  /// Whether a name is no text, begins or ends with a blank, or begins with an apostrophe, which may
  /// not be part of it.
  private func isUnusual(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard let first = name.first, let last = name.last else { return false }
    guard isText(bytes, name) else { return true }
    return bytes[first].isBlank || bytes[last].isBlank || bytes[first] == UInt8(ascii: "'")
  }

  /// Whether a name is UTF-8, as nearly every one is because it is ASCII.
  private func isText(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
    var (at, bits) = (name.lowerBound, UInt64(0))
    while at &+ 8 < name.upperBound {
      bits |= Bytes.word(bytes, at)
      at &+= 8
    }
    bits |= Bytes.word(bytes, at, count: name.upperBound &- at)
    guard bits & Bytes.highs != 0 else { return true }
    do {
      _ = try UTF8Span(validating: bytes.extracting(name))
      return true
    } catch {
      return false
    }
  }
}
