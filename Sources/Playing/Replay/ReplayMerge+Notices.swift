internal import Geodesy
internal import Session
internal import Text
internal import Traces
internal import Tracking

/// What the traces say besides their fixes.
extension ReplayMerge {
  /// Reports the errors and the changes of the source between the fix at `time`, or at that turn, and the
  /// next one, whose turn is `next`.
  mutating func report(
    of index: Int, _ turn: Timestamp, _ time: Timestamp?, until next: Timestamp?
  ) {
    let feed = streams[index].feed
    var turn = turn
    for notice in feed.takeNotices() {
      let device =
        notice.device.map { feed.devices[Int($0)] } ?? streams[index].name
        ?? names.fallback(for: feed)
      let time =
        notice.device == nil && !feed.isShared ? time : streams[index].reached(of: notice.device)
      switch notice.content {
      case .issue(let issue):
        messages.append(issue.described(in: feed.path))
        reporter.take(
          .issue(issue, device: device, time: time, source: index), into: &round.problems.entries)
      case .status(let change):
        reporter.take(.status(change, device: device), into: &round.problems.entries)
        if feed.isShared { break }
        // A live run reports what falls due in a silence so much later than it is due.
        let silence = change.time?.advanced(bySeconds: -LiveClock.delay) ?? turn
        turn = max(turn, min(silence, next ?? silence))
      case .anchor(let command):
        commands[index, default: []].append(command)
        continue
      case .deadline(let deadline): pass(deadline, of: device, index, turn)
      case .forgotten:
        let isOnly = notice.device == nil && !notice.isShared
        if notice.device != nil || isOnly {
          streams[index].forget(notice.device, clockJump: clockJump)
        }
        if let number = isOnly ? streams[index].lastPlayed : devices[ExactText(device)] {
          forget(number, index, turn)
        }
      }
      round.problems.place(
        at: ReplayEntries.Place(
          turn: turn, stream: index, step: played + 1, due: due, instant: instant,
          isSettled: isSettled(index)))
    }
    if next == nil { giveLastCommands(of: index, turn) }
  }

  /// Advances a device of a shared recording to a deadline that it passed in silence.
  private mutating func pass(
    _ deadline: Timestamp, of device: String, _ index: Int, _ turn: Timestamp
  ) {
    guard let number = devices[ExactText(device)], span.contains(deadline),
      deadline.nanoseconds < .max
    else { return }
    let after = Timestamp(nanoseconds: deadline.nanoseconds + 1)
    addStep(of: number, index, wakes: true, at: turn, due: after) { $0.isDeadline = true }
  }

  /// Forgets a device, as the watch did that recorded it.
  private mutating func forget(_ number: Int, _ index: Int, _ turn: Timestamp) {
    addStep(of: number, index, wakes: false, at: turn, due: turn) { $0.isForgotten = true }
  }

  /// Obeys what a stream says of anchors behind its last fix.
  private mutating func giveLastCommands(of index: Int, _ turn: Timestamp) {
    commands[index]?.removeAll { $0.time.map { !span.contains($0) } ?? false }
    guard let last = commands[index]?.last, let number = streams[index].lastDevice else { return }
    let (due, isSettled) = (max(last.time ?? turn, turn), isSettled(index))
    addStep(of: number, index, wakes: wakes, at: turn, due: due) {
      ($0.isEnd, $0.isSettled) = (true, isSettled)
    }
  }

  /// Adds a step of a device that has no fix, which `change` says.
  private mutating func addStep(
    of number: Int, _ index: Int, wakes: Bool, at turn: Timestamp, due: Timestamp,
    _ change: (inout ReplayShard.Step) -> Void
  ) {
    played += 1
    giveCommands(of: index)
    let nowhere = Fix(time: nil, coordinate: Coordinate(latitude: 0, longitude: 0))
    var step = ReplayShard.Step(
      source: index, device: number >> shardBits, wakes: wakes, place: turn, due: due,
      number: played, instant: instant, isSettled: true)
    change(&step)
    add(TracePoint(fix: nowhere, line: 0), step, of: number)
  }
}
