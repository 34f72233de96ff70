internal import EventLog
package import Tracking

/// The recording of one device, played so that its events can be explained.
///
/// It is played once as a whole. What is explained is played again from a checkpoint before it, on a copy
/// of the engine whose states are read between the fixes: the engine itself knows nothing of it.
package struct Explainer: Sendable {
  /// An event, and the fix with which it was reported.
  package struct Occurrence: Sendable, Hashable {
    package var event: Event
    /// The number of the fix.
    package var number: Int
  }

  package let device: String
  package let rules: Rules
  /// All fixes, in the order of the recording.
  package let fixes: [Fix]
  /// All events, in the order of the log.
  package private(set) var occurrences: [Occurrence] = []
  /// The engine before each block of fixes.
  private var checkpoints: [Tracker] = []
  private static let block = 128

  /// Plays a recording, or a part of it with the engine that was before.
  package init(device: String, fixes: [Fix], rules: Rules, start: Tracker? = nil) {
    (self.device, self.fixes, self.rules) = (device, fixes, rules)
    var tracker = start ?? Tracker(rules: rules)
    var events: [Event] = []
    for (number, fix) in fixes.enumerated() {
      if number % Self.block == 0 { checkpoints.append(tracker) }
      tracker.ingest(fix, into: &events)
      occurrences += events.map { Occurrence(event: $0, number: number) }
      events.removeAll(keepingCapacity: true)
    }
  }

  /// How the fixes with these numbers were judged.
  func judgements(_ range: Range<Int>) -> [Judgement] {
    guard let first = range.first else { return [] }
    var tracker = checkpoints[first / Self.block]
    var events: [Event] = []
    for number in first / Self.block * Self.block..<first {
      tracker.ingest(fixes[number], into: &events)
      events.removeAll(keepingCapacity: true)
    }
    return range.flatMap { tracker.judge(fixes[$0]) }
  }

  /// The numbers from the first to the last fix of a time span, widened by some fixes on either side;
  /// empty when the recording has no fix at all.
  func range(from: Timestamp, until: Timestamp, around count: Int) -> Range<Int> {
    guard !fixes.isEmpty else { return 0..<0 }
    let first = fixes.firstIndex { $0.time.map { $0 >= from } ?? false } ?? fixes.count
    let last = fixes.lastIndex { $0.time.map { $0 <= until } ?? false } ?? -1
    return max(0, min(first, last + 1) - count)..<min(fixes.count, max(last + 1, first) + count)
  }

  /// The times of the earliest and the latest fix; nil when none has a time.
  package var span: ClosedRange<Timestamp>? {
    let times = fixes.lazy.compactMap(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }

  /// The entry of the event log for an event.
  func entry(_ event: Event) -> LogEntry { LogEntry(device: device, .event(event)) }
}
