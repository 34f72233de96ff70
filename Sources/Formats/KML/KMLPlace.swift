import Geodesy
internal import Text
import Traces
import Tracking

/// A Placemark: its name, its time, and the ends of its geometries.
struct KMLPlace: Sendable {
  var name: String?
  /// The time of a point, or of the first one.
  var begin: Timestamp?
  var end: Timestamp?
  /// The device, as an index into ``TraceBatch/devices``; nil when the place names none.
  var device: Int32?
  /// The first and the last position.
  private var ends: [Fix] = []
  private var isPoint = false
  /// Whether the receiver had a fix there, by a value of Garmin's satellite messengers.
  private var isFix = true
  /// Whether it says when it was decided, as a point of an event log does.
  private var isEvent = false
  /// Invalid positions of the current geometry.
  private var invalidCount = 0
  private var line = 0
  /// A fix with the values that stand beside the place.
  private var values = NDJSONRecord.blank
  /// The names of the values that are not read.
  private(set) var unreadNames: [String] = []

  mutating func beginGeometry(isPoint: Bool, line: Int) {
    if ends.isEmpty { (self.isPoint, self.line) = (isPoint, line) }
  }

  /// Reads positions as far as they are certain to be complete.
  ///
  /// - Returns: the number of bytes read.
  mutating func addPositions(
    _ text: borrowing Span<UInt8>, isWhole: Bool, into batch: inout TraceBatch
  ) -> Int {
    var (at, start) = (0, 0)
    while true {
      while at < text.count, isXMLSpace(text[at]) { at += 1 }
      start = at
      while at < text.count, !isXMLSpace(text[at]) { at += 1 }
      guard start < at else { return at }
      if at == text.count, !isWhole { return start }
      if let fix = Self.position(text.extracting(start..<at), separator: UInt8(ascii: ",")) {
        add(fix, into: &batch)
      } else {
        invalidCount += 1
      }
    }
  }

  private mutating func add(_ fix: Fix, into batch: inout TraceBatch) {
    if ends.count == 2, let between = ends.popLast() {
      batch.mark(.routePoint(between.coordinate))
    }
    ends.append(fix)
  }

  /// Adds a value that stands beside the place: a number, perhaps with its unit, as `3.5 km/h`.
  ///
  /// The time of a place without a time of its own may be one.
  mutating func addValue(_ name: String, _ text: borrowing Span<UInt8>) {
    let column = CSVColumnName(name)
    if column.key == "validgpsfix" {
      isFix = text.extracting(text.trimmed(0..<text.count)).string.lowercased() != "false"
      return
    }
    if column.key == "decided",
      TimeText.parse(text.extracting(text.trimmed(0..<text.count))) != nil
    {
      isEvent = true
    }
    guard let meaning = column.meaning else { return unreadNames.append(name) }
    let role = meaning.role
    if role == .time {
      var times = CSVTimes(form: .automatic, zone: nil)
      values.time = values.time ?? times.parse(text.extracting(text.trimmed(0..<text.count)))
      return
    }
    guard role.field.isNumber, role != .latitude, role != .longitude else { return }
    let range = text.trimmed(0..<text.count)
    var at = range.lowerBound
    guard let number = DecimalNumber.scan(text, &at) else { return }
    let rest = text.extracting(text.trimmed(at..<range.upperBound)).string
    let unit =
      rest.isEmpty
      ? meaning.unit
      : CSVUnit(written: rest.prefix { $0 != " " }, of: role)
    guard let unit, values.set(role.field, number * unit.factor / unit.divisor) else {
      return unreadNames.append(name)
    }
  }

  /// A fix with the values that stand beside it.
  private func withValues(_ fix: Fix) -> Fix {
    var merged = values
    (merged.time, merged.coordinate) = (fix.time, fix.coordinate)
    merged.altitude = fix.altitude ?? values.altitude
    return merged
  }

  /// What is wrong with the positions of the geometry that ends.
  mutating func takeProblem() -> String? {
    defer { invalidCount = 0 }
    return invalidCount == 0
      ? nil
      : "\(invalidCount) of the <coordinates> are not longitude,latitude,altitude; left out"
  }

  /// A position of two or three numbers; a blank as the separator is any white space.
  static func position(_ text: borrowing Span<UInt8>, separator: UInt8) -> Fix? {
    var fix = NDJSONRecord.blank
    let isBlank = separator == UInt8(ascii: " ")
    var (start, count) = (0, 0)
    while start <= text.count {
      if isBlank {
        while start < text.count, isXMLSpace(text[start]) { start += 1 }
        if start == text.count, count > 0 { break }
      }
      var end = start
      while end < text.count, text[end] != separator, !isBlank || text[end] > separator {
        end += 1
      }
      guard count < 3, let number = DecimalNumber.parse(text.extracting(start..<end)) else {
        return nil
      }
      switch count {
      case 0: fix.coordinate.longitude = number
      case 1: fix.coordinate.latitude = number
      default: fix.altitude = number
      }
      (start, count) = (end + 1, count + 1)
    }
    return count > 1 ? fix : nil
  }

  /// Emits the fixes at the times, and what is planned.
  mutating func finish(into batch: inout TraceBatch) {
    guard var first = ends.first, var last = ends.last else { return }
    let isOnePoint = isPoint && ends.count == 1
    guard isFix && !isEvent || !isOnePoint else { return batch.mark(.otherRecord) }
    let begin = begin ?? (isOnePoint && end == nil ? values.time : nil)
    if isOnePoint { (first, last) = (withValues(first), withValues(last)) }
    guard begin != nil || end != nil else {
      if isOnePoint {
        return batch.mark(.waypoint(first.coordinate, name: name))
      }
      for fix in ends { batch.mark(.routePoint(fix.coordinate)) }
      return
    }
    (first.time, last.time) = (begin ?? end, end)
    batch.points.append(TracePoint(fix: first, line: line, device: device))
    if end != nil, end != first.time {
      batch.points.append(TracePoint(fix: last, line: line, device: device))
    } else if ends.count == 2 {
      batch.mark(.routePoint(last.coordinate))
    }
  }
}
