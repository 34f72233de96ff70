internal import EventLog
internal import GPSD
internal import Glibc
internal import Receivers
package import Session
internal import System
internal import Text
internal import Traces
package import Tracking

/// The run of `waymark watch`: reports of gpsd and of phones go through the engine, and its events are
/// written.
///
/// It uses one thread: one poll waits for the sockets, the signals, and slow readers and terminals. Each
/// device has an engine of its own and delays no other. The log has the events of all in the order in which
/// their reports came, which is the order of the recording.
package final class WatchRun {
  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal came, or the reader of the events closed.
    case stopped
    /// The connection is lost, which was reported, and must not be retried.
    case unavailable
  }

  /// Reloads the configuration; nil when it is invalid, which was reported.
  package var reload: () -> (rules: Rules, anchors: [AnchorPlan])? = { nil }

  let plan: Plan
  private let signals: Signals
  let store: StateStore?
  let eventStore: LiveStore?
  let output: LiveOutput
  let publisher: StatusPublisher
  /// Takes commands for the anchors; nil without a state or without anchors.
  var control: AnchorControl?
  var recording: SharedRecording?
  /// Those of the sources in their order, then those of devices that appeared.
  var channels: [WatchChannel]
  /// The channels of devices that appeared, by name.
  var appeared: [ExactText: Int] = [:]
  /// The kinds of entries that the engines emit.
  let kinds: Set<LogEntry.Kind>
  /// The rules and the fences that fixes place, as the configuration has them now.
  var rules: Rules
  /// Those in the state, or in its journal; nil before the first checkpoint.
  var savedRules: JournalRules?
  /// The reports of devices that appeared.
  var reportCount = 0
  /// The totals of devices that were forgotten.
  var goneTotals = SessionTotals()
  /// The channel that was heard last.
  private var current = 0
  private var isStopping = false
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
    eventStore = plan.store.map { LiveStore($0, failure: plan.storeFailure) }
    output = try LiveOutput(
      path: plan.output, format: plan.format, fences: plan.rules.fences, layout: plan.layout)
    publisher = StatusPublisher(plan)
    let store = store
    recording = try plan.record.map { path throws(RecordingError) in
      try SharedRecording(
        path: path, header: plan.header, rotation: plan.rotation, isFresh: store?.kept == nil)
    }
    // The journal has the entries that the log has, which another start may not show.
    let kinds = [plan.store?.kinds, store?.kept?.state.shownKinds].compactMap(\.self)
      .reduce(plan.kinds) { $0.union($1) }
    (self.kinds, rules) = (kinds, plan.rules)
    channels = plan.sources.enumerated().map { number, source in
      WatchChannel(source, number, plan, kinds, store)
    }
    if !channels.isEmpty, let error = LibgpsReader.orSwift().error {
      publisher.print("reading gpsd's reports without libgps: \(error)")
    }
    nextCheckpoint = .now + Self.checkpointInterval
  }

  /// Whether lines of gpsd could not be recorded, or events could not be written, or the last state could
  /// not be saved, so that a restart would repeat or lose events.
  package var hasLosses: Bool {
    recording?.writer.lost ?? 0 > 0 || publisher.hasLostEvents || store?.failure != nil
  }

  /// Runs until a signal comes, or the connection is lost and must not be retried.
  package func run() -> (end: End, totals: SessionTotals) {
    begin()
    var poller = Poller()
    while !isStopping, !plan.inlets.isEmpty || clients.contains(where: { !$0.isOver }) {
      let now = ContinuousClock.now
      poller.removeAll()
      let slots = clients.map { $0.join(&poller) }
      let inlets = plan.inlets.map { poller.add($0.inbox.descriptor, .read) }
      let signal = poller.add(signals.descriptor, .read)
      let command = poller.add(control?.descriptor, .read)
      join(&poller)
      poller.wait(until: deadline(at: now))
      if !poller.ready(command).isEmpty { takeCommands(at: .now) }
      if inlets.contains(where: { !poller.ready($0).isEmpty }) { takeReports(at: .now) }
      turn(ready: slots.map(poller.ready), hasSignal: !poller.ready(signal).isEmpty)
    }
    return finish()
  }

  /// The connections of the sources.
  private var clients: [GPSDClient] { channels.prefix(plan.sources.count).compactMap(\.client) }

  private func turn(ready: [Poller.Readiness], hasSignal: Bool) {
    let now = ContinuousClock.now
    if hasSignal { handleSignals(at: now) }
    for index in ready.indices {
      channels[index].client?.turn(now: now, ready: ready[index]) { take($0, of: index, at: now) }
      advance(index, at: now)
      publish(index, at: now)
    }
    flush(at: now)
    if now >= nextCheckpoint || isJournalLong { checkpoint(at: now) }
    reportDelivery()
    publisher.update(
      shownSessions, { takeShown($0) }, output, store, eventStore, at: now)
  }

  /// The session of a device, whose fixes are shown now.
  private func takeShown(_ index: Int) -> LiveSession {
    defer { channels[index].session.removeTrail() }
    return channels[index].session
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
      case .reload: reloadConfiguration(at: now)
      case .mark:
        if case .failure(let declined) = obey(AnchorChange(.set), at: now) {
          publisher.print("SIGUSR1: \(declined.reason)")
        }
      }
    }
  }

  private func take(_ event: LinkEvent, of index: Int, at now: ContinuousClock.Instant) {
    switch event {
    case .status(let status):
      publisher.take(status, of: index, at: now)
      if let change = channels[index].change(for: status, at: now) {
        // In the recording too, whose replay then reports the same.
        receive(RecordingHeader.line(change)[...], of: index, at: now)
        publish(index, at: now)
      }
    case .bytes(let bytes):
      receive(bytes, of: index, at: now)
      publisher.heard(channels[index].session, of: index, at: now)
      publish(index, at: now)
    case .answered:
      channels[index].check.takeAnswer()
      pass(index, at: now)
      publish(index, at: now)
    case .ended: break
    }
  }

  func receive(
    _ bytes: ArraySlice<UInt8>, of index: Int, at now: ContinuousClock.Instant
  ) {
    current = index
    guard channels[index].hasShips else { return hand(bytes, of: index, at: now) }
    receiveWithShips(bytes, of: index, at: now)
  }

  /// Records lines, and gives them to the engine.
  func hand(_ bytes: ArraySlice<UInt8>, of index: Int, at now: ContinuousClock.Instant) {
    recording?.append(bytes, of: channels[index].device) { [publisher] in
      publisher.print($0.description)
    }
    channels[index].session.receive(bytes, at: now)
    publisher.changed(index)
  }

  /// Advances an engine past a deadline, once no report of its gpsd can still be on its way.
  private func advance(_ index: Int, at now: ContinuousClock.Instant) {
    switch channels[index].nextStep(at: now) {
    case .wait: break
    case .query: channels[index].client?.query(now: now)
    case .advance: pass(index, at: now)
    }
  }

  private func pass(_ index: Int, at now: ContinuousClock.Instant) {
    guard let deadline = channels[index].session.advance(at: now) else { return }
    publisher.changed(index)
    recording?.append(deadline: deadline, of: index) { [publisher] in
      publisher.print($0.description)
    }
  }

  // MARK: What goes out

  /// Writes what a source has emitted.
  func publish(_ index: Int, at now: ContinuousClock.Instant) {
    for warning in channels[index].session.takeWarnings() { publisher.print(warning) }
    if !channels[index].session.anchorMessages.isEmpty {
      keepFences()
      for message in channels[index].session.takeAnchorMessages() { publisher.print(message) }
    }
    let entries = channels[index].session.takeEntries()
    if !entries.isEmpty {
      // Otherwise a power cut might keep an event and lose its fixes, and the event would be written
      // twice. Log entries of fixes are too many to wait for, and repeating them does no harm.
      if entries.contains(where: \.isEvent) { store?.synchronise() }
      eventStore?.take(entries, at: now)
      publisher.makeRoom()
      output.write(entries.filter(isShown))
      plan.audience?.show(entries.filter { isShown($0) && $0.fix == nil })
    }
    let reasons = channels[index].session.takeReasons()
    if !reasons.isEmpty { plan.audience?.show(reasons) }
    flush(at: now)
  }

  /// Writes what waits.
  private func flush(at now: ContinuousClock.Instant) {
    defer { store?.commit() }
    eventStore?.flush(at: now)
    if eventStore?.takeNews() == true { store?.add(.stored) }
    guard output.writer.wantsToWrite else { return }
    let before = output.written
    output.writer.flush()
    if case .readerGone = output.writer.failure { isStopping = true }
    guard output.written != before else { return }
    store?.add(.written(output.written))
  }

  /// Whether an entry is in the output; the store may keep others.
  private func isShown(_ entry: LogEntry) -> Bool { plan.kinds.contains(entry.kind) }

  /// Writes the state, with which a new journal begins.
  ///
  /// - Returns: Whether it was written.
  @discardableResult
  func checkpoint(at now: ContinuousClock.Instant) -> Bool {
    nextCheckpoint = now + Self.checkpointInterval
    guard let store else { return false }
    // A checkpoint drops the inputs of events; events that wait to be written still need them.
    guard
      !output.writer.wantsToWrite && eventStore?.hasMore != true
        || store.inputCount >= Self.endlessJournal
    else { return false }
    // Events before a checkpoint cannot be repeated, so they must survive a power cut.
    if let reason = output.writer.synchronise() {
      publisher.reportUnsafe(output.writer.name, reason)
    }
    let isWritten = store.checkpoint(
      devices: channels.map(\.checkpoint), rules: rules, kinds: plan.kinds,
      outputLength: output.length, outputInode: output.inode, columns: output.columns,
      anchors: channels.first?.session.anchors)
    if isWritten { output.markCheckpoint() }
    return isWritten
  }

  private func finish() -> (end: End, totals: SessionTotals) {
    // As in a replay of the recording: the source heard last, then the others in their order.
    let others = channels.indices.filter { $0 != current }
    for index in channels.indices.filter({ $0 == current }) + others {
      channels[index].session.receive([], at: .now, isFinal: true)
      publish(index, at: .now)
    }
    eventStore?.attempt(at: .now)
    plan.delivery?.stop()
    reportDelivery()
    publisher.flushAll(output.writer)
    checkpoint(at: .now)
    for client in clients { client.close() }
    publisher.close(
      shownSessions, { takeShown($0) }, output, store, eventStore, recording?.writer)
    return (isStopping ? .stopped : .unavailable, totals)
  }

  private var totals: SessionTotals {
    if plan.hasOneDevice { return channels[0].session.totals() }
    return channels.reduce(into: goneTotals) { sum, channel in
      let totals = channel.session.totals()
      sum.add(totals)
      sum.others += totals.others
      sum.firstDefects.merge(totals.firstDefects) { first, _ in first }
    }
  }

  // MARK: Waiting

  private func join(_ poller: inout Poller) {
    _ = poller.add(output.writer.canWait ? output.writer.descriptor : nil, .write)
    _ = poller.add(plan.delivery?.descriptor, .read)
    _ = poller.add(publisher.writer.canWait ? publisher.writer.descriptor : nil, .write)
  }

  private func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    var earliest = channels.prefix(plan.sources.count).compactMap(\.deadline).min()
    func consider(_ other: ContinuousClock.Instant?) {
      if let other { earliest = min(earliest ?? other, other) }
    }
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
