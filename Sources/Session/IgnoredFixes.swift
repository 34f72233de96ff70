internal import Geodesy
internal import Text
internal import Traces
internal import Tracking

/// The positions in a row that the engine did not use, and why.
package struct IgnoredFixes: Sendable, Hashable {
  /// How many there are; 0 when the last one was used.
  package private(set) var count = 0
  /// Why the first of them was not used, in words.
  private var why = ""

  /// One or two are nothing unusual.
  private static let limit = 3

  /// Why positions are ignored, in words; nil while they are used.
  package var reason: String? { count >= Self.limit ? why : nil }

  /// Notes what became of a fix.
  ///
  /// - Returns: what is to be reported: that positions are ignored from now on, or used again.
  /// - Parameters:
  ///   - defect: Why it was dropped; nil when it was used, or waits for the next.
  ///   - last: The time of the last fix that was used.
  @discardableResult
  mutating func note(_ fix: borrowing Fix, _ defect: Defect?, last: Timestamp?) -> SourceChange? {
    switch defect {
    case .outOfOrder, .sameTime, .invalid, .coarse: break
    // What has no time or no position has a status of its own; a repetition says nothing new.
    case .timeless, .withoutPosition, .duplicate: return nil
    case nil, .teleport, .clockJump:
      if last == fix.time { return end(at: fix.time) }
      // It was put in order, or waits.
      if count < Self.limit { count = 0 }
      return nil
    }
    count += 1
    if count == 1, let defect {
      why = Self.text(defect, fix.time, last)
    }
    guard count == Self.limit else { return nil }
    return SourceChange(.ignoring, time: fix.time, reason: why)
  }

  private mutating func end(at time: Timestamp?) -> SourceChange? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    guard count >= Self.limit else { return nil }
    return SourceChange(.fix, time: time)
  }

  private static func text(_ defect: Defect, _ time: Timestamp?, _ last: Timestamp?) -> String {
    guard defect == .outOfOrder, let last, let time else { return defect.explanation }
    let lag = last.seconds(since: time)
    // It is earlier than a fix that waits.
    guard lag > 0 else { return defect.explanation }
    return "clock went back \(Readable.duration(lag < 3_600 ? lag : (lag / 60).rounded() * 60))"
  }
}
