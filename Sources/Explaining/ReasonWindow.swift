package import EventLog
package import Tracking

/// Fixes of a device around some of its events, and the engine before them: enough to explain the events
/// later.
package struct ReasonWindow: Sendable {
  let device: String
  let start: Tracker
  let fixes: [Fix]
  /// The first fix whose events are meant; those before lead up to it.
  let first: Int
  package let eventCount: Int

  /// What `explain` says about the events.
  package var reasons: [Explanation] {
    let explainer = Explainer(device: device, fixes: fixes, rules: start.rules, start: start)
    return explainer.occurrences.filter { $0.number >= first }.compactMap(explainer.explain)
  }
}

/// Keeps the last fixes of a device, in blocks, for the windows of its events.
package struct ReasonRecorder: Sendable {
  let device: String
  /// The engine before each block that is kept: the last one, and one that leads up to it.
  private var engines: [Tracker] = []
  private var fixes: [Fix] = []
  private var eventCount = 0

  /// More than the fixes before an event that its explanation needs.
  private static let block = 64

  package init(device: String) { self.device = device }

  /// Begins the next block when the last one is full, whose window is given if it has events.
  ///
  /// - Parameter engine: The engine before the next fix.
  package mutating func prepare(_ engine: Tracker) -> ReasonWindow? {
    guard fixes.count == engines.count * Self.block else { return nil }
    let window = window
    eventCount = 0
    if engines.count == 2 {
      engines.removeFirst()
      fixes.removeFirst(Self.block)
    }
    engines.append(engine)
    return window
  }

  /// Adds a fix with the number of its events.
  package mutating func add(_ fix: Fix, eventCount: Int) {
    fixes.append(fix)
    self.eventCount += eventCount
  }

  /// The window of the last block; nil when it has no events.
  package var window: ReasonWindow? {
    window(from: (engines.count - 1) * Self.block, eventCount: eventCount)
  }

  /// Explains the events with these ids that were reported with the last fix, or in the silence before it.
  package func reasons(of ids: [EventID]) -> [Explanation] {
    guard let window = window(from: fixes.count - 1, eventCount: ids.count) else { return [] }
    return window.reasons.filter { reason in reason.id.map(ids.contains) ?? false }
  }

  private func window(from first: Int, eventCount: Int) -> ReasonWindow? {
    guard eventCount > 0, let start = engines.first else { return nil }
    return ReasonWindow(
      device: device, start: start, fixes: fixes, first: first, eventCount: eventCount)
  }
}
