package import EventLog
package import GPSD
internal import Glibc
package import Receivers
package import Session
internal import System
package import Text
internal import Traces
package import Tracking

/// The run of `waymark watch`: reports of gpsd go through the engine, and its events are written.
///
/// It uses one thread: one poll waits for the socket, the signals, and slow readers and terminals.
package final class WatchRun {
  /// The options of a run.
  package struct Plan {
    package var address: GPSDAddress
    package var device: String
    package var rules: Rules
    /// The fences that fixes place.
    package var anchors: [AnchorPlan] = []
    package var kinds: Set<LogEntry.Kind>
    package var format: EventFormat
    package var layout = TextLayout()
    /// Where events are added; standard output when nil.
    package var output: String?
    /// Where the engine's state is kept; nowhere when nil.
    package var state: String?
    /// The file that records gpsd's output; nil for none.
    package var record: String?
    package var rotation = RecordingRotation.never
    /// Keeps every event; nil for none.
    package var store: (any EntryStore)?
    /// Delivers what the store keeps; nil for none.
    package var delivery: (any EventDelivery)?
    /// Gets the state and the events as well; nil for none.
    package var audience: (any LiveAudience)?
    /// Where the status is written for other programs.
    package var status: String?
    package var link = LinkOptions()
    /// Names the places of stays; nil for none.
    package var names: (any PlaceNamer)?
    package var isColoured = false
    /// Whether a terminal shows the state in its last lines.
    package var hasView = true
    /// The zone of the times there.
    package var zone = DisplayZone.utc
    /// Whether SIGHUP reloads the configuration; otherwise it ends the run, as the terminal is gone.
    package var reloadsOnHangup = true

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
    /// A signal came, or the reader of the events closed.
    case stopped
    /// The connection is lost, which was reported, and must not be retried.
    case unavailable
  }

  /// Reloads the configuration; nil when it is invalid, which was reported.
  package var reload: () -> (rules: Rules, anchors: [AnchorPlan])? = { nil }

  private let plan: Plan
  private let client: GPSDClient
  private let signals: Signals
  private let store: StateStore?
  private let eventStore: LiveStore?
  private let output: LiveOutput
  private let publisher: StatusPublisher
  private let header: RecordingHeader
  /// Takes commands for the anchors; nil without a state or without anchors.
  private var control: AnchorControl?
  private var recording: RecordingWriter?
  private var session: LiveSession
  private var isStopping = false
  private var deadlineCheck: DeadlineCheck
  private var changes = LinkChanges()
  private var nextCheckpoint: ContinuousClock.Instant

  /// How often the engine's state is written.
  private static let checkpointInterval = Duration.seconds(60)
  /// The most inputs in the journal before a checkpoint is written early.
  private static let longestJournal = 10_000
  /// A checkpoint waits for unread events, but for no more inputs than this.
  private static let endlessJournal = 1_000_000
  /// The time before a failed write is retried.
  private static let retry = Duration.seconds(1)

  /// Opens the files that a run needs; no events are written yet.
  ///
  /// - Throws: ``OutputError`` when the output cannot be opened, ``StateError`` when the state
  ///   cannot be kept, ``RecordingError`` when the recording cannot, ``SystemError`` when signals
  ///   cannot be taken over.
  package init(_ plan: Plan) throws {
    self.plan = plan
    signals =
      try plan.reloadsOnHangup
      ? Signals(reload: [SIGHUP], mark: [SIGUSR1])
      : Signals(stop: [SIGINT, SIGTERM, SIGHUP], mark: [SIGUSR1])
    store = try plan.state.map { path throws(StateError) in try StateStore(path: path) }
    eventStore = plan.store.map(LiveStore.init)
    output = try LiveOutput(
      path: plan.output, format: plan.format, fences: plan.rules.fences, layout: plan.layout)
    client = GPSDClient(plan.address, options: plan.link)
    deadlineCheck = DeadlineCheck(plan.link)
    publisher = StatusPublisher(plan)
    let header = RecordingHeader(source: plan.address, device: plan.device)
    self.header = header
    recording = try plan.record.map { path throws(RecordingError) in
      try RecordingWriter(path: path, header: header, rotation: plan.rotation)
    }
    let (reader, error) = LibgpsReader.orSwift()
    session = LiveSession(
      rules: plan.rules, kinds: plan.kinds.union(plan.store?.kinds ?? []), device: plan.device,
      source: plan.address.description, decoder: ReceiverLogDecoder(reader: reader),
      store: store, explains: plan.audience != nil)
    session.names = plan.names
    if let error { publisher.print("reading gpsd's reports without libgps: \(error)") }
    nextCheckpoint = .now + Self.checkpointInterval
  }

  /// Whether lines of gpsd could not be recorded, or events could not be written, or the last state could
  /// not be saved, so that a restart would repeat or lose events.
  package var hasLosses: Bool {
    recording?.lost ?? 0 > 0 || publisher.hasLostEvents || store?.failure != nil
  }

  /// Runs until a signal comes, or the connection is lost and must not be retried.
  package func run() -> (end: End, totals: SessionTotals) {
    begin()
    var poller = Poller()
    while !isStopping, !client.isOver {
      let now = ContinuousClock.now
      poller.removeAll()
      let source = client.join(&poller)
      let signal = poller.add(signals.descriptor, .read)
      let command = poller.add(control?.descriptor, .read)
      join(&poller)
      poller.wait(until: deadline(at: now))
      if !poller.ready(command).isEmpty { takeCommands(at: .now) }
      turn(ready: poller.ready(source), hasSignal: !poller.ready(signal).isEmpty)
    }
    return finish()
  }

  private func begin() {
    if let notice = store?.notice { publisher.print(notice) }
    if let kept = store?.kept {
      let before = kept.state.device
      if before != plan.device {
        publisher.print("the state is from device '\(before)'; continuing as '\(plan.device)'")
      }
      let (entries, written) = session.resume(kept)
      // The store skips those that it has.
      eventStore?.take(entries, at: .now)
      output.resume(
        entries.filter(isShown), known: written, from: kept.state.outputLength,
        columns: kept.state.columns)
      output.writer.flush()
    } else {
      output.endTornLine()
    }
    // From here on the current settings apply.
    session.adopt(plan.rules, plan.anchors)
    openControl(plan.anchors)
    // A recording begins with it: line numbers are those that a replay sees.
    session.receive(header.line[...], at: .now)
    checkpoint(at: .now)
    publisher.serviceBegan()
  }

  private func turn(ready: Poller.Readiness, hasSignal: Bool) {
    let now = ContinuousClock.now
    if hasSignal { handleSignals(at: now) }
    client.turn(now: now, ready: ready) { take($0, at: now) }
    advance(at: now)
    publish(at: now)
    if now >= nextCheckpoint || isJournalLong { checkpoint(at: now) }
    reportDelivery()
    publisher.update(session, output, store, eventStore, at: now)
  }

  private func reportDelivery() {
    for message in plan.delivery?.takeMessages() ?? [] { publisher.print(message) }
  }

  /// A failed checkpoint is retried after a while, not with every report.
  private var isJournalLong: Bool {
    guard let store, store.failure == nil else { return false }
    return store.inputCount >= Self.longestJournal
  }

  // MARK: What comes in

  private func handleSignals(at now: ContinuousClock.Instant) {
    for request in signals.take() {
      switch request {
      case .stop: isStopping = true
      case .reload:
        publisher.makeRoom()
        if let (rules, anchors) = reload() {
          session.adopt(rules, anchors)
          openControl(anchors)
          keepFences()
          publisher.print(
            "configuration reloaded: \(SessionTotals.count(rules.fences.count, "fence"))")
        }
        do {
          try output.reopen()
        } catch {
          publisher.print("\(error)")
        }
        checkpoint(at: now)
      case .mark:
        if case .failure(let declined) = obey(AnchorChange(.set), at: now) {
          publisher.print("SIGUSR1: \(declined.reason)")
        }
      }
    }
  }

  // MARK: Anchors

  private func openControl(_ anchors: [AnchorPlan]) {
    guard let state = plan.state, control == nil, !anchors.isEmpty else { return }
    do {
      control = try AnchorControl(state: state)
    } catch {
      publisher.print(
        "\(state)\(AnchorControl.suffix): \(error), so `waymark anchor` cannot reach this watch; "
          + "SIGUSR1 can")
    }
  }

  private func takeCommands(at now: ContinuousClock.Instant) {
    while let request = control?.next() {
      control?.answer(request, obey(request.command, at: now))
    }
  }

  /// Obeys a command for the anchors; returns what happened to them.
  private func obey(
    _ command: AnchorChange, at now: ContinuousClock.Instant
  ) -> Result<[String], AnchorControl.Declined> {
    if let reason = session.anchors.refusal(of: command) { return .failure(.init(reason: reason)) }
    var command = command
    command.time = session.time(at: now)
    // In the recording too, whose replay then does the same.
    receive(RecordingHeader.line(command)[...], at: now)
    let messages = session.anchorMessages
    publish(at: now)
    return .success(messages)
  }

  /// Gives the fences to the store and the receivers.
  private func keepFences() {
    if let error = eventStore?.keep(session.rules.fences) { publisher.print("\(error)") }
  }

  private func take(_ event: LinkEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .status(let status):
      deadlineCheck.take(status)
      publisher.take(status, at: now)
      if let change = changes.change(for: status, at: session.time(at: now)) {
        // In the recording too, whose replay then reports the same.
        receive(RecordingHeader.line(change)[...], at: now)
        publish(at: now)
      }
    case .bytes(let bytes):
      receive(bytes, at: now)
      publisher.heard(session.receiver, ignored: session.ignored.reason, at: now)
      publish(at: now)
    case .answered:
      deadlineCheck.takeAnswer()
      session.advance(at: now)
    case .ended: break
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>, at now: ContinuousClock.Instant) {
    recording?.append(bytes) { [publisher] in publisher.print($0.description) }
    session.receive(bytes, at: now)
  }

  /// Advances the engine past a deadline, once no report of gpsd can still be on its way.
  private func advance(at now: ContinuousClock.Instant) {
    switch deadlineCheck.step(due: session.nextDeadline(), at: now) {
    case .wait: break
    case .query: client.query(now: now)
    case .advance: session.advance(at: now)
    }
  }

  // MARK: What goes out

  private func publish(at now: ContinuousClock.Instant) {
    for warning in session.takeWarnings() { publisher.print(warning) }
    if !session.anchorMessages.isEmpty {
      keepFences()
      for message in session.takeAnchorMessages() { publisher.print(message) }
    }
    let entries = session.takeEntries()
    if !entries.isEmpty {
      // Otherwise a power cut might keep an event and lose its fixes, and the event would be written
      // twice. Log entries of fixes are too many to wait for, and repeating them does no harm.
      if entries.contains(where: \.isEvent) { store?.synchronise() }
      eventStore?.take(entries, at: now)
      publisher.makeRoom()
      output.write(entries.filter(isShown))
      plan.audience?.show(entries.filter { isShown($0) && $0.fix == nil })
    }
    let reasons = session.takeReasons()
    if !reasons.isEmpty { plan.audience?.show(reasons) }
    eventStore?.flush(at: now)
    guard output.writer.wantsToWrite else { return }
    let before = output.written
    output.writer.flush()
    if case .readerGone = output.writer.failure { isStopping = true }
    guard output.written != before else { return }
    store?.add(.written(output.written))
    store?.commit()
  }

  /// Whether an entry is in the output; the store may keep others.
  private func isShown(_ entry: LogEntry) -> Bool { plan.kinds.contains(entry.kind) }

  private func checkpoint(at now: ContinuousClock.Instant) {
    nextCheckpoint = now + Self.checkpointInterval
    guard let store else { return }
    // A checkpoint drops the inputs of events; events that wait to be written still need them.
    guard
      !output.writer.wantsToWrite && eventStore?.hasMore != true
        || store.inputCount >= Self.endlessJournal
    else { return }
    // Events before a checkpoint cannot be repeated, so they must survive a power cut.
    if let reason = output.writer.synchronise() {
      publisher.reportUnsafe(output.writer.name, reason)
    }
    let isWritten = store.checkpoint(
      device: plan.device, tracker: session.tracker, outputLength: output.length,
      columns: output.columns, anchors: session.anchors)
    if isWritten { output.markCheckpoint() }
  }

  private func finish() -> (end: End, totals: SessionTotals) {
    session.receive([], at: .now, isFinal: true)
    publish(at: .now)
    eventStore?.attempt(at: .now)
    plan.delivery?.stop()
    reportDelivery()
    publisher.flushAll(output.writer)
    checkpoint(at: .now)
    client.close()
    publisher.close(session, output, store, eventStore, recording)
    return (isStopping ? .stopped : .unavailable, session.totals())
  }

  // MARK: Waiting

  private func join(_ poller: inout Poller) {
    _ = poller.add(output.writer.canWait ? output.writer.descriptor : nil, .write)
    _ = poller.add(plan.delivery?.descriptor, .read)
    _ = poller.add(publisher.writer.canWait ? publisher.writer.descriptor : nil, .write)
  }

  private func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    var earliest = client.deadline
    func consider(_ other: ContinuousClock.Instant?) {
      if let other { earliest = min(earliest ?? other, other) }
    }
    consider(deadlineCheck.deadline(session.nextDeadline()))
    consider(publisher.nextDeadline)
    consider(eventStore?.deadline)
    if store?.inputCount ?? 0 > 0 { consider(nextCheckpoint) }
    if output.writer.failure != nil, output.writer.wantsToWrite { consider(now + Self.retry) }
    return earliest
  }
}

extension LogEntry {
  /// Whether it is an event of the engine.
  var isEvent: Bool {
    if case .event = content { true } else { false }
  }
}
