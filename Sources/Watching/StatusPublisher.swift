internal import GPSD
internal import Glibc
internal import Receivers
internal import Session
internal import System
internal import Text
internal import Traces
internal import Tracking

/// Publishes the status of `watch`: messages and the live view on standard error, the status file,
/// and notifications of the service manager.
final class StatusPublisher {
  let writer: NonBlockingWriter
  let plan: WatchRun.Plan
  private let manager: ServiceManager?
  var reporters: [SourceReporter]
  private var inlets: [InletReporter]
  /// What came from the ships of each source that has any.
  private var ships: [Int: InletReporter] = [:]
  /// Devices that were forgotten for new ones.
  var forgotten = 0
  /// The numbers of devices that have changed since the audience got them.
  var unshown: Set<Int>
  private var limiter = MessageLimiter()
  var view: LiveView?
  var nextDrawing: ContinuousClock.Instant?
  private var nextSign: ContinuousClock.Instant?
  private var written: [SourceStatus]?
  private var isStateFailing = false
  private var isOutputFailing = false
  private var isStoreFailing = false
  private var isStatusFailing = false
  /// Whether events were lost, or may be after a power cut.
  private(set) var hasLostEvents = false
  /// Dropped events that were reported, and whether more are being dropped.
  private var (dropped, isDropping) = (0, false)

  /// What waited for the receivers at the last look, and when the next one is due; nil for none.
  var queues: [DeliveryQueue] = []
  private var nextLook: ContinuousClock.Instant?
  private static let lookInterval = Duration.seconds(2)
  /// When the status is written though it has not changed; nil without a status file.
  private var nextBeat: ContinuousClock.Instant?
  private static let beatInterval = Duration.seconds(10)

  /// The shortest time between two drawings.
  private static let drawingInterval = Duration.milliseconds(200)
  /// The time after which the view is drawn again for the age of the fix.
  static let agingInterval = Duration.seconds(1)

  init(_ plan: WatchRun.Plan) {
    self.plan = plan
    reporters = plan.sources.map { SourceReporter($0, plan.link, isAlone: plan.hasOneDevice) }
    unshown = plan.audience == nil ? [] : Set(plan.sources.indices)
    inlets = plan.inlets.map { InletReporter($0.address) }
    for (index, source) in plan.sources.enumerated() where source.hasShips {
      ships[index] = InletReporter("\(source.address)")
    }
    writer = NonBlockingWriter(standard: .standardError)
    manager = ServiceManager()
    view =
      plan.hasView && OutputFile.standardError.isTerminal
      ? LiveView(isColoured: plan.isColoured) : nil
  }

  /// Writes one message.
  func print(_ line: String) {
    makeRoom()
    writer.offer(Array("waymark: \(line.withoutControls)\n".utf8)[...])
    writer.flush()
  }

  /// Erases the view, so a line can be written in its place.
  func makeRoom() {
    guard var view else { return }
    let bytes = view.erase()
    self.view = view
    guard !bytes.isEmpty else { return }
    writer.offer(bytes[...])
    writer.flush()
    nextDrawing = .now
  }

  // MARK: Status

  func take(_ status: LinkStatus, of index: Int, at now: ContinuousClock.Instant) {
    if let line = reporters[index].take(status, at: now) { print(line) }
  }

  func heard(_ session: LiveSession, of index: Int, at now: ContinuousClock.Instant) {
    reporters[index].hear(session.receiver, ignored: session.ignoringReason, at: now)
    guard isWatched else { return }
    let soon = now + Self.drawingInterval
    nextDrawing = min(nextDrawing ?? soon, soon)
  }

  /// Takes what came to an inlet.
  func heard(_ news: ReportInbox.News, of index: Int, at now: ContinuousClock.Instant) {
    for line in inlets[index].take(news) { note("\(inlets[index].address): \(line)", at: now) }
    if let status = news.status, inlets[index].mayReportStatus(at: now) {
      print("\(inlets[index].address): \(status)")
    }
    if plan.status != nil { nextBeat = min(nextBeat ?? now, now + Self.agingInterval) }
    guard isWatched else { return }
    let soon = now + Self.drawingInterval
    nextDrawing = min(nextDrawing ?? soon, soon)
  }

  /// Notes that the state of a device has changed.
  func changed(_ number: Int) {
    if plan.audience != nil { unshown.insert(number) }
  }

  /// Notes that a device is forgotten for another one.
  func forget(_ device: String, at now: ContinuousClock.Instant) {
    forgotten += 1
    plan.audience?.forget(device)
    note(
      "\(device) is forgotten: there are more than \(plan.mostDevices) devices", at: now)
  }

