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
  /// The first and the last position.
  private var ends: [Fix] = []
  private var isPoint = false
  /// Invalid positions of the current geometry.
  private var invalidCount = 0
  private var line = 0

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

  /// What is wrong with the positions of the geometry that ends.
  mutating func takeProblem() -> String? {
    defer { invalidCount = 0 }
    return invalidCount == 0
      ? nil
      : "\(invalidCount) of the <coordinates> are not longitude,latitude,altitude; left out"
  }

  /// A position of two or three numbers.
  static func position(_ text: borrowing Span<UInt8>, separator: UInt8) -> Fix? {
    var fix = NDJSONRecord.blank
    var (start, count) = (0, 0)
    while start <= text.count {
      var end = start
      while end < text.count, text[end] != separator { end += 1 }
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
    guard begin != nil || end != nil else {
      if isPoint, ends.count == 1 {
        return batch.mark(.waypoint(first.coordinate, name: name))
      }
      for fix in ends { batch.mark(.routePoint(fix.coordinate)) }
      return
    }
    (first.time, last.time) = (begin ?? end, end)
    batch.points.append(TracePoint(fix: first, line: line))
    if end != nil, end != first.time {
      batch.points.append(TracePoint(fix: last, line: line))
    } else if ends.count == 2 {
      batch.mark(.routePoint(last.coordinate))
    }
  }
}
