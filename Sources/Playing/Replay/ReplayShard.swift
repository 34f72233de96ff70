internal import EventLog
internal import Session
internal import Traces
internal import Tracking

/// Some of the devices of a replay and their events.
///
/// One thread at a time uses it; its events do not depend on the number of shards.
final class ReplayShard {
  /// How to play a fix.
  struct Step {
    var source: Int
    /// The number of the device in the shard.
    var device: Int
    /// Whether events that came due in silence are collected first.
    var wakes: Bool
    /// Whether that is all, as there is no fix.
    var isDeadline = false
    /// Whether that is all, as the device is forgotten.
    var isForgotten = false
    /// Whether the trace is over, so there is no fix: only its last commands are obeyed.
    var isEnd = false
    /// How far the stream was before.
    var place: Timestamp
    var due: Timestamp
    var number: Int
    var instant: Int
    var isSettled: Bool
  }

  /// A device that is silent until a fix is due.
  struct Wait {
    var device: Int
    var source: Int
    /// How far the stream is.
    var place: Timestamp
    /// When the fix is due.
    var due: Timestamp
    /// The number of its step, or one more than all that were played.
    var step: Int
    var isSettled: Bool
    /// Whether the device was seen to pass its deadline here.
    var isDeadline = false

    /// The place in the log of the device's event at a deadline.
    func place(at deadline: Timestamp) -> ReplayEntries.Place {
      ReplayEntries.Place(
        turn: isDeadline ? place : max(place, deadline), stream: source, step: step, due: deadline,
        isSettled: isSettled)
    }
  }

  /// Fixes to play.
  typealias Steps = [(point: TracePoint, step: Step)]

  private var player: ReplayPlayer
  private var steps: Steps = []
  private var waits: [Wait] = []

  init(_ session: Session) {
    player = ReplayPlayer(session)
  }

  /// Whether it is known at any time when each device would report something by itself.
  var keepsDeadlines: Bool {
    get { player.keepsDeadlines }
    set { player.keepsDeadlines = newValue }
  }

  /// In which step the first fix with each defect was.
  var firstDefects: [Defect: Int] { player.firstDefects }

  /// The totals of the shard.
  func finalTotals() -> SessionTotals { player.session.finalTotals() }

  /// The number of a device; a new device gets the next number.
  @discardableResult
  func index(of device: String) -> Int { player.session.index(of: device) }

  /// Processes an input other than a fix.
  func take(_ input: Input, into entries: inout [LogEntry]) {
    player.session.take(input, into: &entries)
  }

  /// Takes fixes to play, and gives an empty list in return.
  func give(_ steps: inout Steps) { swap(&self.steps, &steps) }

  func add(_ wait: Wait) { waits.append(wait) }

  /// Takes what a recording says of anchors before the fix of a step.
  func add(_ commands: [AnchorChange], before step: Int) {
    player.commands.append((step, commands))
  }

  /// Removes and returns what happened to the anchors, in words.
  func takeAnchorMessages() -> [String] { player.session.takeAnchorMessages() }

  /// When a waiting device has an event; nil when it has none before its fix.
  func deadline(of wait: Wait) -> Timestamp? { player.deadline(of: wait) }

  /// Plays the fixes and the deadlines before `end`.
  func play(until end: ReplayEntries.Place) {
    player.play(steps, waits, until: end)
    steps.removeAll(keepingCapacity: true)
    waits.removeAll(keepingCapacity: true)
  }

  /// Ends the recordings of all devices; `place` gives the place of the events of each.
  func finish(place: (Int) -> ReplayEntries.Place) { player.finish(place: place) }

  /// Removes and returns the entries since the last call.
  func takeOutput() -> ReplayEntries {
    defer { player.output = ReplayEntries() }
    return player.output
  }
}

