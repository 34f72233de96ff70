internal import Session
internal import Traces
internal import Tracking

/// Commands for the fences that fixes place, which only a device alone has.
extension WatchRun {
  func openControl(_ anchors: [AnchorPlan]) {
    guard let state = plan.state, control == nil, !anchors.isEmpty else { return }
    do {
      control = try AnchorControl(state: state)
    } catch {
      publisher.print(
        "\(state)\(AnchorControl.suffix): \(error), so `waymark anchor` cannot reach this watch; "
          + "SIGUSR1 can")
    }
  }

  func takeCommands(at now: ContinuousClock.Instant) {
    while let request = control?.next() {
      control?.answer(request, obey(request.command, at: now))
    }
  }

  /// Obeys a command for the anchors; returns what happened to them.
  func obey(
    _ command: AnchorChange, at now: ContinuousClock.Instant
  ) -> Result<[String], AnchorControl.Declined> {
    let anchors = channels.first?.session.anchors
    if let reason = anchors.refusal(of: command) { return .failure(.init(reason: reason)) }
    var command = command
    command.time = channels[0].session.time(at: now)
    // In the recording too, whose replay then does the same.
    receive(RecordingHeader.line(command)[...], of: 0, at: now)
    let messages = channels[0].session.anchorMessages
    publish(0, at: now)
    return .success(messages)
  }

  /// Gives the fences to the store and the receivers.
  func keepFences() {
    let fences = (channels.first?.session.rules ?? rules).fences
    if let error = eventStore?.keep(fences) { publisher.print("\(error)") }
  }
}
