internal import EventLog
internal import Settings
internal import Text
internal import Tracking

/// An event that must be reported.
///
/// Only what is named is compared.
struct Expectation: Sendable {
  /// A value, and where it is written.
  struct Value<Content: Sendable>: Sendable {
    var content: Content
    var scalar: ConfigurationScalar
  }

  var place: ConfigurationPlace
  var pattern: EventPattern
  var time: Value<Timestamp>?
  var arrival: Value<Timestamp>?
  var departure: Value<Timestamp>?
  /// Seconds inside.
  var duration: Value<Double>?
  /// The least confidence.
  var confidence: Value<Double>?
  /// How far off times and durations may be, seconds.
  var within = Self.usualTolerance

  static let usualTolerance = 1.0

  /// The time by which the nearest event is found; nil when none is named.
  var when: Timestamp? { (time ?? arrival ?? departure)?.content }

  /// The time of an event that is compared with ``when``.
  func when(_ entry: LogEntry) -> Timestamp? {
    if time != nil { return entry.time }
    let visit = entry.event?.statement.visit
    return arrival != nil ? visit?.arrival : departure != nil ? visit?.departure : entry.time
  }

  func matches(_ entry: LogEntry) -> Bool {
    pattern.matches(entry) && differences(from: entry).isEmpty
  }

  /// Such as `exit office at 2026-05-04T09:56:03Z, after 3 h 57 min`, with the values as they are written.
  var words: String {
    let more = [
      arrival.map { "arrival \($0.scalar.text)" }, departure.map { "departure \($0.scalar.text)" },
      duration.map { "after \($0.scalar.text)" },
      confidence.map { "confidence \($0.scalar.text) or more" },
    ]
    let event = pattern.words + (time.map { " at \($0.scalar.text)" } ?? "")
    return ([event] + more.compactMap(\.self)).joined(separator: ", ")
  }

  // MARK: What differs

  /// A value of an event that is not the expected one.
  struct Difference {
    /// Such as `arrival 2026-05-04T06:00:10.000Z (+10 s)`.
    var words: String
    /// What would be right; nil when the event has no such value.
    var edit: ConfigurationEdit?
  }

  func differences(from entry: LogEntry) -> [Difference] {
    let statement = entry.event?.statement
    return [
      difference(nil, time, entry.time),
      difference("arrival", arrival, statement?.visit?.arrival),
      difference("departure", departure, statement?.visit?.departure),
      durationDifference(statement?.inside),
      confidenceDifference(statement?.confidence),
    ].compactMap(\.self)
  }

  /// - Parameter name: The name of the time; nil for that of the event.
  private func difference(
    _ name: String?, _ expected: Value<Timestamp>?, _ found: Timestamp?
  ) -> Difference? {
    guard let expected else { return nil }
    guard let found else { return Difference(words: "without \(name ?? "time")") }
    let off = found.seconds(since: expected.content)
    guard abs(off) > within else { return nil }
    let words = "\(Self.text(found)) (\(Self.signed(off)))"
    return Difference(
      words: name.map { "\($0) \(words)" } ?? words,
      edit: ConfigurationEdit(scalar: expected.scalar, text: Self.text(found, within: within)))
  }

  private func durationDifference(_ found: Double?) -> Difference? {
    guard let duration else { return nil }
    guard let found else { return Difference(words: "without duration") }
    let off = found - duration.content
    guard abs(off) > within else { return nil }
    let text =
      within >= 1
      ? Self.duration(Int(found.rounded()))
      : Readable.number(found, decimals: within < 0.001 ? 9 : 3) + " s"
    return Difference(
      words: "after \(Readable.duration(found)) (\(Self.signed(off)))",
      edit: ConfigurationEdit(scalar: duration.scalar, text: text))
  }

  private func confidenceDifference(_ found: Double?) -> Difference? {
    guard let confidence else { return nil }
    guard let found else { return Difference(words: "without confidence") }
    guard found < confidence.content else { return nil }
    let text = Readable.number((found * 1000).rounded(.down) / 1000, decimals: 3)
    return Difference(
      words: "confidence \(text)", edit: ConfigurationEdit(scalar: confidence.scalar, text: text))
  }

  // MARK: Text

  /// A time of the log.
  static func text(_ time: Timestamp) -> String {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    return text.span.string
  }

  /// A time that is right within a tolerance, with as few decimals as that allows.
  private static func text(_ time: Timestamp, within tolerance: Double) -> String {
    if tolerance < 1 {
      guard tolerance < 0.001 else { return text(time) }
      var exact: [UInt8] = []
      TimeText.appendExactly(time, to: &exact)
      return exact.span.string
    }
    let second = Int64(1_000_000_000)
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: second)
    let rounded = whole + (rest >= second / 2 ? 1 : rest < -second / 2 ? -1 : 0)
    return text(Timestamp(nanoseconds: rounded * second)).replacing(".000Z", with: "Z")
  }

  /// `3 h 56 min 36 s`.
  private static func duration(_ seconds: Int) -> String {
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    let named = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return named.isEmpty ? "0 s" : named.joined(separator: " ")
  }

  private static func signed(_ seconds: Double) -> String {
    (seconds < 0 ? "" : "+") + Readable.duration(seconds)
  }
}