/// A shard's session and its output: a value, so no access needs an exclusivity check at every fix.
private struct ReplayPlayer {
  var session: Session
  var output = ReplayEntries()
  var keepsDeadlines = false {
    didSet {
      guard keepsDeadlines, !oldValue else { return }
      // Those of devices that were played before are kept, too.
      for device in 0..<session.count { noteDeadline(of: device) }
    }
  }
  private(set) var firstDefects: [Defect: Int] = [:]
  private var deadlines: [Timestamp] = []
  /// What a recording says of anchors, by the step before which it says so.
  var commands: [(step: Int, commands: [AnchorChange])] = []

  init(_ session: Session) {
    self.session = session
  }

  mutating func finish(place: (Int) -> ReplayEntries.Place) {
    for device in 0..<session.count {
      session.finish(device, into: &output.entries)
      output.place(at: place(device))
    }
  }

  mutating func play(
    _ steps: ReplayShard.Steps, _ waits: [ReplayShard.Wait], until end: ReplayEntries.Place
  ) {
    for index in steps.indices { play(steps[index].point, steps[index].step) }
    for wait in waits { wake(wait, until: end) }
  }

  func deadline(of wait: ReplayShard.Wait) -> Timestamp? {
    guard wait.device < deadlines.count, deadlines[wait.device] < wait.due else { return nil }
    return deadlines[wait.device]
  }

  private mutating func play(_ point: borrowing TracePoint, _ step: ReplayShard.Step) {
    if !commands.isEmpty { obey(before: step) }
    if step.isEnd { return place(at: step) }
    if step.isForgotten {
      session.forget(step.device)
      if keepsDeadlines { noteDeadline(of: step.device) }
      return
    }
    if step.wakes {
      wake(before: step)
      if step.isDeadline { return }
    }
    let defects = session.totals.firstDefects.count
    session.take(
      point.fix, of: step.device, from: step.source, line: point.line, into: &output.entries)
    if session.totals.firstDefects.count != defects { noteDefects(step.number) }
    if keepsDeadlines { noteDeadline(of: step.device) }
    place(at: step)
  }

  /// Gives the entries of a step their place in the log.
  private mutating func place(at step: ReplayShard.Step) {
    guard output.places.count != output.entries.count else { return }
    output.place(
      at: ReplayEntries.Place(
        turn: max(step.place, step.due), stream: step.source, step: step.number, due: step.due,
        instant: step.instant, isSettled: step.isSettled))
  }

  private mutating func obey(before step: ReplayShard.Step) {
    while let next = commands.first, next.step <= step.number {
      commands.removeFirst()
      for command in next.commands {
        // As in the session, what came due before a command is reported before it.
        if step.wakes, let time = command.time { wake(before: step, due: min(time, step.due)) }
        session.take(.anchor(command, device: step.device), into: &output.entries)
        if keepsDeadlines { noteDeadline(of: step.device) }
      }
    }
  }

  private mutating func wake(before step: ReplayShard.Step, due: Timestamp? = nil) {
    let wait = ReplayShard.Wait(
      device: step.device, source: step.source, place: step.place, due: due ?? step.due,
      step: step.number, isSettled: step.isSettled, isDeadline: step.isDeadline)
    wake(wait, until: nil)
  }

  private mutating func wake(_ wait: ReplayShard.Wait, until end: ReplayEntries.Place?) {
    while let deadline = deadline(of: wait) {
      let place = wait.place(at: deadline)
      if let end, !(place < end) { return }
      session.take(.time(deadline, device: wait.device), into: &output.entries)
      output.place(at: place)
      noteDeadline(of: wait.device)
    }
  }

  private mutating func noteDeadline(of device: Int) {
    while deadlines.count <= device { deadlines.append(.never) }
    deadlines[device] = session.nextDeadline(of: device) ?? .never
  }

  private mutating func noteDefects(_ step: Int) {
    for defect in session.totals.firstDefects.keys where firstDefects[defect] == nil {
      firstDefects[defect] = step
    }
  }
}
