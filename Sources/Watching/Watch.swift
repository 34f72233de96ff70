package import GPSD
internal import Glibc
package import Session
internal import System
package import Traces
package import Tracking

/// A live run from gpsd: reads, decides, says, and survives what may come.
///
/// One thread: whatever is slow (a reader of the events, a terminal, a name server) is waited for
/// in one place, together with the socket and the signals.
package final class Watch {
  /// What a watch is to do.
  package struct Plan {
    package var address: GPSDAddress
    package var device: String
    package var rules: Rules
    package var kinds: Set<LogEntry.Kind>
    package var format: EventFormat
    /// Where events are added; standard output when nil.
    package var output: String?
    /// Where the engine's state is kept; nowhere when nil.
    package var state: String?
    /// Where what gpsd says is recorded; nowhere when nil.
    package var record: String?
    package var rotation = RecordingRotation.never
    /// Where the status is written for other programs.
    package var status: String?
    package var link = LinkOptions()
    /// Names the places of stays; nil for none.
    package var names: (any PlaceNamer)?
    package var isColoured = false

    package init(
      address: GPSDAddress, device: String, rules: Rules, kinds: Set<LogEntry.Kind>,
      format: EventFormat
    ) {
      self.address = address
      self.device = device
      self.rules = rules
      self.kinds = kinds
      self.format = format
    }
  }

  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal, or nobody reads the events any more.
    case stopped
    /// gpsd is gone, which has been told, and is not to be tried again.
    case unavailable
  }

  /// Reads the settings anew: the rules, or nil when they are not to be had, which has been told.
  package var reload: () -> Rules? = { nil }

  private let plan: Plan
  private let client: GPSDClient
  private let signals: Signals
  private let keeper: StateKeeper?
  private let output: LiveOutput
  private let desk: WatchDesk
  private let header: RecordingHeader
  private var recording: Recording?
  private var session: LiveSession
  private var isStopping = false
  private var timeCheck: TimeCheck
  private var nextCheckpoint: ContinuousClock.Instant

  /// How often the engine's state is written.
  private static let checkpointInterval = Duration.seconds(60)
  /// So many inputs are written to the journal at most before that.
  private static let longestJournal = 10_000
  /// A checkpoint waits for events that nobody takes, but not longer than for so many inputs.
  private static let endlessJournal = 1_000_000
  /// What could not be written is tried again after so long.
  private static let retry = Duration.seconds(1)

  /// Opens everything that a watch needs; nothing is said yet.
  ///
  /// - Throws: ``OutputError`` when the output cannot be opened, ``StateError`` when the state
  ///   cannot be kept, ``RecordingError`` when the recording cannot, ``SystemError`` when signals
  ///   cannot be taken over.
  package init(_ plan: Plan) throws {
    self.plan = plan
    signals = try Signals(reload: [SIGHUP])
    keeper = try plan.state.map { path throws(StateError) in try StateKeeper(path: path) }
    output = try LiveOutput(path: plan.output, format: plan.format, fences: plan.rules.fences)
    client = GPSDClient(plan.address, options: plan.link)
    timeCheck = TimeCheck(plan.link)
    desk = WatchDesk(plan)
    let header = RecordingHeader(source: plan.address, device: plan.device)
    self.header = header
    recording = try plan.record.map { path throws(RecordingError) in
      try Recording(path: path, header: header, rotation: plan.rotation)
    }
    let (reader, absence) = LibgpsReader.orSwift()
    session = LiveSession(
      rules: plan.rules, kinds: plan.kinds, device: plan.device,
      source: plan.address.description, decoder: ReceiverLogDecoder(reader: reader),
      keeper: keeper)
    session.names = plan.names
    if let absence { desk.say("gpsd's reports are read without libgps: \(absence)") }
    nextCheckpoint = .now + Self.checkpointInterval
  }

  /// Whether lines of gpsd's could not be recorded, or events not be written.
  package var hasLosses: Bool { recording?.lost ?? 0 > 0 || desk.hasLostEvents }

  /// Runs until a signal comes, or gpsd is lost and not to be tried again.
  package func run() -> (end: End, totals: SessionTotals) {
    begin()
    var poller = Poller()
    while !isStopping, !client.isOver {
      let now = ContinuousClock.now
      poller.removeAll()
      let source = client.join(&poller)
      let wishes = poller.add(signals.descriptor, .read)
      join(&poller)
      poller.wait(until: deadline(at: now))
      turn(ready: poller.ready(source), hasSignal: !poller.ready(wishes).isEmpty)
    }
    return finish()
  }

  private func begin() {
    if let notice = keeper?.notice { desk.say(notice) }
    if let kept = keeper?.kept {
      let before = kept.state.device
      if before != plan.device {
        desk.say("the state is of the device '\(before)'; it goes on as '\(plan.device)'")
      }
      let (entries, written) = session.resume(kept)
      output.resume(
        entries, known: written, from: kept.state.outputLength, columns: kept.state.columns)
      output.outlet.flush()
    } else {
      output.endTornLine()
    }
    // From here on the settings of today hold.
    session.rules = plan.rules
    // A recording begins with it: line numbers are those that a replay sees.
    session.receive(header.line[...], at: .now)
    checkpoint(at: .now)
    desk.serviceBegan()
  }

  private func turn(ready: Poller.Readiness, hasSignal: Bool) {
    let now = ContinuousClock.now
    if hasSignal { obey(at: now) }
    client.turn(now: now, ready: ready) { take($0, at: now) }
    letTimePass(at: now)
    publish(at: now)
    if now >= nextCheckpoint || isJournalLong { checkpoint(at: now) }
    desk.update(session, output, keeper, at: now)
  }

  /// A state that cannot be written is tried again after a while, not with every report.
  private var isJournalLong: Bool {
    guard let keeper, keeper.failure == nil else { return false }
    return keeper.inputCount >= Self.longestJournal
  }

  // MARK: What comes in

  private func obey(at now: ContinuousClock.Instant) {
    for wish in signals.take() {
      switch wish {
      case .stop: isStopping = true
      case .reload:
        desk.makeRoom()
        if let rules = reload() {
          session.rules = rules
          desk.say("the settings were read anew: \(rules.fences.count) fences")
        }
        do {
          try output.reopen()
        } catch {
          desk.say("\(error)")
        }
        checkpoint(at: now)
      }
    }
  }

  private func take(_ event: LinkEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .status(let status):
      timeCheck.take(status)
      desk.take(status, at: now)
    case .bytes(let bytes):
      recording?.append(bytes) { [desk] in desk.say($0.description) }
      session.receive(bytes, at: now)
      desk.heard(session.receiver, at: now)
      publish(at: now)
    case .answered:
      timeCheck.takeAnswer()
      session.letTimePass(at: now)
    case .ended: break
    }
  }

  /// Lets the engine know that it is late, once nothing that gpsd said can still be under way.
  private func letTimePass(at now: ContinuousClock.Instant) {
    switch timeCheck.step(due: session.nextDeadline(), at: now) {
    case .wait: break
    case .ask: client.ask(now: now)
    case .pass: session.letTimePass(at: now)
    }
  }

  // MARK: What goes out

  private func publish(at now: ContinuousClock.Instant) {
    for warning in session.takeWarnings() { desk.say(warning) }
    let entries = session.takeEntries()
    if !entries.isEmpty {
      // Else a power cut might leave an event and not the fixes that led to it, and it would be said
      // once more. Fixes are too many for that, and do no harm.
      if entries.contains(where: \.isEvent) { keeper?.synchronise() }
      desk.makeRoom()
      output.write(entries)
    }
    guard output.outlet.wantsToWrite else { return }
    let before = output.written
    output.outlet.flush()
    if case .readerGone = output.outlet.failure { isStopping = true }
    guard output.written != before else { return }
    keeper?.add(.written(output.written))
    keeper?.commit()
  }

  private func checkpoint(at now: ContinuousClock.Instant) {
    nextCheckpoint = now + Self.checkpointInterval
    guard let keeper else { return }
    // A checkpoint forgets what led to events; while some wait to go out it would forget those.
    guard !output.outlet.wantsToWrite || keeper.inputCount >= Self.endlessJournal else { return }
    // Of an event before the checkpoint nothing is known behind it: after a power cut it must be there.
    if let reason = output.outlet.synchronise() { desk.tellUnsafe(output.outlet.name, reason) }
    let isWritten = keeper.checkpoint(
      device: plan.device, tracker: session.tracker, outputLength: output.length,
      columns: output.columns)
    if isWritten { output.markCheckpoint() }
  }

  private func finish() -> (end: End, totals: SessionTotals) {
    session.receive([], at: .now, isFinal: true)
    publish(at: .now)
    desk.flushAll(output.outlet)
    checkpoint(at: .now)
    client.close()
    desk.close(session, output, keeper, recording)
    return (isStopping ? .stopped : .unavailable, session.totals())
  }

  // MARK: Waiting

  private func join(_ poller: inout Poller) {
    _ = poller.add(output.outlet.canWait ? output.outlet.descriptor : nil, .write)
    _ = poller.add(desk.outlet.canWait ? desk.outlet.descriptor : nil, .write)
  }

  private func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    var earliest = client.deadline
    func consider(_ other: ContinuousClock.Instant?) {
      if let other { earliest = min(earliest ?? other, other) }
    }
    consider(timeCheck.deadline(session.nextDeadline()))
    consider(desk.nextDeadline)
    if keeper?.inputCount ?? 0 > 0 { consider(nextCheckpoint) }
    if output.outlet.failure != nil, output.outlet.wantsToWrite { consider(now + Self.retry) }
    return earliest
  }
}

extension LogEntry {
  /// Whether the engine said it.
  fileprivate var isEvent: Bool {
    if case .event = content { true } else { false }
  }
}
