internal import Text
import Traces
import Tracking

/// Reads the times of a document, and notes what they lack.
///
/// KML allows a day, a month or a year in place of an instant (`xsd:date`, `gYearMonth`, `gYear`): they
/// are no times of fixes, and are counted. Seconds may be missing.
struct KMLTimes: Sendable {
  /// What the last time should have been; nil when it was valid, or empty.
  private(set) var problem: String?
  private var zoneNote = ZoneNote()
  private var dayCount = 0

  /// The instant, nil when there is none.
  mutating func instant(
    _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> Timestamp? {
    problem = nil
    if text.isEmpty { return nil }
    if let time = RFC3339.parse(text) ?? LooseTime.parse(text)?.time {
      zoneNote.look(at: text, into: &batch)
      return time
    }
    if Self.isDay(text) {
      dayCount += 1
    } else {
      problem = TimeText.expectation(for: text, "a time such as 2024-02-29T12:00:00Z")
    }
    return nil
  }

  /// Whether a time is only a day, a month or a year.
  private static func isDay(_ text: borrowing Span<UInt8>) -> Bool {
    guard [4, 7, 10].contains(text.count) else { return false }
    var whole: [UInt8] = []
    whole.append(text)
    whole += Array("2000-01-01T00:00:00Z".utf8).dropFirst(text.count)
    return RFC3339.parse(whole.span) != nil
  }

  /// Notes the times that are not used.
  func note(into batch: inout TraceBatch) {
    guard dayCount > 0 else { return }
    let times = dayCount == 1 ? "1 time is" : "\(dayCount) times are"
    batch.mark(
      .note("\(times) only a day, a month or a year; positions need a time of day, so not used"))
  }
}