  /// Takes a report of a ship to a source.
  func heard(ship device: String, of index: Int) { ships[index]?.take(ship: device) }

  /// The inlets, and the sources with ships.
  var intakes: [InletReporter] {
    inlets + ships.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Writes a message of which there may be many; those beyond a limit are counted.
  func note(_ line: String, at now: ContinuousClock.Instant) {
    guard limiter.mayPass(at: now) else { return }
    if let held = limiter.takeHeld() {
      let verb = held == 1 ? "is" : "are"
      print("\(SessionTotals.count(held, "message")) like these \(verb) left out")
    }
    print(line)
  }

  /// The statuses of all sources.
  private var statuses: [SourceStatus] { reporters.map(\.status) }

  /// For people.
  private var sentence: String {
    let sentence = reporters.count == 1 ? reporters[0].status.sentence : nil
    let count = reporters.count { $0.status == .fix }
    let sources = sentence ?? "\(count) of \(reporters.count) sources have a fix"
    let reports = intakes.map(\.sentence)
    return (reporters.isEmpty ? reports : [sources] + reports).joined(separator: ", ")
  }

  func serviceBegan() {
    if let delivery = plan.delivery, plan.status != nil || plan.audience != nil {
      do {
        try delivery.watchQueues()
        nextLook = .now + Self.lookInterval
      } catch {
        print("the queues of the receivers are not shown: \(error)")
      }
    }
    manager?.notify("READY=1\nSTATUS=\(sentence)")
    if let watchdog = manager?.watchdog { nextSign = .now + watchdog }
  }

  /// Publishes what has changed.
  ///
  /// The sessions are evaluated only then: copies at every report would cost more than the rest.
  ///
  /// - Parameters:
  ///   - sessions: Those that the status file shows.
  ///   - session: The session of a device by its number; the fixes in it count as shown.
  func update(
    _ sessions: @autoclosure () -> [LiveSession], _ session: (Int) -> LiveSession,
    _ output: LiveOutput, _ store: StateStore?, _ eventStore: LiveStore?,
    at now: ContinuousClock.Instant
  ) {
    for index in reporters.indices { reporters[index].check(at: now) }
    if statuses != written || reporters.contains(where: \.hasMore) {
      reportStatus(sessions(), at: now)
    }
    reportTrouble(output)
    if let store { reportTrouble(store) }
    if let eventStore { reportTrouble(eventStore) }
    lookAtQueues(sessions(), at: now)
    if let nextBeat, now >= nextBeat { writeStatus(sessions(), at: now) }
    if let nextDrawing, now >= nextDrawing {
      self.nextDrawing = nil
      show(session)
      if view != nil { draw(sessions(), output) }
    }
    if let sign = nextSign, now >= sign, let watchdog = manager?.watchdog {
      manager?.notify("WATCHDOG=1")
      nextSign = now + watchdog
    }
    writer.flush()
  }

  /// Publishes what waits for the receivers, when it has changed.
  private func lookAtQueues(
    _ sessions: @autoclosure () -> [LiveSession], at now: ContinuousClock.Instant
  ) {
    guard let delivery = plan.delivery, let next = nextLook, now >= next else { return }
    nextLook = now + Self.lookInterval
    let found = delivery.queues
    guard found != queues else { return }
    queues = found
    writeStatus(sessions(), at: now)
    if isWatched { nextDrawing = now }
  }

  private func reportStatus(_ sessions: [LiveSession], at now: ContinuousClock.Instant) {
    if statuses != written {
      for (index, status) in statuses.enumerated() where status != written?[index] {
        changed(index)
      }
      written = statuses
      writeStatus(sessions, at: now)
      manager?.notify("STATUS=\(sentence)")
      if isWatched { nextDrawing = now }
    }
    for index in reporters.indices {
      if let line = reporters[index].statusLine(sessions[index], at: now) { print(line) }
    }
  }

  private func writeStatus(_ sessions: [LiveSession], at now: ContinuousClock.Instant) {
    guard let path = plan.status else { return }
    nextBeat = now + Self.beatInterval
    var line: [UInt8] = []
    StatusJSON.append(snapshots(sessions), runState, to: &line)
    do {
      // Readable for the group, as the events are. After a power cut nobody needs it, and a card would
      // wear by a heartbeat.
      try WholeFile.replace(path, with: line, mode: 0o640, isKept: false)
      isStatusFailing = false
    } catch {
      if !isStatusFailing { print("\(path): cannot write the status: \(error.reason)") }
      isStatusFailing = true
    }
  }

  // MARK: Trouble

  private func reportTrouble(_ output: LiveOutput) {
    let writer = output.writer
    if case .refused(let reason) = writer.failure {
      if !isOutputFailing {
        print("\(writer.name): cannot write events: \(reason); they are buffered and retried")
      }
      isOutputFailing = true
    } else if isOutputFailing {
      isOutputFailing = false
      print("\(writer.name): writing events again")
    }
    if writer.dropped > dropped {
      if !isDropping {
        print("\(writer.name): dropping events: too many wait for a reader")
      }
      isDropping = true
      if !writer.wantsToWrite { reportDropped(writer) }
    }
  }

  /// Reports that events are written but may not survive a power cut.
  func reportUnsafe(_ name: String, _ reason: String) {
    hasLostEvents = true
    print("\(name): the last events may not be on the disk: \(reason)")
  }

  private func reportDropped(_ writer: NonBlockingWriter) {
    guard writer.dropped > dropped else { return }
    let count = writer.dropped - dropped
    let events = count == 1 ? "1 event was" : "\(count) events were"
    print("\(writer.name): \(events) dropped because nobody read them")
    dropped = writer.dropped
    isDropping = false
    hasLostEvents = true
  }

  /// Reports once that the state cannot be saved, and when it can again.
  private func reportTrouble(_ store: StateStore) {
    if let failure = store.failure {
      if !isStateFailing, let path = plan.state {
        print("\(path): cannot save the state: \(failure); retrying every minute")
      }
      isStateFailing = true
    } else if isStateFailing {
      isStateFailing = false
      print("saving the state again")
    }
  }

  /// Reports once that events cannot be stored, and when they can again.
  private func reportTrouble(_ store: LiveStore) {
    if let failure = store.failure {
      if !isStoreFailing { print("\(failure); events are buffered until it can be written") }
      isStoreFailing = true
    } else if isStoreFailing {
      isStoreFailing = false
      print("storing events again")
    }
  }

  /// Reports the events that are not in the store at the end.
  private func reportLoss(_ store: LiveStore) {
    let (events, fixes) = store.lost
    guard events + fixes > 0 else { return }
    hasLostEvents = true
    let advice =
      if plan.state == nil || store.dropped > 0 {
        ""
      } else if isStateFailing {
        "; the state could not be saved, so the next run may not store them"
      } else {
        "; the next run stores them"
      }
    let lost = [
      events > 0 ? SessionTotals.count(events, "event") : nil,
      fixes > 0 ? SessionTotals.count(fixes, "fix", "fixes") : nil,
    ]
    print("\(lost.compactMap(\.self).joined(separator: " and ")) could not be stored\(advice)")
  }

  // MARK: Time

  /// The next deadline of this publisher.
  var nextDeadline: ContinuousClock.Instant? {
    let own = [nextDrawing, nextSign, nextLook, nextBeat]
    return (own + reporters.map(\.nextDeadline)).compactMap { $0 }.min()
  }

  // MARK: The end

  /// Waits for readers, at most two seconds.
  func flushAll(_ output: NonBlockingWriter) {
    let end = ContinuousClock.now + .seconds(2)
    var poller = Poller()
    while output.wantsToWrite, output.failure == nil, ContinuousClock.now < end {
      poller.removeAll()
      _ = poller.add(output.descriptor, .write)
      poller.wait(until: end)
      output.flush()
    }
  }

  func close(
    _ sessions: [LiveSession], _ session: (Int) -> LiveSession, _ output: LiveOutput,
    _ store: StateStore?,
    _ eventStore: LiveStore?, _ recording: RecordingWriter?
  ) {
    manager?.notify("STOPPING=1")
    for index in reporters.indices {
      reporters[index].stop()
      changed(index)
    }
    writeStatus(sessions, at: .now)
    show(session)
    makeRoom()
    nextDrawing = nil
    reportTrouble(output)
    if let store { reportTrouble(store) }
    if let eventStore {
      reportTrouble(eventStore)
      reportLoss(eventStore)
    }
    reportDropped(output.writer)
    let lost = output.writer.unsettled
    if lost > 0 {
      print("\(output.writer.name): \(SessionTotals.count(lost, "event")) could not be written")
      if output.writer.failure != .readerGone { hasLostEvents = true }
    }
    for line in recording?.summary ?? [] { print(line) }
    flushAll(writer)
  }
}
