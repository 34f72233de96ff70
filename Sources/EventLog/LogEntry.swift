package import Geodesy
package import Tracking

/// One record of the event log.
package struct LogEntry: Sendable, Hashable {
  /// The content of an entry.
  package enum Content: Sendable, Hashable {
    /// An event of the engine.
    case event(Event)
    /// A fix as the source reported it.
    case fix(Fix)
    /// A problem with the input.
    case problem(Problem)
    /// The source was lost, or is back.
    case status(Status)
  }

  /// A loss or a return of the source.
  package struct Status: Sendable, Hashable {
    /// What holds from then on: a word of the status file.
    package var word: String
    /// When; nil when no time was known yet.
    package var time: Timestamp?
    /// How long there was no position until then, seconds; nil when there was none before.
    package var duration: Double?
    /// Why; nil when the word says it all.
    package var reason: String?
    /// Which change it is among those without a time; nil when it is known by its time alone.
    package var occurrence: UInt64?

    package init(
      word: String, time: Timestamp? = nil, duration: Double? = nil, reason: String? = nil,
      occurrence: UInt64? = nil
    ) {
      (self.word, self.time, self.duration, self.reason) = (word, time, duration, reason)
      self.occurrence = occurrence
    }

    /// The time, or a number in its place.
    fileprivate var identity: Timestamp {
      time ?? occurrence.map { Timestamp(nanoseconds: Int64(bitPattern: $0)) } ?? .distantPast
    }
  }

  /// A problem with the input.
  package struct Problem: Sendable, Hashable {
    /// Time of the affected fix, nil without a fix or time.
    package var time: Timestamp?
    /// Trace time of the report, nil before the first fix.
    package var decided: Timestamp?
    /// What is wrong, and where (path, line and column): the same in every run, because the id is
    /// computed from it.
    package var message: String

    package init(message: String, time: Timestamp? = nil, decided: Timestamp? = nil) {
      self.message = message
      self.time = time
      self.decided = decided
    }
  }

  /// The device; for a problem without a device, the path.
  package var device: String
  /// The content.
  package var content: Content
  /// The name of a stay's place; nil when it is unknown.
  package var place: String?

  package init(device: String, _ content: Content) {
    self.device = device
    self.content = content
  }
}

extension LogEntry {
  /// The types of entries; the raw value is the type's name in the log.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case enter, exit, dwell, state, visit
    case significantChange = "significant-change"
    case fix, problem, status

    /// The kinds of a recorded track: what became of the source belongs to a live run.
    package static let ofTracks = Set(allCases).subtracting([.fix, .status])

    /// The raw value, for the log.
    var word: StaticString {
      switch self {
      case .enter: "enter"
      case .exit: "exit"
      case .dwell: "dwell"
      case .state: "state"
      case .visit: "visit"
      case .significantChange: "significant-change"
      case .fix: "fix"
      case .problem: "problem"
      case .status: "status"
      }
    }
  }

  /// The type of the entry.
  package var kind: Kind {
    switch content {
    case .event(let event): event.statement.kind
    case .fix: .fix
    case .problem: .problem
    case .status: .status
    }
  }

  /// The id; fixes have no id.
  package var id: EventID? {
    switch content {
    case .event(let event):
      EventID(
        device: device, kind: kind, fence: event.statement.fence ?? "",
        time: event.statement.visit?.arrival ?? event.time)
    case .fix: nil
    case .problem(let problem): EventID(device: device, problem: problem.message)
    case .status(let status):
      EventID(device: device, kind: kind, fence: status.word, time: status.identity)
    }
  }

  /// When it happened.
  package var time: Timestamp? {
    switch content {
    case .event(let event): event.time
    case .fix(let fix): fix.time
    case .problem(let problem): problem.time
    case .status(let status): status.time
    }
  }

  /// The trace time of the decision; fixes have none.
  package var decided: Timestamp? { event?.decided ?? problem?.decided ?? status?.time }

  /// Where it happened.
  package var coordinate: Coordinate? {
    switch content {
    case .event(let event): event.coordinate
    case .fix(let fix): fix.coordinate
    case .problem, .status: nil
    }
  }

  package var event: Event? {
    if case .event(let event) = content { event } else { nil }
  }

  package var fix: Fix? {
    if case .fix(let fix) = content { fix } else { nil }
  }

  package var problem: Problem? {
    if case .problem(let problem) = content { problem } else { nil }
  }

  package var status: Status? {
    if case .status(let status) = content { status } else { nil }
  }
}

extension Event.Statement {
  /// The type of the log entry.
  var kind: LogEntry.Kind {
    switch self {
    case .enter: .enter
    case .exit: .exit
    case .dwell: .dwell
    case .state: .state
    case .visit: .visit
    case .significantChange: .significantChange
    }
  }

  /// The fence of the event.
  package var fence: String? {
    switch self {
    case .enter(let fence, _), .exit(let fence, _, _), .dwell(let fence, _),
      .state(let fence, _, _):
      fence
    case .visit, .significantChange: nil
    }
  }

  /// How the edge was crossed, for events with a crossing.
  package var crossing: Crossing? {
    switch self {
    case .enter(_, let crossing), .exit(_, let crossing, _): crossing
    case .dwell, .state, .visit, .significantChange: nil
    }
  }

  /// Seconds inside so far.
  package var inside: Double? {
    switch self {
    case .exit(_, _, let inside), .dwell(_, let inside): inside
    case .enter, .state, .visit, .significantChange: nil
    }
  }

  /// The side on which the device was first observed.
  package var containment: Containment? {
    if case .state(_, let containment, _) = self { containment } else { nil }
  }

  /// The visit of the event.
  package var visit: Visit? {
    if case .visit(let visit) = self { visit } else { nil }
  }

  /// Probability that the event is correct.
  package var confidence: Double? {
    switch self {
    case .enter(_, let crossing), .exit(_, let crossing, _): crossing.confidence
    case .state(_, _, let confidence): confidence
    case .visit(let visit): visit.confidence
    case .dwell, .significantChange: nil
    }
  }
}
