internal import GPSD
internal import Glibc
internal import System
internal import Traces
internal import Tracking

/// What a watch shows beside events: lines on standard error, the live view at their foot, a status
/// for programs, and word to the service manager.
final class WatchDesk {
  let outlet: Outlet
  private let plan: Watch.Plan
  private let manager: ServiceManager?
  private var board: StatusBoard
  private var teller = StatusTeller()
  private var report: LinkReport
  /// Position reports that were heard.
  private var reports = 0
  /// Whether the last word of gpsd was that there is a receiver.
  private var hadReceiver = false
  private var view: LiveView?
  private var nextDrawing: ContinuousClock.Instant?
  private var nextSign: ContinuousClock.Instant?
  private var written: LiveStatus?
  private var source: String
  private var isStateFailing = false
  private var isOutputFailing = false
  /// Whether events could not be written, or not for sure.
  private(set) var hasLostEvents = false
  /// Events whose dropping has been told, and whether more are being dropped.
  private var (dropped, isDropping) = (0, false)

  /// The view is drawn anew after so long at the earliest.
  private static let drawingInterval = Duration.milliseconds(200)

  init(_ plan: Watch.Plan) {
    self.plan = plan
    source = plan.address.description
    report = LinkReport(plan.address)
    board = StatusBoard(plan.link)
    outlet = Outlet(standard: .standardError)
    manager = ServiceManager()
    view =
      OutputFile.standardError.isTerminal ? LiveView(isColoured: plan.isColoured) : nil
  }

  /// Says one line.
  func say(_ line: String) {
    makeRoom()
    outlet.offer(Array("waymark: \(line.withoutControls)\n".utf8)[...])
    outlet.flush()
  }

  /// Takes the view away, so that a line can be written where it was.
  func makeRoom() {
    guard var view else { return }
    let bytes = view.erase()
    self.view = view
    guard !bytes.isEmpty else { return }
    outlet.offer(bytes[...])
    outlet.flush()
    if nextDrawing == nil { nextDrawing = .now }
  }

  // MARK: Status

  func take(_ status: LinkStatus, at now: ContinuousClock.Instant) {
    switch status {
    case .connected(let version):
      source = "gpsd \(version.release)"
      board.connected()
    case .silent: board.fellSilent()
    case .lost(let reason, _): board.lost(reason.description)
    case .connecting, .reporting, .notice: break
    }
    if let line = report.line(for: status, at: now) { say(line) }
  }

  func heard(_ receiver: ReceiverState, at now: ContinuousClock.Instant) {
    if receiver.reports != reports {
      reports = receiver.reports
      board.heard(hasPosition: receiver.mode >= 2, timeless: receiver.timeless, at: now)
    }
    if hadReceiver, receiver.isAttached == false { board.receiverGone() }
    hadReceiver = receiver.isAttached ?? hadReceiver
    if view != nil, nextDrawing == nil { nextDrawing = now + Self.drawingInterval }
  }

  func serviceBegan() {
    manager?.tell("READY=1\nSTATUS=\(board.status.sentence)")
    if let watchdog = manager?.watchdog { nextSign = .now + watchdog }
  }

  /// Shows how things stand, as far as something has changed.
  ///
  /// It is asked for the session only then: a copy at every report would cost more than the rest.
  func update(
    _ session: @autoclosure () -> LiveSession, _ output: LiveOutput, _ keeper: StateKeeper?,
    at now: ContinuousClock.Instant
  ) {
    board.check(at: now)
    if board.status != written || teller.hasMore(board.status) { tellStatus(session(), at: now) }
    tellTrouble(output)
    if let keeper { tellTrouble(keeper) }
    if let nextDrawing, now >= nextDrawing {
      self.nextDrawing = nil
      draw(session(), output)
    }
    if let sign = nextSign, now >= sign, let watchdog = manager?.watchdog {
      manager?.tell("WATCHDOG=1")
      nextSign = now + watchdog
    }
    outlet.flush()
  }

  private func tellStatus(_ session: LiveSession, at now: ContinuousClock.Instant) {
    let status = board.status
    if status != written {
      written = status
      writeStatus(session)
      manager?.tell("STATUS=\(status.sentence)")
      if view != nil, nextDrawing == nil { nextDrawing = now }
    }
    guard teller.tells(status, at: now) else { return }
    switch status {
    case .fix, .noFix, .noTime, .stale: say(status.sentence + Self.detail(status, session))
    case .connected where session.receiver.isAttached == false && session.receiver.reports > 0:
      say("the receiver is gone")
    // What the connection does has been told by its own report.
    case .connecting, .connected, .lost, .stopped: break
    }
  }

