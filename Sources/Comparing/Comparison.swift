package import Tracking

/// What two event logs have in common, and what not.
///
/// Events are matched by subject (device, fence and kind) and by the nearest time, so that the whole
/// of a subject fits best (``TimeMatching``). Ids take no part: they follow from the times. An event
/// with a partner is the same if time, place, departure and the time of the report are; otherwise it
/// moved. Confidence and accuracy do not count.
package struct Comparison: Sendable {
  /// An event that only one log has, or that both have in different ways.
  package struct Difference: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
      case removed(ComparedEvent)
      case added(ComparedEvent)
      case moved(from: ComparedEvent, to: ComparedEvent)
    }

    package let subject: EventSubject
    package let change: Change

    /// The time in the first log, or in the second if only that has it.
    package var time: Timestamp {
      switch change {
      case .removed(let event), .added(let event), .moved(let event, _): event.time
      }
    }
  }

  /// Numbers of events.
  package struct Counts: Sendable, Hashable {
    package var added = 0
    package var removed = 0
    package var moved = 0
    package var same = 0

    static func + (a: Counts, b: Counts) -> Counts {
      Counts(
        added: a.added + b.added, removed: a.removed + b.removed, moved: a.moved + b.moved,
        same: a.same + b.same)
    }
  }

  /// In order of time, then of subject.
  package private(set) var differences: [Difference] = []
  /// The numbers of each fence, of visits, of significant changes and of statuses, in this order.
  package let groups: [(group: EventGroup, counts: Counts)]
  /// How much later than in the first log the events of both were reported, in seconds.
  package private(set) var delays: [Double] = []

  /// Compares two logs.
  ///
  /// - Parameter limit: Seconds; events further apart are different events.
  /// - Complexity: That of ``TimeMatching``, and O(n log n) for n events.
  package init(_ old: ComparedLog, _ new: ComparedLog, limit: Double) {
    var counts: [EventGroup: Counts] = [:]
    for subject in old.subjects.union(new.subjects).sorted() {
      let part = Part(old.events(of: subject), new.events(of: subject), limit: limit)
      counts[subject.group] = (counts[subject.group] ?? Counts()) + part.counts
      differences += part.changes.map { Difference(subject: subject, change: $0) }
      delays += part.delays
    }
    groups = counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    // Stable: differences of one time stay in the order of their subjects.
    differences.sort { $0.time < $1.time }
  }

  /// The numbers of all events.
  package var total: Counts { groups.reduce(Counts()) { $0 + $1.counts } }

  /// Whether there is no difference.
  package var isSame: Bool { differences.isEmpty }

  /// The comparison of one subject.
  private struct Part {
    var changes: [Difference.Change] = []
    var counts = Counts()
    var delays: [Double] = []

    init(_ old: [ComparedEvent], _ new: [ComparedEvent], limit: Double) {
      let matching = TimeMatching(
        old.map(Self.milliseconds), new.map(Self.milliseconds), limit: Int64(limit * 1e3))
      var (i, j) = (0, 0)
      for pair in matching.pairs + [(old.count, new.count)] {
        for event in old[i..<pair.old] { changes.append(.removed(event)) }
        for event in new[j..<pair.new] { changes.append(.added(event)) }
        counts.removed += pair.old - i
        counts.added += pair.new - j
        (i, j) = (pair.old + 1, pair.new + 1)
        if pair.old < old.count { take(old[pair.old], new[pair.new]) }
      }
    }

    private mutating func take(_ old: ComparedEvent, _ new: ComparedEvent) {
      if let first = old.decided, let second = new.decided {
        delays.append(second.seconds(since: first))
      }
      if old.isSame(as: new) {
        counts.same += 1
      } else {
        counts.moved += 1
        changes.append(.moved(from: old, to: new))
      }
    }

    /// The unit of the log's times; sums of nanoseconds could overflow.
    private static func milliseconds(_ event: ComparedEvent) -> Int64 {
      event.time.nanoseconds / 1_000_000
    }
  }
}
