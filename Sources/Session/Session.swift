package import EventLog
package import Traces
package import Tracking

/// The engine for replay and live alike: inputs go in, entries of the event log come out, and
/// everything is counted.
package struct Session {
  /// Paths of the sources, for messages.
  package var sources: [String] = []
  /// Those of which a place is a byte, not a line.
  package var binarySources: Set<Int> = []
  package private(set) var totals = SessionTotals()
  /// The kinds of entries to give.
  private let kinds: Set<LogEntry.Kind>
  /// Needed at every fix, and faster than the set.
  package let wantsFixes: Bool
  /// Whether it is noted which positions are not used.
  private let watchesUse: Bool
  /// The positions that were not used lately, by device.
  private var ignored: [IgnoredFixes] = []
  /// Names the places of stays; nil for no names.
  package var names: (any PlaceNamer)?
  private var fleet: Fleet
  /// The engines of a recording that is known to its end, by device; nil for those of the fleet.
  private var hindsight: [HindsightTracker]?
  private var events: [Event] = []
  /// The fences that fixes place; nil without any.
  package internal(set) var anchors: AnchorWatch?

  /// Makes a session that gives entries of these kinds.
  ///
  /// - Parameters:
  ///   - hindsight: Whether each event is decided with the fixes before and after it. Then the session
  ///     cannot be resumed, no device has a deadline, and ``finish(_:into:)`` ends a device.
  ///   - watchesUse: Whether ``ignored(of:)`` is kept, even if no entry needs it.
  package init(
    rules: Rules, kinds: Set<LogEntry.Kind>, hindsight: Bool = false, watchesUse: Bool = false
  ) {
    fleet = Fleet(rules: rules)
    if hindsight { self.hindsight = [] }
    self.kinds = kinds
    wantsFixes = kinds.contains(.fix)
    self.watchesUse = watchesUse || kinds.contains(.status)
  }

  /// The number of a device; a new device gets the next number.
  package mutating func index(of device: String) -> Int { fleet.index(of: device) }

  /// Forgets a device: its next fix is as its first.
  package mutating func forget(_ device: Int) {
    totals.gate += fleet.counts(of: device)
    _ = fleet.resume(fleet.name(of: device), from: Tracker(rules: fleet.rules))
    if device < ignored.count { ignored[device] = IgnoredFixes() }
  }

  /// The rules; a device keeps its state of unchanged fences when they are set.
  package var rules: Rules {
    get { fleet.rules }
    set { fleet.rules = newValue }
  }

  /// The engine of a device, for a checkpoint.
  package func tracker(of device: Int) -> Tracker { fleet[device] }

  /// Adds a device that resumes from a checkpoint, under the rules of the checkpoint.
  package mutating func resume(_ device: String, from tracker: Tracker) -> Int {
    fleet.rules = tracker.rules
    return fleet.resume(device, from: tracker)
  }

  /// Calls `body` with the packed state of a device, from which it can continue.
  package mutating func withPackedState<Result>(
    of device: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    fleet.withPackedState(of: device, body)
  }

  /// Replaces the state of a device by a packed one under rules with the same fences.
  ///
  /// - Returns: whether it was a valid state; the device keeps its own otherwise.
  package mutating func resume(_ device: Int, from state: UnsafeRawBufferPointer) -> Bool {
    let (name, before) = (fleet.name(of: device), fleet.withPackedState(of: device, Array.init))
    if fleet.resume(name, from: state) { return true }
    _ = before.withUnsafeBytes { fleet.resume(name, from: $0) }
    return false
  }

  /// What became of the fixes of a device.
  package func counts(of device: Int) -> GateCounts { fleet.counts(of: device) }

  /// The name of a device.
  package func name(of device: Int) -> String { fleet.name(of: device) }

  /// When the device has its next event without a fix.
  package func nextDeadline(of device: Int) -> Timestamp? {
    hindsight == nil ? fleet.nextDeadline(of: device) : nil
  }

  /// The time of the last fix of a device that was used; nil before the first.
  package func lastTime(of device: Int) -> Timestamp? {
    guard let hindsight else { return fleet.lastTime(of: device) }
    return device < hindsight.count ? hindsight[device].lastTime : nil
  }

  /// The positions of a device that were not used since the last one that was.
  package func ignored(of device: Int) -> IgnoredFixes {
    device < ignored.count ? ignored[device] : IgnoredFixes()
  }

  /// Why the last fix of a device was dropped; nil when it was not.
  package func lastDefect(of device: Int) -> Defect? {
    hindsight.map { $0[device].lastDefect } ?? fleet.lastDefect(of: device)
  }

  /// The number of devices; their numbers are those below.
  package var count: Int { fleet.count }

  /// Ends the recording of a device: in hindsight, the rest is decided now.
  package mutating func finish(_ device: Int, into entries: inout [LogEntry]) {
    guard let known = hindsight?.count, device < known else { return }
    hindsight?[device].finish(into: &events)
    publish(device, into: &entries)
  }

  /// Processes one input and appends its entries to `entries`.
  package mutating func take(_ input: Input, into entries: inout [LogEntry]) {
    switch input {
    case .fix(let fix, let device, let source, let line):
      take(fix, of: device, from: source, line: line, into: &entries)
    case .time(let now, let device):
      fleet.advance(device, to: now, into: &events)
      publish(device, into: &entries)
    case .issue(let issue, let device, let time, let source):
      totals.issues += 1
      guard kinds.contains(.problem) else { return }
      let message = issue.described(in: sources[source])
      let problem = LogEntry.Problem(message: message, time: time, decided: time)
      entries.append(LogEntry(device: device, .problem(problem)))
    case .status(let change, let device): report(change, of: device, into: &entries)
    case .anchor(let command, let device):
      guard anchors != nil else { return }
      while let time = command.time, let deadline = nextDeadline(of: device), deadline < time {
        fleet.advance(device, to: deadline, into: &events)
        publish(device, into: &entries)
      }
      obey(command)
    }
  }

  private mutating func report(
    _ change: SourceChange, of device: String, into entries: inout [LogEntry]
  ) {
    guard kinds.contains(.status) else { return }
    totals.events[.status, default: 0] += 1
    let status = LogEntry.Status(
      word: change.status.rawValue, time: change.time, duration: change.duration,
      reason: change.reason, occurrence: change.occurrence)
    entries.append(LogEntry(device: device, .status(status)))
  }

  /// Notes whether a fix was used.
  private mutating func watchUse(
    of fix: borrowing Fix, _ device: Int, into entries: inout [LogEntry]
  ) {
    while ignored.count <= device { ignored.append(IgnoredFixes()) }
    let change = ignored[device].note(fix, lastDefect(of: device), last: lastTime(of: device))
    if let change { report(change, of: fleet.name(of: device), into: &entries) }
  }

  /// Processes a fix, as ``take(_:into:)`` does.
  package mutating func take(
    _ fix: borrowing Fix, of device: Int, from source: Int, line: Int,
    into entries: inout [LogEntry]
  ) {
    if wantsFixes { entries.append(LogEntry(device: fleet.name(of: device), .fix(copy fix))) }
    if hindsight == nil {
      fleet.ingest(copy fix, of: device, into: &events)
    } else {
      ingestInHindsight(copy fix, of: device)
    }
    note(fix, device, source, line)
    publish(device, into: &entries)
    if watchesUse { watchUse(of: fix, device, into: &entries) }
    if anchors != nil { showAnchors(fix, of: device) }
  }

  /// The totals of the whole session.
  package func finalTotals() -> SessionTotals {
    var totals = totals
    for device in 0..<fleet.count {
      totals.gate += fleet.counts(of: device)
    }
    for tracker in hindsight ?? [] { totals.gate += tracker.counts }
    totals.devices = fleet.count
    return totals
  }

  private mutating func ingestInHindsight(_ fix: Fix, of device: Int) {
    while let count = hindsight?.count, count <= device {
      hindsight?.append(HindsightTracker(rules: fleet.rules))
    }
    hindsight?[device].ingest(fix, into: &events)
  }

  private mutating func note(_ fix: borrowing Fix, _ device: Int, _ source: Int, _ line: Int) {
    if let defect = lastDefect(of: device) {
      if defect == .outOfOrder { totals.late[source, default: 0] += 1 }
      if totals.firstDefects[defect] == nil {
        totals.firstDefects[defect] = SessionTotals.Origin(
          path: sources[source], line: line, isBinary: binarySources.contains(source))
      }
    } else if let last = lastTime(of: device) {
      totals.extend(to: last)
      guard let time = fix.time, time < last else { return }
      // A late fix was put in order; one that is earlier still waits for the next one.
      let limits = fleet.rules.gate
      if last.seconds(since: time) <= min(limits.lateness, limits.clockJump) {
        totals.extend(to: time)
      }
    }
  }

  private mutating func publish(_ device: Int, into entries: inout [LogEntry]) {
    guard !events.isEmpty else { return }
    for event in events {
      var entry = LogEntry(device: fleet.name(of: device), .event(event))
      totals.count(event, entry.kind)
      guard kinds.contains(entry.kind) else { continue }
      if let names, case .visit(let visit) = event.statement {
        entry.place = names.name(of: visit, at: event.coordinate, of: entry.device)
      }
      entries.append(entry)
    }
    events.removeAll(keepingCapacity: true)
  }
}

extension TraceIssue {
  /// The issue as one line with path, line and column, or byte.
  package func described(in path: String) -> String {
    let path = file ?? path
    return column == 0
      ? "\(path): byte \(line): \(message)" : "\(path):\(line):\(column): \(message)"
  }
}