  private static func detail(_ status: LiveStatus, _ session: LiveSession) -> String {
    guard case .fix = status, let fix = session.lastFix else { return "" }
    var parts: [String] = []
    if let time = fix.time { parts.append("\(Readable.time(time)) UTC") }
    if let accuracy = fix.horizontalAccuracy { parts.append("± \(Readable.length(accuracy))") }
    if let used = session.receiver.satellitesUsed { parts.append("\(used) satellites") }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private func writeStatus(_ session: LiveSession) {
    guard let path = plan.status else { return }
    var line: [UInt8] = []
    StatusText.append(
      board.status, device: plan.device, source: plan.address.description, fix: session.lastFix,
      to: &line)
    do {
      // For programs of the same group, as the events are.
      try WholeFile.replace(path, with: line, mode: 0o640)
    } catch {
      say("\(path): cannot write the status: \(error.reason)")
    }
  }

  // MARK: Trouble

  private func tellTrouble(_ output: LiveOutput) {
    let outlet = output.outlet
    if case .refused(let reason) = outlet.failure {
      if !isOutputFailing {
        say("\(outlet.name): cannot write events: \(reason); they are kept and tried again")
      }
      isOutputFailing = true
    } else if isOutputFailing {
      isOutputFailing = false
      say("\(outlet.name): events are written again")
    }
    if outlet.dropped > dropped {
      if !isDropping {
        say("\(outlet.name): events are dropped, as too many wait to be taken")
      }
      isDropping = true
      if !outlet.wantsToWrite { tellDropped(outlet) }
    }
  }

  /// Tells that events are written, but may not outlast a power cut.
  func tellUnsafe(_ name: String, _ reason: String) {
    hasLostEvents = true
    say("\(name): the last events may not be on the disk: \(reason)")
  }

  private func tellDropped(_ outlet: Outlet) {
    guard outlet.dropped > dropped else { return }
    say("\(outlet.name): \(outlet.dropped - dropped) events were dropped, as nobody took them")
    dropped = outlet.dropped
    isDropping = false
    hasLostEvents = true
  }

  /// Tells once that the state cannot be kept, and when it can again.
  private func tellTrouble(_ keeper: StateKeeper) {
    if let failure = keeper.failure {
      if !isStateFailing, let path = plan.state {
        say("\(path): cannot keep the state: \(failure); it is tried again every minute")
      }
      isStateFailing = true
    } else if isStateFailing {
      isStateFailing = false
      say("the state is kept again")
    }
  }

  // MARK: The view

  private func draw(_ session: LiveSession, _ output: LiveOutput) {
    guard var view else { return }
    let scene = LiveView.Scene(
      device: plan.device, source: source, status: board.status, fix: session.lastFix,
      receiver: session.receiver, fences: session.rules.fences,
      events: output.outlet.isTerminal
        ? [] : output.lastLines.map { String(decoding: $0.dropLast(), as: UTF8.self) })
    // A terminal that takes nothing is left as it is.
    guard !outlet.wantsToWrite else { return }
    let (width, height) = Self.terminalSize
    outlet.offer(view.draw(scene, width: width, height: height)[...])
    self.view = view
  }

  /// Columns and rows; 80 by 24 when the terminal does not know them.
  private static var terminalSize: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  // MARK: Time

  /// When something is due by itself.
  var nextDeadline: ContinuousClock.Instant? {
    [board.nextDeadline, teller.nextDeadline(board.status), nextDrawing, nextSign]
      .compactMap { $0 }.min()
  }

  // MARK: The end

  /// Waits for readers, but not for long.
  func flushAll(_ output: Outlet) {
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
    _ session: LiveSession, _ output: LiveOutput, _ keeper: StateKeeper?, _ recording: Recording?
  ) {
    manager?.tell("STOPPING=1")
    board.stop()
    writeStatus(session)
    makeRoom()
    nextDrawing = nil
    tellTrouble(output)
    if let keeper { tellTrouble(keeper) }
    tellDropped(output.outlet)
    let lost = output.outlet.unsettled
    if lost > 0 {
      say("\(output.outlet.name): \(lost) events could not be written")
      if output.outlet.failure != .readerGone { hasLostEvents = true }
    }
    for line in recording?.summary ?? [] { say(line) }
    flushAll(outlet)
  }
}
