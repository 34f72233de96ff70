internal import GPSD
internal import Receivers
internal import Session
internal import System
internal import Tracking

/// What shows the devices as they change: the live view of a terminal, and the audience.
extension StatusPublisher {
  /// The most devices of inlets in the view.
  private static let mostDrawn = 5

  /// Whether anything shows the state as it changes.
  var isWatched: Bool { view != nil || plan.audience != nil }

  var runState: LiveRunState {
    LiveRunState(queues: queues, inlets: intakes, forgotten: forgotten)
  }

  /// Those of sessions of which the sources come first.
  func snapshots(_ sessions: [LiveSession]) -> [LiveSnapshot] {
    sessions.enumerated().map { snapshot($1, of: $0) }
  }

  private func snapshot(_ session: LiveSession, of number: Int) -> LiveSnapshot {
    let reporter = number < reporters.count ? reporters[number] : nil
    return LiveSnapshot(
      device: session.device, number: reporter.map { _ in number }, title: session.title,
      source: session.source, peer: reporter?.peer,
      status: reporter?.status ?? session.ownStatus, fix: session.lastFix,
      solution: session.lastSolution,
      age: session.lastHeard.map { (.now - $0) / .seconds(1) },
      ignored: session.ignored.count + session.receiver.simulated + session.timeless,
      receiver: session.receiver,
      fences: session.rules.fences,
      presence: session.tracker.presence, stay: session.tracker.standingStay,
      totals: session.totals(), anchors: session.anchorDrifts, trail: session.trail)
  }

  /// Shows the devices that have changed to the audience.
  func show(_ session: (Int) -> LiveSession) {
    guard let audience = plan.audience else { return }
    let states = unshown.sorted().map { snapshot(session($0), of: $0) }
    unshown.removeAll()
    audience.show(states, runState)
  }

  func draw(_ sessions: [LiveSession], _ output: LiveOutput) {
    let states = snapshots(
      !plan.hasAppearing ? sessions : Array(sessions.prefix(reporters.count + Self.mostDrawn)))
    guard var view else { return }
    let scene = LiveView.Scene(
      states: states, notes: intakes.map { "\($0.address)  \($0.sentence)" },
      events: output.writer.isTerminal
        ? [] : output.lastLines.map { String(decoding: $0.dropLast(), as: UTF8.self) },
      zone: plan.zone)
    // A terminal that accepts no output keeps its view.
    guard !writer.wantsToWrite else { return }
    // The age of the fix grows though nothing comes.
    if states.contains(where: { $0.age != nil }) { nextDrawing = .now + Self.agingInterval }
    let (width, height) = OutputFile.standardError.terminalSize
    writer.offer(view.draw(scene, width: width, height: height)[...])
    self.view = view
  }
}
